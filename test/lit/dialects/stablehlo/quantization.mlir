// RUN: %roundtrip %s | filecheck %s

// Ops on quantized tensors.

// CHECK: func.func @per_tensor
func.func @per_tensor(%x: tensor<2x3xf32>, %q: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) {
  // CHECK: stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  // CHECK: stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3xf32>
  %1 = stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3xf32>
  // CHECK: stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %2 = stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  // CHECK: stablehlo.multiply %q, %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>
  %3 = stablehlo.multiply %q, %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01>>
  // CHECK: stablehlo.tanh %q : tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %4 = stablehlo.tanh %q : tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  // CHECK: stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %5 = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  // CHECK: stablehlo.compare LT, %q, %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3xi1>
  %6 = stablehlo.compare LT, %q, %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2x3xi1>
  // CHECK: stablehlo.reshape %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<6x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %7 = stablehlo.reshape %q : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<6x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  func.return
}

// CHECK: func.func @per_axis
func.func @per_axis(%x: tensor<2x3xf32>, %q: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>, %w: tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, %a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>) {
  // CHECK: stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  // CHECK: stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x3xf32>
  %1 = stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x3xf32>
  // CHECK: stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  %2 = stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  // CHECK: stablehlo.transpose %q, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  %3 = stablehlo.transpose %q, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  // CHECK: stablehlo.broadcast_in_dim %q, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x5x3x!quant.uniform<i8:f32:2, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  %4 = stablehlo.broadcast_in_dim %q, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x5x3x!quant.uniform<i8:f32:2, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  // CHECK: stablehlo.reshape %q : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x1x3x!quant.uniform<i8:f32:2, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  %5 = stablehlo.reshape %q : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>) -> tensor<2x1x3x!quant.uniform<i8:f32:2, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>
  // CHECK: stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i32:f32, 1.000000e-01>>
  %6 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:-3>>, tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i32:f32, 1.000000e-01>>
  // CHECK: stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
  %7 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2xf32>
  func.return
}
