// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected an operand whose last dimension holds 64 bits, got tensor<2x3xf32> (bitcast_convert_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3, 4], got [2, 3, 2] (bitcast_convert_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x2xi8>
  func.return
}

// -----

// CHECK: expected both element types complex or neither, got complex<f32> (bitcast_convert_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (broadcast_in_dim_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected 2 numbers in dims, got 1 (broadcast_in_dim_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of dims in [0, 2), got 2 (broadcast_in_dim_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected dims without repetitions, got [1, 1] (broadcast_in_dim_c4)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected dimension 0 of the operand of size 1 or 4, got 2 (broadcast_in_dim_c5)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [4, 2, 3], got [2, 4, 3] (broadcast_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  func.return
}

// -----

// CHECK: expected input 1 of f32 elements, got f64 (concatenate_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected input 1 of shape [2, 3], got [2, 4] (concatenate_c2)
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (concatenate_c3)
func.func @invalid() {
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected each of dimension in [0, 2), got 2 (concatenate_c4)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %x, dim = 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (concatenate_c5)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected result of shape [4, 3], got [5, 3] (concatenate_c6)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  func.return
}

// -----

// CHECK: expected a scalar tensor, got tensor<2x3xf32> (pad_i2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.pad %x, %x, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected padding_value of f32 elements, got f64 (pad_c1)
func.func @invalid(%x: tensor<2x3xf32>, %v: tensor<f64>) {
  %0 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f64>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected 2 numbers in low, got 1 (pad_c2)
func.func @invalid(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %0 = stablehlo.pad %x, %v, low = [0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of interior to be at least 0, got -1 (pad_c3)
func.func @invalid(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %0 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [-1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [4, 3], got [2, 3] (pad_c4)
func.func @invalid(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  %0 = stablehlo.pad %x, %v, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got i32 (reshape_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>
  func.return
}

// -----

// CHECK: expected a result of 6 elements, got 5, tensor<5xf32> (reshape_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2x3xf32>, got tensor<3x2xf32> (reverse_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reverse %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return
}

// -----

// CHECK: expected dims without repetitions, got [0, 0] (reverse_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reverse %x, dims = [0, 0] : tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of dims in [0, 2), got 2 (reverse_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (slice_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:1, 0:1] : (tensor<2x3xf32>) -> tensor<1x1xf64>
  func.return
}

// -----

// CHECK: expected 2 start numbers, got 1 (slice_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:1] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  func.return
}

// -----

// CHECK: expected each of the limits to be at least 0 and at most 2, got 3 (slice_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:3, 0:1] : (tensor<2x3xf32>) -> tensor<3x1xf32>
  func.return
}

// -----

// CHECK: expected each of the starts to be at least 0 and at most 1, got 2 (slice_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [2:1, 0:1] : (tensor<2x3xf32>) -> tensor<0x1xf32>
  func.return
}

// -----

// CHECK: expected each of the strides to be at least 1, got 0 (slice_c4)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:1, 0:1:0] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  func.return
}

// -----

// CHECK: expected result of shape [1, 2], got [1, 1] (slice_c5)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.slice %x [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (transpose_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  func.return
}

// -----

// CHECK: expected dims to be a permutation of [0, 1], got [1, 1] (transpose_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return
}

// -----

// CHECK: expected result of shape [3, 2], got [2, 3] (transpose_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (broadcast_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf64>
  func.return
}
