// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a result of tensor<4xf32>, got tensor<2xf32>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = "sdy.reshard"(%x) <{sharding = #sdy.sharding<@mesh, [{}]>}> : (tensor<4xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a priority such as p0, got q
func.func @invalid(%x: tensor<4xf32>) {
  %0 = sdy.reshard %x <@mesh, [{}q]> : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected 1 in_shardings, got 0
func.func @invalid(%x: tensor<4xf32>) {
  %0 = sdy.manual_computation(%x) in_shardings=[] out_shardings=[<@mesh, [{}]>] manual_axes={} (%y: tensor<4xf32>) {
    sdy.return %y : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}
