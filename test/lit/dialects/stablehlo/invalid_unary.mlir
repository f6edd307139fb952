// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a tensor of signed integer or float or complex or quantized elements, got tensor<2xui8> (abs_i1)
func.func @invalid(%x: tensor<2xui8>) {
  %0 = stablehlo.abs %x : tensor<2xui8>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (abs_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.abs %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (abs_c2)
func.func @invalid(%x: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  func.return
}

// -----

// CHECK: expected a tensor of float or complex or quantized elements, got tensor<2xi32> (exponential_i1)
func.func @invalid(%x: tensor<2xi32>) {
  %0 = stablehlo.exponential %x : tensor<2xi32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<2xf64> (exponential_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.exponential %x : (tensor<2xf32>) -> tensor<2xf64>
  func.return
}

// -----

// CHECK: expected a tensor of float or quantized elements, got tensor<2xi32> (floor_i1)
func.func @invalid(%x: tensor<2xi32>) {
  %0 = stablehlo.floor %x : tensor<2xi32>
  func.return
}

// -----

// CHECK: expected a tensor of boolean or signed integer or unsigned integer elements, got tensor<2xf32> (not_i1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.not %x : tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a tensor of signed integer or unsigned integer elements, got tensor<2xf32> (popcnt_i1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.popcnt %x : tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (convert_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xi32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (real_c2)
func.func @invalid(%x: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (is_finite_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<3xi1>
  func.return
}

// -----

// CHECK: expected each of exponent_bits to be at least 1, got 0 (reduce_precision_c2)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a tensor of float or complex or quantized elements, got i32 (exponential_i1)
func.func @invalid(%x: i32) {
  %0 = "stablehlo.exponential"(%x) : (i32) -> i32
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (reduce_precision_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %x, format = e8m10 : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected each of mantissa_bits to be at least 0, got -1 (reduce_precision_c3)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = -1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (real_c1)
func.func @invalid(%x: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (imag_c1)
func.func @invalid(%x: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (imag_c2)
func.func @invalid(%x: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  func.return
}
