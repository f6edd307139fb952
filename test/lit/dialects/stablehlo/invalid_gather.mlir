// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 3 offset, collapsed and batching dims, got 2 (gather_c1)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of index_vector_dim in [0, 4), got 4 (gather_c2)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 4>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected 1 numbers in start_index_map, got 2 (gather_c3)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected offset_dims without repetitions, got [2, 2] (gather_c4)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected offset_dims in ascending order, got [2, 1] (gather_c4)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of offset_dims in [0, 3), got 3 (gather_c5)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected collapsed and batching dims without repetitions, got [1, 1] (gather_c6)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected collapsed_slice_dims in ascending order, got [2, 0] (gather_c7)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [2, 0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of collapsed_slice_dims in [0, 3), got 3 (gather_c8)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of those slice_sizes to be at least 0 and at most 1, got 2 (gather_c9)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected operand_batching_dims in ascending order, got [1, 0] (gather_c10)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of operand_batching_dims in [0, 3), got 4 (gather_c11)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [4], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of those slice_sizes to be at least 0 and at most 1, got 2 (gather_c12)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected start_indices_batching_dims without repetitions, got [0, 0] (gather_c13)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0, 0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of start_indices_batching_dims in [0, 3), got 3 (gather_c14)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [3], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected index_vector_dim not among the batching dims, got 2 in (2,) (gather_c15)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [2], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected 1 start_indices_batching_dims, got 0 (gather_c16)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected batching dimensions of equal sizes, got 5 and 2 (gather_c17)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [1], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected start_index_map and batching dims without repetitions, got [1, 1] (gather_c18)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of start_index_map in [0, 3), got 3 (gather_c19)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected 3 slice_sizes, got 2 (gather_c20)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected each of slice_sizes to be at least 0 and at most 4, got 5 (gather_c21)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [5, 2, 4], got [5, 2, 3] (gather_c22)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (gather_c23)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf64>
  func.return
}
