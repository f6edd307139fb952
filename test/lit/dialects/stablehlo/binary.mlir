// RUN: %roundtrip %s | filecheck %s

// Elementwise ops of two operands.

// CHECK: func.func @floats
func.func @floats(%x: tensor<2xf32>, %y: tensor<2xf32>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.add %x, %y : tensor<2xf32>
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  // CHECK: stablehlo.atan2 %x, %y : tensor<2xf32>
  %1 = stablehlo.atan2 %x, %y : tensor<2xf32>
  // CHECK: stablehlo.divide %x, %y : tensor<2xf32>
  %2 = stablehlo.divide %x, %y : tensor<2xf32>
  // CHECK: stablehlo.maximum %x, %y : tensor<2xf32>
  %3 = stablehlo.maximum %x, %y : tensor<2xf32>
  // CHECK: stablehlo.minimum %x, %y : tensor<2xf32>
  %4 = stablehlo.minimum %x, %y : tensor<2xf32>
  // CHECK: stablehlo.multiply %x, %y : tensor<2xf32>
  %5 = stablehlo.multiply %x, %y : tensor<2xf32>
  // CHECK: stablehlo.power %x, %y : tensor<2xf32>
  %6 = stablehlo.power %x, %y : tensor<2xf32>
  // CHECK: stablehlo.remainder %x, %y : tensor<2xf32>
  %7 = stablehlo.remainder %x, %y : tensor<2xf32>
  // CHECK: stablehlo.subtract %x, %y : tensor<2xf32>
  %8 = stablehlo.subtract %x, %y : tensor<2xf32>
  // CHECK: stablehlo.add %x, %d : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  %m = stablehlo.add %x, %d : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  %c = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  // CHECK: stablehlo.add %x, %y {mhlo.sharding = "{replicated}"} : tensor<2xf32>
  %s = stablehlo.add %x, %y {mhlo.sharding = "{replicated}"} : tensor<2xf32>
  func.return
}

// CHECK: func.func @integers
func.func @integers(%x: tensor<i32>, %y: tensor<i32>, %b: tensor<i1>) {
  // CHECK: stablehlo.add %x, %y : tensor<i32>
  %0 = stablehlo.add %x, %y : tensor<i32>
  // CHECK: stablehlo.and %x, %y : tensor<i32>
  %1 = stablehlo.and %x, %y : tensor<i32>
  // CHECK: stablehlo.or %x, %y : tensor<i32>
  %2 = stablehlo.or %x, %y : tensor<i32>
  // CHECK: stablehlo.xor %x, %y : tensor<i32>
  %3 = stablehlo.xor %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_left %x, %y : tensor<i32>
  %4 = stablehlo.shift_left %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_right_arithmetic %x, %y : tensor<i32>
  %5 = stablehlo.shift_right_arithmetic %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_right_logical %x, %y : tensor<i32>
  %6 = stablehlo.shift_right_logical %x, %y : tensor<i32>
  // CHECK: stablehlo.divide %x, %y : tensor<i32>
  %7 = stablehlo.divide %x, %y : tensor<i32>
  // CHECK: stablehlo.remainder %x, %y : tensor<i32>
  %8 = stablehlo.remainder %x, %y : tensor<i32>
  // CHECK: stablehlo.and %b, %b : tensor<i1>
  %b1 = stablehlo.and %b, %b : tensor<i1>
  func.return
}
