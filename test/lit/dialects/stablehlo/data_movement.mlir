// RUN: %roundtrip %s | filecheck %s

// Ops that rearrange elements.

// CHECK: func.func @data_movement
func.func @data_movement(%x: tensor<2x3xf32>, %v: tensor<f32>, %d: tensor<?x3xf32>) {
  // CHECK: stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %5 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK: stablehlo.concatenate %x, %d, dim = 0 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %6 = stablehlo.concatenate %x, %d, dim = 0 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.pad %x, %v, low = [1, -1], high = [0, 0], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %7 = stablehlo.pad %x, %v, low = [1, -1], high = [0, 0], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  // CHECK: stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  %8 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  // CHECK: stablehlo.slice %x [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %9 = stablehlo.slice %x [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>
  %10 = stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xui32>
  %11 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xui32>
  // CHECK: stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
  %12 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
  // CHECK: stablehlo.transpose %x, dims = [1, 0] {mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %13 = stablehlo.transpose %x, dims = [1, 0] {mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return
}
