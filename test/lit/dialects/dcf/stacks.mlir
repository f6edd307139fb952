// RUN: %roundtrip %s | filecheck %s

// CHECK-LABEL: func.func @stacks
func.func @stacks(%v: tensor<f32>) -> tensor<f32> {
  // CHECK: %s0 = dcf.stack_new : !dcf.stack<tensor<f32>>
  %s0 = dcf.stack_new : !dcf.stack<tensor<f32>>
  // CHECK: %s1 = dcf.stack_push %s0, %v : !dcf.stack<tensor<f32>>
  %s1 = dcf.stack_push %s0, %v : !dcf.stack<tensor<f32>>
  // CHECK: %s2, %w = dcf.stack_pop %s1 : !dcf.stack<tensor<f32>>
  %s2, %w = dcf.stack_pop %s1 : !dcf.stack<tensor<f32>>
  // CHECK: %s3, %z = dcf.stack_pop %s2 {or_zero} : !dcf.stack<tensor<f32>>
  %s3, %z = dcf.stack_pop %s2 {or_zero} : !dcf.stack<tensor<f32>>
  // CHECK: %s4 = dcf.stack_add %s3, %s1 : !dcf.stack<tensor<f32>>
  %s4 = dcf.stack_add %s3, %s1 : !dcf.stack<tensor<f32>>
  func.return %z : tensor<f32>
}

// CHECK-LABEL: func.func @dynamic_elements
func.func @dynamic_elements(%s: !dcf.stack<tensor<?x2xf32>>, %like: tensor<3x2xi32>) {
  // CHECK: dcf.stack_pop %s like %like {or_zero} : !dcf.stack<tensor<?x2xf32>>, tensor<3x2xi32>
  %r, %v = dcf.stack_pop %s like %like {or_zero} : !dcf.stack<tensor<?x2xf32>>, tensor<3x2xi32>
  func.return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%v: tensor<f32>) {
  // CHECK: dcf.stack_new {a} : !dcf.stack<tensor<f32>>
  %s0 = dcf.stack_new {a} : !dcf.stack<tensor<f32>>
  // CHECK: dcf.stack_push %s0, %v {a = 1 : i32} : !dcf.stack<tensor<f32>>
  %s1 = dcf.stack_push %s0, %v {a = 1 : i32} : !dcf.stack<tensor<f32>>
  // CHECK: dcf.stack_pop %s1 {a, or_zero} : !dcf.stack<tensor<f32>>
  %s2, %z = dcf.stack_pop %s1 {a, or_zero} : !dcf.stack<tensor<f32>>
  // CHECK: dcf.stack_add %s1, %s2 {a} : !dcf.stack<tensor<f32>>
  %s3 = dcf.stack_add %s1, %s2 {a} : !dcf.stack<tensor<f32>>
  func.return
}
