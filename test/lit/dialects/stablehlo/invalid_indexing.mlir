// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a scalar tensor of signed integer or unsigned integer elements, got tensor<1xi32> (dynamic_slice_i2)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<1xi32>) {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<1xi32>) -> tensor<1xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (dynamic_slice_c1)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf64>
  func.return
}

// -----

// CHECK: expected 2 start indices, got 1 (dynamic_slice_c2)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  func.return
}

// -----

// CHECK: expected start indices of one type, tensor<i32>, got tensor<i64> (dynamic_slice_c3)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  func.return
}

// -----

// CHECK: expected each of sizes to be at least 0 and at most 3, got 4 (dynamic_slice_c4)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 4] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [1, 1], got [1, 2] (dynamic_slice_c5)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2x3xf32>, got tensor<3x2xf32> (dynamic_update_slice_c1)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<1x1xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

// CHECK: expected update of f32 elements, got f64 (dynamic_update_slice_c2)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<1x1xf64>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<1x1xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected 2 dimensions of the update, got 1 (dynamic_update_slice_c3)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<1xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected 2 start indices, got 1 (dynamic_update_slice_c4)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<1x1xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<i32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected start indices of one type, tensor<i32>, got tensor<i64> (dynamic_update_slice_c5)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<1x1xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i64>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected each of the update's sizes to be at least 0 and at most 2, got 3 (dynamic_update_slice_c6)
func.func @invalid(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>, %u: tensor<3x1xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<3x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  func.return
}
