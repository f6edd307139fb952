// One located line on standard error and exit status 1; nothing written.
// RUN: rm -f %t.out
// RUN: not anabranch-opt %s -o %t.out 2>%t.err
// RUN: filecheck %s --check-prefix ONE --input-file %t.err
// RUN: not test -e %t.out
// ONE: {{.*}}opt_errors.mlir:[[LINE:[0-9]+]]:8: error: operation 'stablehlo.nope' is not supported
// ONE-NOT: error

// A file that is there is left alone.
// RUN: echo keep > %t.out
// RUN: not anabranch-opt %s -o %t.out 2>/dev/null
// RUN: filecheck %s --check-prefix KEEP --input-file %t.out
// KEEP: keep

// RUN: not anabranch-opt %t.none 2>&1 | filecheck %s --check-prefix FILE
// FILE: .none: error: cannot be read: No such file or directory

// Wrong usage is 2, and says what is meant.
// RUN: not anabranch-opt %s -p expand-scna 2>&1 | filecheck %s --check-prefix PASS
// PASS: anabranch-opt: error: unknown pass 'expand-scna'; did you mean 'expand-scan'? (--list-passes shows all)
// RUN: not anabranch-opt %s -p "cse{" 2>&1 | filecheck %s --check-prefix SPEC
// SPEC: anabranch-opt: error: cannot read the passes 'cse{'
// RUN: not anabranch-opt %s -p "cse{x=1}" 2>&1 | filecheck %s --check-prefix OPTION
// OPTION: anabranch-opt: error: wrong options for pass 'cse': expected no options, got x
// RUN: not anabranch-opt %s -p "dcf-gradient{report-residuals}" 2>&1 | filecheck %s --check-prefix NAMED
// NAMED: error: wrong options for pass 'dcf-gradient': expected one of the options function, {{.*}}, got report-residuals; did you mean 'residuals'?
// RUN: not anabranch-opt %s -p "dcf-gradient{policy=treeverse:3}" 2>&1 | filecheck %s --check-prefix QUOTES
// QUOTES: error: cannot read the passes 'dcf-gradient{policy=treeverse:3}': expected treeverse:3 in quotes, as in policy="treeverse:3"
// RUN: not anabranch-opt %s -p "split-vjp{function=main.grad}" 2>&1 | filecheck %s --check-prefix DOT
// DOT: error: cannot read the passes {{.*}}: expected main.grad in quotes, as in function="main.grad"
// RUN: not anabranch-opt %s -p 'device-pipeline{devices="cpu:0",random=1}' 2>&1 | filecheck %s --check-prefix COMMA
// COMMA: error: cannot read the passes {{.*}}: expected a space before the option random, got a comma; options have spaces between them, as in pass{option=1 other=2}
// RUN: not anabranch-opt %s -p "device-pipeline{devices=2 random=1}" 2>&1 | filecheck %s --check-prefix TYPE
// TYPE: anabranch-opt: error: option devices of device-pipeline: expected one or more strings in quotes, got 2
// RUN: not anabranch-opt %s -p 'device-pipeline{assign="random:1"}' 2>&1 | filecheck %s --check-prefix ASSIGN
// ASSIGN: got assign; did you mean random=SEED or rules="FILE"?
// RUN: not anabranch-opt %s -p split-vjp 2>&1 | filecheck %s --check-prefix LACKING
// LACKING: error: wrong options for pass 'split-vjp': expected split-vjp{function="{{.*}}" arguments=N results=N}, got no function, arguments or results
// RUN: not anabranch-opt %s --print-op-genric 2>&1 | filecheck %s --check-prefix MISSPELT
// MISSPELT-NOT: usage
// MISSPELT: anabranch-opt: error: unknown option --print-op-genric; did you mean '--print-op-generic'?

// With --verify-diagnostics the errors go to standard output, each part of the file in turn.
// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix SPLIT
// RUN: anabranch-opt %s --split-input-file --parsing-diagnostics | filecheck %s --check-prefix SPLIT
// SPLIT:      opt_errors.mlir:{{[0-9]+}}:8: error: operation 'stablehlo.nope' is not supported
// SPLIT-NEXT: // -----
// SPLIT:      func.func @right
// SPLIT:      // -----
// SPLIT:      opt_errors.mlir:{{[0-9]+}}:3: error: value %x is already defined at {{.*}}opt_errors.mlir:{{[0-9]+}}:18

func.func @unknown(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.nope %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @right(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

func.func @twice(%x: tensor<f32>) -> tensor<f32> {
  %x = stablehlo.abs %x : tensor<f32>
  return %x : tensor<f32>
}
