// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected k in [0, 4], got 5
func.func @invalid(%x: tensor<4xf32>) {
  %0, %1 = chlo.top_k(%x, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  func.return
}
