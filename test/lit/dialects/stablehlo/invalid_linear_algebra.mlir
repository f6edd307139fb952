// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 1 rhs batching dimensions, got 2 (dot_general_c1)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0, 1], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected 1 rhs contracting dimensions, got 2 (dot_general_c2)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1, 2] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected lhs dimensions without repetitions, got [0, 0] (dot_general_c3)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected rhs dimensions without repetitions, got [0, 0] (dot_general_c4)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected each of the lhs batching dimensions in [0, 3), got 3 (dot_general_c5)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [3] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected each of the lhs contracting dimensions in [0, 3), got 3 (dot_general_c6)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected each of the rhs batching dimensions in [0, 3), got 3 (dot_general_c7)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [3], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected each of the rhs contracting dimensions in [0, 3), got 3 (dot_general_c8)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected batching dimensions of equal sizes, got 3 and 2 (dot_general_c9)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected contracting dimensions of equal sizes, got 3 and 4 (dot_general_c10)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected 2 precisions, got 3 (dot_general_c11)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3, 5], got [2, 5, 3] (dot_general_c12)
func.func @invalid(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  func.return
}

// -----

// CHECK: expected operands of rank 1 or 2, got 3 and 3 (dot_c1)
func.func @invalid(%x: tensor<2x3x4xf32>) {
  %0 = stablehlo.dot %x, %x : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected contracted dimensions of equal sizes, got 3 and 2 (dot_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.dot %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (dot_c3)
func.func @invalid(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<3x3xf32>, got tensor<2x2xf32> (cholesky_c1)
func.func @invalid(%x: tensor<3x3xf32>) {
  %0 = stablehlo.cholesky %x : (tensor<3x3xf32>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected a of rank 2 or more, got 1 (cholesky_c2)
func.func @invalid(%x: tensor<3xf32>) {
  %0 = stablehlo.cholesky %x : tensor<3xf32>
  func.return
}

// -----

// CHECK: expected the last two dimensions of a of equal sizes, got 3 and 2 (cholesky_c3)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.cholesky %x : tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected b of f32 elements, got f64 (triangular_solve_c1)
func.func @invalid(%x: tensor<3x3xf32>, %y: tensor<3x2xf64>) {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  func.return
}

// -----

// CHECK: expected 2 dimensions of b, got 1 (triangular_solve_c2)
func.func @invalid(%x: tensor<3x3xf32>, %y: tensor<3xf32>) {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected the solved dimensions of equal sizes, got 3 and 2 (triangular_solve_c3)
func.func @invalid(%x: tensor<3x3xf32>, %y: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<3x2xf32>, got tensor<2x3xf32> (triangular_solve_c4)
func.func @invalid(%x: tensor<3x3xf32>, %y: tensor<3x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected at most 1 lengths, got 2 (fft_c1)
func.func @invalid(%x: tensor<8xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = FFT, length = [8, 8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected operand of complex elements, got f32 (fft_c2)
func.func @invalid(%x: tensor<8xf32>) {
  %0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected dimension -1 of size 4, got 8 (fft_c4)
func.func @invalid(%x: tensor<8xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected result of shape [5], got [8] (fft_c5)
func.func @invalid(%x: tensor<8xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected between 1 and 3 lengths, got 0 (fft_c3)
func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = FFT, length = [] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  func.return
}
