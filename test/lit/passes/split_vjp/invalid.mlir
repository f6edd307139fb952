// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=1 results=1}' 2>&1 | filecheck %s --check-prefix=DEPENDS
// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=3 results=1}' 2>&1 | filecheck %s --check-prefix=ARGUMENTS
// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=1 results=9}' 2>&1 | filecheck %s --check-prefix=RESULTS
// RUN: not anabranch-opt %s -p 'split-vjp{function=g arguments=1 results=1}' 2>&1 | filecheck %s --check-prefix=MISSING

func.func @f(%x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y = stablehlo.multiply %x, %ct : tensor<f32>
  return %y, %ct : tensor<f32>, tensor<f32>
}
// DEPENDS: invalid.mlir:7:{{.*}}expected what the results need, and effects, not to depend on cotangents
// ARGUMENTS: error: pass 'split-vjp' failed: expected at most 2 arguments, those of @f, got 3
// RESULTS: error: pass 'split-vjp' failed: expected at most 2 results, those of @f, got 9
// MISSING: error: pass 'split-vjp' failed: expected a function @g with a body, got none
