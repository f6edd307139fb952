// RUN: %roundtrip %s | filecheck %s

func.func @f(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<2xf32>) -> (tensor<i32>, tensor<f32>, tensor<2xf32>) {
  func.return %i, %a, %b : tensor<i32>, tensor<f32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @gradients
func.func @gradients(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<2xf32>) {
  // CHECK: %g:2 = dcf.gradient @f(%a, %i, %b) : (tensor<f32>, tensor<i32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
  %g:2 = dcf.gradient @f(%a, %i, %b) : (tensor<f32>, tensor<i32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
  // CHECK: %h:2 = dcf.gradient @f(%a, %i, %b) wrt [2, 0] of 1 {note} : (tensor<f32>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
  %h:2 = dcf.gradient @f(%a, %i, %b) wrt [2, 0] of 1 {note} : (tensor<f32>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
  func.return
}

// CHECK-LABEL: func.func @modes
func.func @modes(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<2xf32>) {
  // CHECK: %r:4 = dcf.vjp @f(%a, %i, %b) cotangents(%a, %b) wrt [2] : (tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<i32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>)
  %r:4 = dcf.vjp @f(%a, %i, %b) cotangents(%a, %b) wrt [2] : (tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<i32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>)
  // CHECK: %s:5 = dcf.jvp @f(%a, %i, %b) tangents(%a, %b) {note} : (tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<i32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>)
  %s:5 = dcf.jvp @f(%a, %i, %b) tangents(%a, %b) {note} : (tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<i32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>)
  func.return
}

// CHECK-LABEL: func.func @stop
func.func @stop(%a: tensor<f32>) -> tensor<f32> {
  // CHECK: %r = dcf.stop_gradient %a {note} : tensor<f32>
  %r = dcf.stop_gradient %a {note} : tensor<f32>
  func.return %r : tensor<f32>
}

func.func private @with_stack(%s: !dcf.stack<tensor<f32>>, %a: !dcf.array<tensor<f32>>) -> tensor<f32>

// The cotangent of a stack is a stack; that of an array is a gradient array.

// CHECK-LABEL: func.func @containers
func.func @containers(%s: !dcf.stack<tensor<f32>>, %a: !dcf.array<tensor<f32>>) {
  %g:2 = dcf.gradient @with_stack(%s, %a) : (!dcf.stack<tensor<f32>>, !dcf.array<tensor<f32>>) -> (!dcf.stack<tensor<f32>>, !dcf.array<tensor<f32>, grad>)
  func.return
}
