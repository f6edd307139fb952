// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 'dims = ...'
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.transpose %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected an operand or a clause after ','
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.add %x, %x, : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected a commutative op of two operands, got stablehlo.subtract
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected a tensor of complex elements, got tensor<4xf32>
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.complex %x, %x : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected a format such as e8m10, got e8
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce_precision %x, format = e8 : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected a tuple type, got tensor<4xf32>
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.tuple %x : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected 2 types, got 1
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.while(%a = %x, %b = %z) : tensor<4xf32> cond { } do { }
  func.return
}

// -----

// CHECK: expected each field once, got 'lhs_contracting_dimensions' twice
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], lhs_contracting_dimensions = [0]>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected each of b, f, 0 once, got ['b', 0, 'b']
func.func @invalid(%x: tensor<2x8x3xf32>, %w: tensor<3x3x4xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, b]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x3xf32>, tensor<3x3x4xf32>) -> tensor<2x6x4xf32>
  func.return
}
