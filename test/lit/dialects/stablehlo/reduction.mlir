// RUN: %roundtrip %s | filecheck %s

// reduce has a short and a long form; the other reductions are generic.

// CHECK: func.func @short
func.func @short(%x: tensor<2x3xf32>, %z: tensor<f32>) {
  // CHECK: stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] {a = 1 : i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] {a = 1 : i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  func.return
}

// CHECK: func.func @argmax
func.func @argmax(%x: tensor<4xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %k: tensor<i32>) {
  // CHECK: stablehlo.reduce(%x init: %z), (%i init: %k) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  %r:2 = stablehlo.reduce(%x init: %z), (%i init: %k) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   // CHECK-NEXT: reducer(%m: tensor<f32>, %e: tensor<f32>) (%n: tensor<i32>, %j: tensor<i32>)  {
   reducer(%m: tensor<f32>, %e: tensor<f32>) (%n: tensor<i32>, %j: tensor<i32>)  {
    // CHECK: stablehlo.compare GT, %m, %e, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %gt = stablehlo.compare GT, %m, %e, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: stablehlo.select %gt, %m, %e : tensor<i1>, tensor<f32>
    %best = stablehlo.select %gt, %m, %e : tensor<i1>, tensor<f32>
    // CHECK: stablehlo.select %gt, %n, %j : tensor<i1>, tensor<i32>
    %at = stablehlo.select %gt, %n, %j : tensor<i1>, tensor<i32>
    // CHECK: stablehlo.return %best, %at : tensor<f32>, tensor<i32>
    stablehlo.return %best, %at : tensor<f32>, tensor<i32>
  }
  func.return
}

// Arguments in another order, a subtraction: neither is the short form.
// CHECK: func.func @long
func.func @long(%x: tensor<4xf32>, %z: tensor<f32>) {
  // CHECK: stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   // CHECK-NEXT: reducer(%m: tensor<f32>, %e: tensor<f32>)  {
   reducer(%m: tensor<f32>, %e: tensor<f32>)  {
    // CHECK: stablehlo.add %e, %m : tensor<f32>
    %s = stablehlo.add %e, %m : tensor<f32>
    // CHECK: stablehlo.return %s : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // CHECK: stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %q = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   // CHECK-NEXT: reducer(%k: tensor<f32>, %l: tensor<f32>)  {
   reducer(%k: tensor<f32>, %l: tensor<f32>)  {
    // CHECK: stablehlo.subtract %k, %l : tensor<f32>
    %t = stablehlo.subtract %k, %l : tensor<f32>
    // CHECK: stablehlo.return %t : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }
  func.return
}

// CHECK: func.func @generic_forms
func.func @generic_forms(%x: tensor<4xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %q: tensor<2xf32>) {
  // CHECK: "stablehlo.reduce_window"(%x, %z) <{padding = dense<{{\[\[}}3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  %w = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK: stablehlo.add %a, %b : tensor<f32>
    %ab = stablehlo.add %a, %b : tensor<f32>
    // CHECK: stablehlo.return %ab : tensor<f32>
    stablehlo.return %ab : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  %s:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%c: tensor<f32>, %d: tensor<f32>, %e: tensor<i32>, %f: tensor<i32>):
    // CHECK: stablehlo.compare LT, %c, %d, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cd = stablehlo.compare LT, %c, %d, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: stablehlo.return %cd : tensor<i1>
    stablehlo.return %cd : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK: "stablehlo.select_and_scatter"(%x, %q, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  %p = "stablehlo.select_and_scatter"(%x, %q, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%i0: tensor<f32>, %i1: tensor<f32>):
    // CHECK: stablehlo.compare GE, %i0, %i1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %i2 = stablehlo.compare GE, %i0, %i1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: stablehlo.return %i2 : tensor<i1>
    stablehlo.return %i2 : tensor<i1>
  }, {
  ^bb0(%j0: tensor<f32>, %j1: tensor<f32>):
    // CHECK: stablehlo.add %j0, %j1 : tensor<f32>
    %j2 = stablehlo.add %j0, %j1 : tensor<f32>
    // CHECK: stablehlo.return %j2 : tensor<f32>
    stablehlo.return %j2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  %m = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%g: tensor<f32>):
    // CHECK: stablehlo.tanh %g : tensor<f32>
    %h = stablehlo.tanh %g : tensor<f32>
    // CHECK: stablehlo.return %h : tensor<f32>
    stablehlo.return %h : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}
