// RUN: %roundtrip %s | filecheck %s

// The chlo ops in their custom and generic forms.

// CHECK: func.func @unary
func.func @unary(%x: tensor<2xf32>) {
  // CHECK: chlo.acos %x : tensor<2xf32> -> tensor<2xf32>
  %0 = chlo.acos %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.acosh %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.acosh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.asin %x : tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.asin %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.asinh %x : tensor<2xf32> -> tensor<2xf32>
  %3 = chlo.asinh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.atan %x : tensor<2xf32> -> tensor<2xf32>
  %4 = chlo.atan %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.atanh %x : tensor<2xf32> -> tensor<2xf32>
  %5 = chlo.atanh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.bessel_i1e %x : tensor<2xf32> -> tensor<2xf32>
  %6 = chlo.bessel_i1e %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.conj %x : tensor<2xf32> -> tensor<2xf32>
  %7 = chlo.conj %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.cosh %x : tensor<2xf32> -> tensor<2xf32>
  %8 = chlo.cosh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.digamma %x : tensor<2xf32> -> tensor<2xf32>
  %9 = chlo.digamma %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  %10 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.erf_inv %x : tensor<2xf32> -> tensor<2xf32>
  %11 = chlo.erf_inv %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>
  %12 = chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>
  %13 = chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.sinh %x : tensor<2xf32> -> tensor<2xf32>
  %14 = chlo.sinh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  %15 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  %16 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.is_inf %x : tensor<2xf32> -> tensor<2xi1>
  %q0 = chlo.is_inf %x : tensor<2xf32> -> tensor<2xi1>
  // CHECK: chlo.is_neg_inf %x : tensor<2xf32> -> tensor<2xi1>
  %q1 = chlo.is_neg_inf %x : tensor<2xf32> -> tensor<2xi1>
  // CHECK: chlo.is_pos_inf %x : tensor<2xf32> -> tensor<2xi1>
  %q2 = chlo.is_pos_inf %x : tensor<2xf32> -> tensor<2xi1>
  func.return
}

// CHECK: func.func @binary
func.func @binary(%x: tensor<2xf32>, %i: tensor<2xi32>) {
  // CHECK: chlo.next_after %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %0 = chlo.next_after %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.polygamma %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.polygamma %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.zeta %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %2 = chlo.zeta %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK: chlo.mulhi %i, %i : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  %3 = chlo.mulhi %i, %i : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  func.return
}

// CHECK: func.func @others
func.func @others(%x: tensor<3x8xf32>) {
  // CHECK: chlo.top_k(%x, k = 2) : tensor<3x8xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %0:2 = chlo.top_k(%x, k = 2) : tensor<3x8xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  // CHECK: chlo.top_k(%x, k = 2, is_stable = false) {a = 1 : i32} : tensor<3x8xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %1:2 = chlo.top_k(%x, k = 2, is_stable = false) {a = 1 : i32} : tensor<3x8xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  // CHECK: "chlo.constant_like"(%x) <{value = 1.000000e+00 : f32}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  %2 = "chlo.constant_like"(%x) <{value = 1.000000e+00 : f32}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  func.return
}
