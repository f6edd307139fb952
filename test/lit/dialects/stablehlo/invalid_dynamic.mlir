// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected result of f32 elements, got f64 (dynamic_broadcast_in_dim_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf64>
  func.return
}

// -----

// CHECK: expected 1 numbers in dims, got 2 (dynamic_broadcast_in_dim_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected each of dims in [0, 2), got 2 (dynamic_broadcast_in_dim_c3)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected a list of sizes of shape [2], got [1] (dynamic_broadcast_in_dim_c7)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1] : (tensor<?xf32>, tensor<1xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected known dimensions without repetitions, got [0, 0] (dynamic_broadcast_in_dim_c8)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected each of known_expanding_dimensions in [0, 1), got 1 (dynamic_broadcast_in_dim_c9)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected each of known_nonexpanding_dimensions in [0, 1), got 1 (dynamic_broadcast_in_dim_c10)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected each of iota_dimension in [0, 1), got 1 (dynamic_iota_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<1xi32>) -> tensor<?xi32>
  func.return
}

// -----

// CHECK: expected a list of sizes of shape [1], got [2] (dynamic_iota_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?xi32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (dynamic_reshape_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf64>
  func.return
}

// -----

// CHECK: expected 4 elements in the result, got 6 (dynamic_reshape_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %y: tensor<4xf32>) {
  %0 = stablehlo.dynamic_reshape %y, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a list of sizes of shape [2], got [1] (dynamic_reshape_c4)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, tensor<1xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected padding_value of f32 elements, got f64 (dynamic_pad_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_pad %x, %w, %n, %n, %n : (tensor<?xf32>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  func.return
}

// -----

// CHECK: expected a list of sizes of shape [1], got [2] (dynamic_pad_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_pad %x, %v, %s, %n, %n : (tensor<?xf32>, tensor<f32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  func.return
}

// -----

// CHECK: expected each of dimension in [0, 1), got 1 (get_dimension_size_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?xf32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected a list of sizes of shape [1], got [2] (real_dynamic_slice_c3)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.real_dynamic_slice %x, %s, %n, %n : (tensor<?xf32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  func.return
}

// -----

// CHECK: expected dims without repetitions, got [1, 1] (dynamic_broadcast_in_dim_c4)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %y: tensor<1x1xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [1, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected dimension 0 of the operand of size 1 or 4, got 3 (dynamic_broadcast_in_dim_c5)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %y: tensor<3xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  func.return
}

// -----

// CHECK: expected 1 dimensions of the result, got 2 (dynamic_pad_c4)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (real_dynamic_slice_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  func.return
}

// -----

// CHECK: expected 1 dimensions of the result, got 2 (real_dynamic_slice_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>) {
  %0 = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (set_dimension_size_c1)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %c: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %x, %c, dim = 0 : (tensor<?xf32>, tensor<i32>) -> tensor<?xf64>
  func.return
}

// -----

// CHECK: expected each of dimension in [0, 1), got 1 (set_dimension_size_c2)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %c: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %x, %c, dim = 1 : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (dynamic_gather_c14)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %y: tensor<4x3xf32>, %i: tensor<2x1xi32>) {
  %0 = "stablehlo.dynamic_gather"(%y, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf64>
  func.return
}

// -----

// CHECK: expected slice_sizes of shape [2], got [1] (dynamic_gather_c11)
func.func @invalid(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>, %v: tensor<f32>, %w: tensor<f64>, %y: tensor<4x3xf32>, %i: tensor<2x1xi32>) {
  %0 = "stablehlo.dynamic_gather"(%y, %i, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x?xf32>
  func.return
}
