// RUN: %roundtrip %s | filecheck %s

// Elementwise ops of one operand: the short type when operand and result agree.

// CHECK: func.func @floats
func.func @floats(%x: tensor<2xf32>) {
  // CHECK: stablehlo.cbrt %x : tensor<2xf32>
  %0 = stablehlo.cbrt %x : tensor<2xf32>
  // CHECK: stablehlo.cosine %x : tensor<2xf32>
  %1 = stablehlo.cosine %x : tensor<2xf32>
  // CHECK: stablehlo.exponential %x : tensor<2xf32>
  %2 = stablehlo.exponential %x : tensor<2xf32>
  // CHECK: stablehlo.exponential_minus_one %x : tensor<2xf32>
  %3 = stablehlo.exponential_minus_one %x : tensor<2xf32>
  // CHECK: stablehlo.log %x : tensor<2xf32>
  %4 = stablehlo.log %x : tensor<2xf32>
  // CHECK: stablehlo.log_plus_one %x : tensor<2xf32>
  %5 = stablehlo.log_plus_one %x : tensor<2xf32>
  // CHECK: stablehlo.logistic %x : tensor<2xf32>
  %6 = stablehlo.logistic %x : tensor<2xf32>
  // CHECK: stablehlo.rsqrt %x : tensor<2xf32>
  %7 = stablehlo.rsqrt %x : tensor<2xf32>
  // CHECK: stablehlo.sine %x : tensor<2xf32>
  %8 = stablehlo.sine %x : tensor<2xf32>
  // CHECK: stablehlo.sqrt %x : tensor<2xf32>
  %9 = stablehlo.sqrt %x : tensor<2xf32>
  // CHECK: stablehlo.tan %x : tensor<2xf32>
  %10 = stablehlo.tan %x : tensor<2xf32>
  // CHECK: stablehlo.tanh %x : tensor<2xf32>
  %11 = stablehlo.tanh %x : tensor<2xf32>
  // CHECK: stablehlo.ceil %x : tensor<2xf32>
  %12 = stablehlo.ceil %x : tensor<2xf32>
  // CHECK: stablehlo.floor %x : tensor<2xf32>
  %13 = stablehlo.floor %x : tensor<2xf32>
  // CHECK: stablehlo.negate %x : tensor<2xf32>
  %14 = stablehlo.negate %x : tensor<2xf32>
  // CHECK: stablehlo.round_nearest_afz %x : tensor<2xf32>
  %15 = stablehlo.round_nearest_afz %x : tensor<2xf32>
  // CHECK: stablehlo.round_nearest_even %x : tensor<2xf32>
  %16 = stablehlo.round_nearest_even %x : tensor<2xf32>
  // CHECK: stablehlo.sign %x : tensor<2xf32>
  %17 = stablehlo.sign %x : tensor<2xf32>
  // CHECK: stablehlo.abs %x : tensor<2xf32>
  %18 = stablehlo.abs %x : tensor<2xf32>
  // CHECK: stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xi1>
  %f = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.reduce_precision %x, format = e8m10 : tensor<2xf32>
  %p = stablehlo.reduce_precision %x, format = e8m10 : tensor<2xf32>
  func.return
}

// CHECK: func.func @integers
func.func @integers(%x: tensor<2xi32>, %u: tensor<2xui8>, %b: tensor<i1>) {
  // CHECK: stablehlo.abs %x : tensor<2xi32>
  %0 = stablehlo.abs %x : tensor<2xi32>
  // CHECK: stablehlo.count_leading_zeros %x : tensor<2xi32>
  %1 = stablehlo.count_leading_zeros %x : tensor<2xi32>
  // CHECK: stablehlo.negate %x : tensor<2xi32>
  %2 = stablehlo.negate %x : tensor<2xi32>
  // CHECK: stablehlo.not %x : tensor<2xi32>
  %3 = stablehlo.not %x : tensor<2xi32>
  // CHECK: stablehlo.popcnt %x : tensor<2xi32>
  %4 = stablehlo.popcnt %x : tensor<2xi32>
  // CHECK: stablehlo.sign %x : tensor<2xi32>
  %5 = stablehlo.sign %x : tensor<2xi32>
  // CHECK: stablehlo.not %b : tensor<i1>
  %n = stablehlo.not %b : tensor<i1>
  // CHECK: stablehlo.popcnt %u : tensor<2xui8>
  %c = stablehlo.popcnt %u : tensor<2xui8>
  func.return
}

// CHECK: func.func @complex_numbers
func.func @complex_numbers(%x: tensor<2xcomplex<f32>>) {
  // CHECK: stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %0 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.exponential %x : tensor<2xcomplex<f32>>
  %3 = stablehlo.exponential %x : tensor<2xcomplex<f32>>
  func.return
}

// CHECK: func.func @conversions
func.func @conversions(%x: tensor<i32>, %y: tensor<2xf32>) {
  // CHECK: stablehlo.convert %x : tensor<i32>
  %0 = stablehlo.convert %x : tensor<i32>
  // CHECK: stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xbf16>
  %1 = stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  %2 = stablehlo.convert %y : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  func.return
}

// CHECK: func.func @attributes
func.func @attributes(%x: tensor<f32>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
  // CHECK: stablehlo.log %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  %1 = stablehlo.log %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  // CHECK: stablehlo.abs %x {mhlo.frontend_attributes = {a = "b"}, some.flag} : tensor<f32>
  %2 = stablehlo.abs %x {mhlo.frontend_attributes = {a = "b"}, some.flag} : tensor<f32>
  // CHECK: stablehlo.abs %d : (tensor<?xf32>) -> tensor<2xf32>
  %3 = stablehlo.abs %d : (tensor<?xf32>) -> tensor<2xf32>
  func.return
}
