// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected result of type tensor<2xi32>, got tensor<3xi32> (constant_c1)
func.func @invalid() {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>
  func.return
}

// -----

// CHECK: expected each of iota_dimension in [0, 1), got 1 (iota_c1)
func.func @invalid() {
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  func.return
}
