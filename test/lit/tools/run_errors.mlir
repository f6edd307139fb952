// One located line on standard error, exit status 1 (2: wrong usage), and nothing written.
// RUN: rm -f %t.npz %t.json
// RUN: not anabranch-run %s --function main --outputs %t.npz 2>&1 | filecheck %s --check-prefix ARGUMENTS
// RUN: not anabranch-run %s --function loop --deadline 0.2 --outputs %t.npz --trace %t.json 2>&1 | filecheck %s --check-prefix DEADLINE
// RUN: not anabranch-run %s --function nothing 2>&1 | filecheck %s --check-prefix NAME
// RUN: not anabranch-run %s --function loop --parallel-iterations 0 2>&1 | filecheck %s --check-prefix WINDOW
// RUN: not anabranch-run %s --grad --policy tree 2>&1 | filecheck %s --check-prefix TREE
// RUN: not test -e %t.npz
// RUN: not test -e %t.json

// ARGUMENTS: run_errors.mlir: error: @main has 1 arguments: give them with --inputs
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

func.func @loop() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // DEADLINE: run_errors.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the deadline of 0.2 s passed: loop "endless" is at iteration
  %r = dcf.while "endless" (%i = %zero : tensor<i32>) cond {
    %p = stablehlo.compare EQ, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.subtract %zero, %i : tensor<i32>
    dcf.yield %i1 : tensor<i32>
  }
  return %r : tensor<i32>
}

// NAME: run_errors.mlir{{.*}}: error: expected a function @nothing, the module has @main, @loop
// WINDOW: error: argument --parallel-iterations: expected a whole number of at least 1, got 0
// TREE: error: argument --policy: expected save, recompute, sqrt or treeverse:C with C >= 1, got "tree"
