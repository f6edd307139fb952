// RUN: %roundtrip %s | filecheck %s

// Constants and iota.

// CHECK: func.func @constants
func.func @constants() {
  // CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: stablehlo.constant {attr = 1 : i32} dense<true> : tensor<i1>
  %2 = stablehlo.constant {attr = 1 : i32} dense<true> : tensor<i1>
  // CHECK: stablehlo.constant dense<0xFF800000> : tensor<f32>
  %3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  %4 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  // CHECK: stablehlo.constant dense<1> : tensor<2xi32>
  %5 = stablehlo.constant() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  func.return
}

// CHECK: func.func @iota
func.func @iota() {
  // CHECK: stablehlo.iota dim = 0 : tensor<4xi32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  // CHECK: stablehlo.iota dim = 1 {a = 1 : i32} : tensor<2x4xf32>
  %1 = stablehlo.iota dim = 1 {a = 1 : i32} : tensor<2x4xf32>
  func.return
}
