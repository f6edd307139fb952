// Pipelines, and what is told about them.
// RUN: anabranch-opt %s -p remove-dead-code,verify-dominance --print-between-passes | filecheck %s --check-prefix BETWEEN
// RUN: anabranch-opt %s -p remove-dead-code,cse --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix TIME
// RUN: anabranch-opt --list-passes | filecheck %s --check-prefix LIST
// RUN: anabranch-opt --help | filecheck %s --check-prefix HELP
// RUN: anabranch-opt --version | filecheck %s --check-prefix VERSION

// BETWEEN:     // IR after remove-dead-code:
// BETWEEN-NOT: stablehlo.abs
// BETWEEN:     return %x
// BETWEEN-NOT: // IR after
// BETWEEN:     return %x

// TIME: Pass remove-dead-code took 0.{{[0-9]+}} seconds
// TIME: Pass cse took 0.{{[0-9]+}} seconds

// LIST: convert-dcf-to-dfg
// LIST: cse {{ *}}(xDSL)
// LIST: verify-dominance {{ *}}Check that definitions come before their uses.

// HELP: usage: anabranch-opt
// HELP: examples:
// HELP: anabranch-opt program.mlir -p dcf-to-dfg-pipeline

// VERSION: anabranch-opt {{[0-9.]+}} (xdsl 0.75.{{[0-9]+}})

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  return %x : tensor<f32>
}
