// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected each operand of type tensor<2xf32>, got tensor<3xf32> (add_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<2xf64> (add_c1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  func.return
}

// -----

// CHECK: expected a tensor of boolean or signed integer or unsigned integer elements, got tensor<2xf32> (and_i1)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.and %x, %x : tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a tensor of signed integer or unsigned integer elements, got tensor<2xi1> (shift_left_i1)
func.func @invalid(%x: tensor<2xi1>) {
  %0 = stablehlo.shift_left %x, %x : tensor<2xi1>
  func.return
}

// -----

// CHECK: expected a tensor of signed integer or unsigned integer or float or complex or quantized elements, got tensor<2xi1> (divide_i1)
func.func @invalid(%x: tensor<2xi1>) {
  %0 = stablehlo.divide %x, %x : tensor<2xi1>
  func.return
}

// -----

// CHECK: expected rhs of type tensor<2xf32>, got tensor<2xf64> (complex_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (complex_c2)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.complex %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  func.return
}

// -----

// CHECK: expected lhs of f64 elements, got f32 (complex_c3)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.complex %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  func.return
}
