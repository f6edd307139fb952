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
