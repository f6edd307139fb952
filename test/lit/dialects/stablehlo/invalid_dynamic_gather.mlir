// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 2 offset, collapsed and batching dims, got 1 (dynamic_gather_c1)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of index_vector_dim in [0, 3), got 3 (dynamic_gather_c2)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected 1 numbers in start_index_map, got 2 (dynamic_gather_c3)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected offset_dims without repetitions, got [1, 1] (dynamic_gather_c4)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected offset_dims in ascending order, got [1, 0] (dynamic_gather_c4)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 0], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of offset_dims in [0, 2), got 2 (dynamic_gather_c5)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected collapsed and batching dims without repetitions, got [0, 0] (dynamic_gather_c6)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected collapsed_slice_dims in ascending order, got [1, 0] (dynamic_gather_c6)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of collapsed and batching dims in [0, 2), got 2 (dynamic_gather_c7)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of those slice_sizes to be at least 0 and at most 1, got 2 (dynamic_gather_c8)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected start_index_map and batching dims without repetitions, got [0, 0] (dynamic_gather_c9)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x2xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of start_index_map in [0, 2), got 2 (dynamic_gather_c10)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected slice_sizes of shape [2], got [3] (dynamic_gather_c11)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of slice_sizes to be at least 0 and at most 3, got 4 (dynamic_gather_c12)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) {
  %s = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 2], got [2, 3] (dynamic_gather_c13)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, ?], got [3, 3] (dynamic_gather_c13)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<3x3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (dynamic_gather_c14)
func.func @invalid(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected each of interior_padding to be at least 0, got -1 (dynamic_pad_c3)
func.func @invalid(%x: tensor<4xf32>, %v: tensor<f32>, %l: tensor<1xi32>) {
  %i = stablehlo.constant dense<-1> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %l, %i : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  func.return
}
