// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected rhs of f32 elements, got i32 (compare_c1)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  func.return
}

// -----

// CHECK: expected rhs of shape [2], got [3] (compare_c2)
func.func @invalid(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  func.return
}

// -----

// CHECK: expected result of shape [2], got [3] (compare_c2)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.compare LT, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  func.return
}

// -----

// CHECK: expected a tensor of boolean elements, got tensor<2xi32> (select_i1)
func.func @invalid(%p: tensor<2xi32>, %x: tensor<2xf32>) {
  %0 = stablehlo.select %p, %x, %x : tensor<2xi32>, tensor<2xf32>
  func.return
}

// -----

// CHECK: expected pred of shape [2], got [3] (select_c1)
func.func @invalid(%p: tensor<3xi1>, %x: tensor<2xf32>) {
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<2xf32>
  func.return
}

// -----

// CHECK: expected on_false of type tensor<2xf32>, got tensor<2xf64> (select_c2)
func.func @invalid(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf64>) {
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected min of shape [2], got [3] (clamp_c1)
func.func @invalid(%l: tensor<3xf32>, %x: tensor<2xf32>) {
  %0 = stablehlo.clamp %l, %x, %x : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected max of shape [2], got [3] (clamp_c2)
func.func @invalid(%l: tensor<3xf32>, %x: tensor<2xf32>) {
  %0 = stablehlo.clamp %x, %x, %l : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected min of f32 elements, got f64 (clamp_c3)
func.func @invalid(%l: tensor<f64>, %x: tensor<2xf32>) {
  %0 = stablehlo.clamp %l, %x, %x : (tensor<f64>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2xf32>, got tensor<3xf32> (clamp_c4)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.clamp %x, %x, %x : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  func.return
}
