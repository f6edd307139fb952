// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected no tolerances with mode HIGHEST, got (1.0, 0.0, 0)
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected no tolerances with mode DEFAULT, got (0.0, 0.0, 1)
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected tolerances of at least 0, got -1.0
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<rtol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  func.return
}

// -----

// CHECK: expected dimension -1 of the operand of size 5, got 4 (fft_c5)
func.func @invalid(%x: tensor<3x4xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = IRFFT, length = [8] : (tensor<3x4xcomplex<f32>>) -> tensor<3x8xf32>
  func.return
}

// -----

// CHECK: expected dimension -2 of the operand of size 4, got 3 (fft_c5)
func.func @invalid(%x: tensor<3x5xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = IRFFT, length = [4, 8] : (tensor<3x5xcomplex<f32>>) -> tensor<4x8xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [2, 4] (rng_c3)
func.func @invalid(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected a transpose_a that says how, got TRANSPOSE_INVALID
func.func @invalid(%a: tensor<2x2xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [2, 4] (dynamic_iota_c2)
func.func @invalid() {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [2, 4] (dynamic_reshape_c4)
func.func @invalid(%x: tensor<?xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [2, 4] (dynamic_broadcast_in_dim_c7)
func.func @invalid(%x: tensor<?xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [9], got [8] (dynamic_pad_c4)
func.func @invalid(%x: tensor<4xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %l, %l : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  func.return
}

// -----

// CHECK: expected an algorithm that some device has, got #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected an algorithm that some device has, got #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected an algorithm that some device has, got #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 2, rhs_component_count = 2, num_primitive_operations = 1, allow_imprecise_accumulation = false>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 2, rhs_component_count = 2, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected an algorithm that some device has, got #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected an algorithm that some device has, got #stablehlo.dot_algorithm<lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
func.func @invalid(%x: tensor<4xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected a future of tensors, got i32
func.func @invalid(%x: !stablehlo.future<i32>) {
  func.return
}
