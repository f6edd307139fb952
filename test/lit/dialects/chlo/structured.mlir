// RUN: %roundtrip %s | filecheck %s

// Constants, ragged products and scans.

// CHECK: func.func @constants
func.func @constants(%z: tensor<2xcomplex<f32>>) {
  // CHECK: chlo.constant dense<1.000000e+00> : tensor<2xf32>
  %0 = chlo.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK: "chlo.constant_like"(%z) <{value = 2 : i32}> : (tensor<2xcomplex<f32>>) -> tensor<2xi32>
  %1 = "chlo.constant_like"(%z) <{value = 2 : i32}> : (tensor<2xcomplex<f32>>) -> tensor<2xi32>
  // CHECK: chlo._asin_acos_kernel %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %2 = chlo._asin_acos_kernel %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  func.return
}

// CHECK: func.func @ragged
func.func @ragged(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>, %z: tensor<2x5x7xf32>) {
  // CHECK: "chlo.ragged_dot"(%x, %y, %n) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  // CHECK: "chlo.ragged_dot"(%x, %z, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  %1 = "chlo.ragged_dot"(%x, %z, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  func.return
}

// CHECK: func.func @scan
func.func @scan(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // CHECK: chlo.scan(%x) inits (%c) dimension=0  {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0  {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    // CHECK: stablehlo.add %a, %b : tensor<3xf32>
    %s = stablehlo.add %a, %b : tensor<3xf32>
    // CHECK: stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  // CHECK: chlo.scan(%x) inits (%c) dimension=0  attributes {is_associative = true, is_reverse = true} {
  %1 = chlo.scan(%x) inits (%c) dimension=0  attributes {is_associative = true, is_reverse = true} {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    // CHECK: stablehlo.add %a, %b : tensor<3xf32>
    %s = stablehlo.add %a, %b : tensor<3xf32>
    // CHECK: stablehlo.return %s : tensor<3xf32>
    stablehlo.return %s : tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}
