// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected b of f32 elements, got f64 (rng_c1)
func.func @invalid(%a: tensor<f32>, %b: tensor<f64>, %i: tensor<i32>, %s: tensor<2xi64>, %k: tensor<3xui64>) {
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected floats for a normal distribution, got i32 (rng_c2)
func.func @invalid(%a: tensor<f32>, %b: tensor<f64>, %i: tensor<i32>, %s: tensor<2xi64>, %k: tensor<3xui64>) {
  %0 = stablehlo.rng %i, %i, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  func.return
}

// -----

// CHECK: expected the shape operand of shape [1], got [2] (rng_c3)
func.func @invalid(%a: tensor<f32>, %b: tensor<f64>, %i: tensor<i32>, %s: tensor<2xi64>, %k: tensor<3xui64>) {
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected output_state of type tensor<3xui64>, got tensor<2xui64> (rng_bit_generator_c1)
func.func @invalid(%a: tensor<f32>, %b: tensor<f64>, %i: tensor<i32>, %s: tensor<2xi64>, %k: tensor<3xui64>) {
  %0:2 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  func.return
}

// -----

// CHECK: expected a state of 2 numbers, got tensor<3xui64> (rng_bit_generator_c2)
func.func @invalid(%a: tensor<f32>, %b: tensor<f64>, %i: tensor<i32>, %s: tensor<2xi64>, %k: tensor<3xui64>) {
  %0:2 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  func.return
}
