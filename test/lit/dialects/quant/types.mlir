// RUN: %roundtrip %s | filecheck %s

// Quantized element types in their three granularities.

// CHECK: func.func @types
func.func @types(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>, %b: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01:-3,2.500000e-01,1.000000e-01:7}>>, %c: tensor<2x!quant.uniform<u8<1:255>:f32, 3.400000e+01:16>>, %d: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{1.000000e-01:1, 2.000000e-01:2}, {3.000000e-01:3, 4.000000e-01}}>>, %e: tensor<4x!quant.uniform<i8<-127:127>:f16, 2.000000e+00>>, %f: tensor<4x!quant.uniform<i4:bf16, 0.11764705882352941>>) {
  // CHECK: stablehlo.abs %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  %0 = stablehlo.abs %a : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
  func.return
}
