// RUN: anabranch-opt %s -p dcf-gradient --split-input-file | filecheck %s

// A branch's residuals are pushed inside the branch; the other branch forwards the stack.
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %a = stablehlo.sine %x : tensor<f32>
    %b = stablehlo.exponential %a : tensor<f32>
    dcf.yield %b : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: func.func @main.grad
// CHECK:         %[[S0:.*]] = dcf.stack_new
// CHECK:         %r, %[[S:.*]] = dcf.cond %p : tensor<i1> -> (tensor<f32>, !dcf.stack<tensor<f32>>) then {
// CHECK:           %[[S1:.*]] = dcf.stack_push %[[S0]], %b
// CHECK:           dcf.yield %b, %[[S1]]
// CHECK:         } else {
// CHECK-NEXT:      dcf.yield %x, %[[S0]]
// CHECK:         dcf.cond %p
// CHECK-NEXT:      dcf.stack_pop %[[S]]

// -----

// An op whose derivative needs no forward value keeps nothing.
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %a = stablehlo.negate %x : tensor<f32>
    dcf.yield %a : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: func.func @main.grad
// CHECK-NOT:     dcf.stack
