// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 4 dimensions of rhs, got 3 (dynamic_conv_c1)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 window_strides, got 1 (dynamic_conv_c2)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of window_strides to be at least 1, got 0 (dynamic_conv_c3)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected padding of shape [2, 2], got [3, 2] (dynamic_conv_c4)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<3x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<3x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 lhs_dilation, got 1 (dynamic_conv_c5)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of lhs_dilation to be at least 1, got 0 (dynamic_conv_c6)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 rhs_dilation, got 1 (dynamic_conv_c7)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of rhs_dilation to be at least 1, got 0 (dynamic_conv_c8)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 window_reversal, got 1 (dynamic_conv_c9)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i1: true>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected the input's batch dimension to be a multiple of 2, got 1 (dynamic_conv_c10)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected the input's feature dimension to be a multiple of 3, got 4 (dynamic_conv_c11)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 input spatial dimensions, got 1 (dynamic_conv_c12)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected input dimensions without repetitions, got [1, 3, 0, 3] (dynamic_conv_c13)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 3], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of the input dimensions in [0, 4), got 4 (dynamic_conv_c13)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 4], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 4 input features of the kernel, got 3 (dynamic_conv_c14)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x3x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x3x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected the kernel's output features to be a multiple of 4, got 6 (dynamic_conv_c15)
func.func @invalid(%x: tensor<4x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected the kernel's output features to be a multiple of 4, got 6 (dynamic_conv_c16)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x1x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x1x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 kernel spatial dimensions, got 1 (dynamic_conv_c17)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected kernel dimensions without repetitions, got [0, 0, 2, 3] (dynamic_conv_c18)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of the kernel dimensions in [0, 4), got -1 (dynamic_conv_c18)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, -1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 output spatial dimensions, got 1 (dynamic_conv_c19)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected output dimensions without repetitions, got [1, 0, 0, 3] (dynamic_conv_c20)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 0]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of the output dimensions in [0, 4), got 5 (dynamic_conv_c20)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 5, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of feature_group_count to be at least 1, got 0 (dynamic_conv_c21)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected each of batch_group_count to be at least 1, got 0 (dynamic_conv_c22)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected feature_group_count or batch_group_count 1, got 2 and 2 (dynamic_conv_c23)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected 2 precisions, got 1 (dynamic_conv_c24)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected dimension 2 of the result of size 6, got 7 (dynamic_conv_c25)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x7x6xf32>
  func.return
}

// -----

// CHECK: expected dimension 0 of the result of size 1, got 2 (dynamic_conv_c25)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected dimension 3 of the result of size 6, got 5 (dynamic_conv_c25)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x5xf32>
  func.return
}

// -----

// CHECK: expected 4 dimensions of the result, got 3 (dynamic_conv_c26)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6xf32>
  func.return
}

// -----

// CHECK: expected rhs of f32 elements, got f64 (dynamic_conv_c27)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf64>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf64>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected rhs quantized, and lhs quantized if and only if the result is, got tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6xf32> and tensor<1x6x6x6x!quant.uniform<i8:f32, 5.000000e-01>> (dynamic_conv_c28)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs quantized, and lhs quantized if and only if the result is, got tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>> and tensor<1x6x6x6xf32> (dynamic_conv_c28)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected rhs quantized along its output features, dimension 3, got 2 (dynamic_conv_c29)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result quantized along its output features, dimension 3, got 1 (dynamic_conv_c30)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  func.return
}

// -----

// CHECK: expected rhs stored as i8, got i16 (dynamic_conv_c31)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i16:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs and result that express f32, got f64 and f32 (dynamic_conv_c32)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f64, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result quantized per-tensor, as rhs is, got !quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}> (dynamic_conv_c33)
func.func @invalid(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x6x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  func.return
}

// -----

// CHECK: expected lhs and result of f32 elements, as rhs expresses, got f64 and f64 (dynamic_conv_c34)
func.func @invalid(%x: tensor<1x8x8x4xf64>, %w: tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf64>, tensor<3x3x4x6x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x6xf64>
  func.return
}

// -----

// CHECK: expected a 2-dimensional tensor of signed integer or unsigned integer elements, got tensor<4xi32> (dynamic_conv_i3)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>, %p: tensor<4xi32>) {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<4xi32>) -> tensor<1x6x6x6xf32>
  func.return
}

// -----

// CHECK: expected padding of shape [2, 2], got [3, 2] (dynamic_conv_c4)
func.func @invalid(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x6xf32>, %p: tensor<3x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<3x2xi32>) -> tensor<1x6x6x6xf32>
  func.return
}
