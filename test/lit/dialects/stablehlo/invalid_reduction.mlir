// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a scalar tensor, got tensor<2x3xf32> (reduce_i2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.reduce(%x init: %x) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected input 1 of shape [2, 3], got [3, 2] (reduce_c1)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>, %y: tensor<3x2xf32>) {
  %0:2 = "stablehlo.reduce"(%x, %y, %z, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected initial value 0 of f32 elements, got f64 (reduce_c2)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f64>) {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f64>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (reduce_c3)
func.func @invalid() {
  "stablehlo.reduce"() <{dimensions = array<i64: 0>}> ({
    stablehlo.return
  }) : () -> ()
  func.return
}

// -----

// CHECK: expected each of dimensions in [0, 2), got 2 (reduce_c4)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected dimensions without repetitions, got [0, 0] (reduce_c5)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected argument 1 of the reducer of type tensor<f32>, got tensor<i32> (reduce_c6)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected the reducer to return 1 values, got 2 (reduce_c6)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected the reducer with 2 arguments, got 1 (reduce_c6)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result 0 of shape [3], got [2] (reduce_c7)
func.func @invalid(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (reduce_window_c1)
func.func @invalid() {
  "stablehlo.reduce_window"() <{window_dimensions = array<i64: 2>}> ({
    stablehlo.return
  }) : () -> ()
  func.return
}

// -----

// CHECK: expected input 1 of shape [4], got [5] (reduce_window_c2)
func.func @invalid(%x: tensor<4xf32>, %y: tensor<5xf32>, %z: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%x, %y, %z, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  func.return
}

// -----

// CHECK: expected initial value 0 of f32 elements, got f64 (reduce_window_c3)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f64>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f64>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected 1 window_dimensions, got 2 (reduce_window_c4)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected each of window_dimensions to be at least 1, got 0 (reduce_window_c5)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected 1 window_strides, got 2 (reduce_window_c6)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected each of window_strides to be at least 1, got 0 (reduce_window_c7)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected 1 base_dilations, got 2 (reduce_window_c8)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected each of base_dilations to be at least 1, got 0 (reduce_window_c9)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected 1 window_dilations, got 2 (reduce_window_c10)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected each of window_dilations to be at least 1, got 0 (reduce_window_c11)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected padding of shape [1, 2], got dense<0> : tensor<2x2xi64> (reduce_window_c12)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected argument 1 of the reducer of type tensor<f32>, got tensor<i32> (reduce_window_c13)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result 0 of shape [3], got [4] (reduce_window_c15)
func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (sort_c1)
func.func @invalid(%p: tensor<i1>) {
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
    stablehlo.return %p : tensor<i1>
  }) : () -> ()
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<4xf32>, got tensor<5xf32> (sort_c2)
func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

// CHECK: expected dimension in [-1, 1), got 1 (sort_c4)
func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected the comparator with 2 arguments, got 1 (sort_c5)
func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected value 0 returned by the comparator of type tensor<i1>, got tensor<f32> (sort_c5)
func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected input 1 of shape [4], got [5] (sort_c3)
func.func @invalid(%x: tensor<4xf32>, %y: tensor<5xf32>, %p: tensor<i1>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (map_c2)
func.func @invalid(%k: tensor<f32>) {
  %0 = "stablehlo.map"() <{dimensions = array<i64>}> ({
    stablehlo.return %k : tensor<f32>
  }) : () -> tensor<f32>
  func.return
}

// -----

// CHECK: expected input 0 of shape [5], got [4] (map_c1)
func.func @invalid(%x: tensor<4xf32>, %k: tensor<i32>) {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

// CHECK: expected dimensions [0], got [1] (map_c3)
func.func @invalid(%x: tensor<4xf32>, %k: tensor<i32>) {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected value 0 returned by the computation of type tensor<f32>, got tensor<i32> (map_c4)
func.func @invalid(%x: tensor<4xf32>, %k: tensor<i32>) {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %k : tensor<i32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected source of f32 elements, got f64 (select_and_scatter_c1)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf64>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf64>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected source of shape [2], got [3] (select_and_scatter_c2)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<3xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected init_value of f32 elements, got f64 (select_and_scatter_c3)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f64>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected 1 window_dimensions, got 2 (select_and_scatter_c4)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected each of window_dimensions to be at least 1, got 0 (select_and_scatter_c5)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected 1 window_strides, got 2 (select_and_scatter_c6)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected each of window_strides to be at least 1, got 0 (select_and_scatter_c7)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected padding of shape [1, 2], got dense<0> : tensor<2x2xi64> (select_and_scatter_c8)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected value 0 returned by the selection of type tensor<i1>, got tensor<f32> (select_and_scatter_c9)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected argument 1 of the scattering of type tensor<f32>, got tensor<i32> (select_and_scatter_c10)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<i32>):
    %g = stablehlo.add %e, %e : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected result of shape [4], got [5] (select_and_scatter_c11)
func.func @invalid(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%e: tensor<f32>, %h: tensor<f32>):
    %g = stablehlo.add %e, %h : tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  func.return
}
