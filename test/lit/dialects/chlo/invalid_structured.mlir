// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected 1 lhs ragged dimension, got 0
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected each of the lhs ragged dimension in [0, 3), got 3
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [3], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected each of the rhs group dimensions in [0, 4), got 4
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [4]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected rhs group dimensions and the others without repetitions, got [1, 1, 2]
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected 1 rhs group dimensions, got 0
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected 0 rhs group dimensions, got 1
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected a group dimension of size 4, got 3
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<4xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<4xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected group_sizes of rank 1 or more, got 0
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<i64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<i64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected group_sizes of shape [2, 3], got [1, 3]
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<1x3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<1x3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected result of shape [2, 11, 7], got [2, 11, 8]
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x8xf32>
  func.return
}

// -----

// CHECK: expected 1 rhs batching dimensions, got 0
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected 2 precisions, got 1
func.func @invalid(%x: tensor<2x11x5xf32>, %y: tensor<3x2x5x7xf32>, %n: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %n) <{precision_config = [#chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  func.return
}

// -----

// CHECK: expected each of dimension in [0, 2), got 2
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=2 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected dimension 0 of input 0 of size 4, got 2
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {scan_dim_size = 4 : i64} {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected argument 0 of the body of type tensor<3xf32>, got tensor<2xf32>
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<3xf32>):
    stablehlo.return %b, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected 2 returned values, got 1
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a : tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<2x3xf32>, got tensor<3x3xf32>
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected at least one input or output, got 0
func.func @invalid(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0 = chlo.scan() inits (%c) dimension=0 {
  ^bb0(%b: tensor<3xf32>):
    stablehlo.return %b : tensor<3xf32>
  } : (tensor<3xf32>) -> tensor<3xf32>
  func.return
}
