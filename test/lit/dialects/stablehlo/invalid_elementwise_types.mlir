// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (atan2_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.atan2 %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (divide_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.divide %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (maximum_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.maximum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (minimum_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.minimum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (multiply_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.multiply %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (power_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.power %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (remainder_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.remainder %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xf32>, got tensor<2xf64> (subtract_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.subtract %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (and_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.and %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (or_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.or %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (xor_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.xor %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (shift_left_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.shift_left %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (shift_right_arithmetic_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.shift_right_arithmetic %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected each operand of type tensor<2xi32>, got tensor<3xi32> (shift_right_logical_c1)
func.func @invalid(%x: tensor<2xi32>, %y: tensor<3xi32>) {
  %0 = stablehlo.shift_right_logical %x, %y : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (cbrt_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.cbrt %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (ceil_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.ceil %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (cosine_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.cosine %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (exponential_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.exponential %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (exponential_minus_one_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.exponential_minus_one %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (floor_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.floor %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (log_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.log %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (log_plus_one_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.log_plus_one %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (logistic_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.logistic %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (negate_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.negate %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (round_nearest_afz_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_afz %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (round_nearest_even_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_even %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (rsqrt_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.rsqrt %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (sign_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.sign %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (sine_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.sine %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (sqrt_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.sqrt %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (tan_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.tan %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (tanh_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.tanh %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xi32>, got tensor<2xi64> (count_leading_zeros_c1)
func.func @invalid(%x: tensor<2xi32>) {
  %0 = stablehlo.count_leading_zeros %x : (tensor<2xi32>) -> tensor<2xi64>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xi32>, got tensor<2xi64> (not_c1)
func.func @invalid(%x: tensor<2xi32>) {
  %0 = stablehlo.not %x : (tensor<2xi32>) -> tensor<2xi64>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xi32>, got tensor<2xi64> (popcnt_c1)
func.func @invalid(%x: tensor<2xi32>) {
  %0 = stablehlo.popcnt %x : (tensor<2xi32>) -> tensor<2xi64>
  func.return
}
