// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a storage range in [-128, 127], got 4:3 (quantized_element_type_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8<4:3>:f32, 0.5>>) {
  func.return
}

// -----

// CHECK: expected a storage range in [0, 255], got -1:3 (quantized_element_type_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<u8<-1:3>:f32, 0.5>>) {
  func.return
}

// -----

// CHECK: expected an expressed type of floats, got i32 (quantized_element_type_c4)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:i32, 0.5>>) {
  func.return
}

// -----

// CHECK: expected scales that f16 can hold, got 10000000000.0 (quantized_element_type_c4)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f16, 1.0e10>>) {
  func.return
}

// -----

// CHECK: expected positive scales, got -0.5 (quantized_element_type_c5)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, -0.5>>) {
  func.return
}

// -----

// CHECK: expected positive scales, got 0.0 (quantized_element_type_c5)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.0>>) {
  func.return
}

// -----

// CHECK: expected zero points in [-128, 127], got 128 (quantized_element_type_c7)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5:128>>) {
  func.return
}

// -----

// CHECK: expected a quantized dimension of at least 0, got -1 (quantized_element_type_c11)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:-1, {0.5}>>) {
  func.return
}

// -----

// CHECK: expected an integer type to store in, got f32
func.func @invalid(%x: tensor<2x3x!quant.uniform<f32:f32, 0.5>>) {
  func.return
}

// -----

// CHECK: expected a storage type of 1 to 32 bits, got 33
func.func @invalid(%x: tensor<2x3x!quant.uniform<i33:f32, 0.5>>) {
  func.return
}

// -----

// CHECK: expected a floating-point scale, got 1
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 1>>) {
  func.return
}

// -----

// CHECK: expected block sizes of at least 1, got 0
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:{0:0}, {0.5}>>) {
  func.return
}

// -----

// CHECK: expected lists of equal lengths
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5}, {0.5, 0.25}}>>) {
  func.return
}

// -----

// CHECK: expected one list of parameters for one dimension
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {{0.5}}>>) {
  func.return
}
