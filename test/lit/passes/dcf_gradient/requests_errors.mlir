// RUN: anabranch-opt %s -p dcf-gradient --split-input-file --verify-diagnostics | filecheck %s

// A derivative of the function that asks for it.
// CHECK: requests_errors.mlir:{{[0-9]+}}:3: error: expected derivatives of functions without recursion, got @f -> @f
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %g = dcf.gradient @f(%x) : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// CHECK: error: expected derivatives of functions without recursion, got @f -> @g -> @f
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = func.call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %g = dcf.gradient @f(%x) : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// A function is differentiated by its arguments. What it is not given it does not depend on: a loop's
// initial value is no argument of a function that is called in the loop's body.
// CHECK: requests_errors.mlir:{{.*}}: error: 'dcf.gradient' op expected the numbers of arguments, below 1, in wrt, got 1
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %x, %x : tensor<f32>
  return %y : tensor<f32>
}
func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %r = dcf.while "w" (%a = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    %g = dcf.gradient @square(%a) wrt [1] : (tensor<f32>) -> tensor<f32>
    dcf.yield %g : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// CHECK: error: expected a function @declared with a body, got a declaration
func.func private @declared(tensor<f32>) -> tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %g = dcf.gradient @declared(%x) : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
