// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected operands that broadcast to one shape, got sizes 2, 3
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [3]
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected rhs of f32 elements, got f64
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf64>) {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected operands that broadcast to one shape, got sizes 3, 2
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of broadcast_dimensions in [0, 2), got 2
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected 1 broadcast_dimensions, got 2
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected broadcast_dimensions in ascending order, got [1, 0]
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected broadcast_dimensions without repetitions, got [1, 1]
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a tensor of boolean or signed integer or unsigned integer elements, got tensor<2x3xf32>
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_and %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a tensor of float elements, got tensor<2xi32>
func.func @invalid(%x: tensor<2xi32>, %y: tensor<2xi32>) {
  %0 = chlo.broadcast_zeta %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected lhs of f64 elements, got f32
func.func @invalid(%x: tensor<3xf32>, %y: tensor<3xf32>) {
  %0 = chlo.broadcast_complex %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f64>>
  func.return
}

// -----

// CHECK: expected a tensor of boolean elements, got tensor<3xf32>
func.func @invalid(%x: tensor<3xf32>) {
  %0 = chlo.broadcast_compare %x, %x {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected operands that broadcast to one shape, got sizes 2, 3, 3
func.func @invalid(%p: tensor<2xi1>, %x: tensor<3xf32>) {
  %0 = chlo.broadcast_select %p, %x, %x : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected on_false of f32 elements, got f64
func.func @invalid(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xf64>) {
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<3xi1>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32>
func.func @invalid() {
  %0 = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of i32 elements, got f32
func.func @invalid(%x: tensor<3xf32>) {
  %0 = "chlo.constant_like"(%x) <{value = 1 : i32}> : (tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected a value with a type, got [1 : i32]
func.func @invalid(%x: tensor<3xf32>) {
  %0 = "chlo.constant_like"(%x) <{value = [1 : i32]}> : (tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected a tensor of complex elements, got tensor<3xf32>
func.func @invalid(%x: tensor<3xf32>) {
  %0 = chlo._asin_acos_kernel %x : tensor<3xf32> -> tensor<3xf32>
  func.return
}
