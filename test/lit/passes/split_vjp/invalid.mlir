// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=1 results=1}' 2>&1 | filecheck %s --check-prefix=DEPENDS
// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=1 results=2}' 2>&1 | filecheck %s --check-prefix=COTANGENT
// RUN: not anabranch-opt %s -p 'split-vjp{function=e arguments=1 results=1}' 2>&1 | filecheck %s --check-prefix=EFFECT
// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=3 results=1}' 2>&1 | filecheck %s --check-prefix=ARGUMENTS
// RUN: not anabranch-opt %s -p 'split-vjp{function=f arguments=1 results=9}' 2>&1 | filecheck %s --check-prefix=RESULTS
// RUN: not anabranch-opt %s -p 'split-vjp{function=g arguments=1 results=1}' 2>&1 | filecheck %s --check-prefix=MISSING

func.func @f(%x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y = stablehlo.multiply %x, %ct : tensor<f32>
  return %y, %ct : tensor<f32>, tensor<f32>
}
// DEPENDS: invalid.mlir:9:3: error: split-vjp: expected result 0 of @f not to depend on cotangents, got this stablehlo.multiply, which reads argument 1 (%ct); arguments=1 may be too small, or results=1 too large
// COTANGENT: invalid.mlir:10:3: error: split-vjp: expected result 1 of @f not to be a cotangent, got argument 1 (%ct); arguments=1 may be too small, or results=2 too large
// ARGUMENTS: error: pass 'split-vjp' failed: expected 0 to 2 arguments, those of @f, got 3
// RESULTS: error: pass 'split-vjp' failed: expected 0 to 2 results, those of @f, got 9
// MISSING: error: pass 'split-vjp' failed: expected a function @g with a body, got none

func.func @e(%x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  dcf.probe "ct" %ct : tensor<f32>
  return %x, %ct : tensor<f32>, tensor<f32>
}
// EFFECT: error: split-vjp: expected the effects of @e not to depend on cotangents, got this dcf.probe, which reads argument 1 (%ct); arguments=1 may be too small, or results=1 too large
