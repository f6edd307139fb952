// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected rank 1 or more, got tensor<f32>
func.func @invalid(%x: tensor<f32>) {
  %0, %1 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  func.return
}

// -----

// CHECK: expected values of shape [2], got [3]
func.func @invalid(%x: tensor<4xf32>) {
  %0, %1 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<3xf32>, tensor<2xi32>)
  func.return
}

// -----

// CHECK: expected result of type tensor<4xf32>, got tensor<4xf64>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

// CHECK: expected result of shape [4], got [3]
func.func @invalid(%x: tensor<4xf32>) {
  %0 = chlo.is_inf %x : tensor<4xf32> -> tensor<3xi1>
  func.return
}
