// RUN: anabranch-opt %s -p number-draws | filecheck %s

// In program order, from 0 in each function; a number that is there stays.

// CHECK: func.func @main
// CHECK: stablehlo.rng {{.*}} {dcf.draw = 8 : i64}
// CHECK: stablehlo.while
// CHECK: stablehlo.rng {{.*}} {dcf.draw = 9 : i64}
// CHECK: do {
// CHECK: stablehlo.rng {{.*}} {dcf.draw = 7 : i64}
// CHECK: stablehlo.rng {{.*}} {dcf.draw = 10 : i64}
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<0xi64>) -> tensor<f32> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  %1 = stablehlo.while(%x = %0) : tensor<f32>
  cond {
    %2 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    %3 = stablehlo.compare LT, %x, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %2 = stablehlo.rng %x, %b, %shape, distribution = UNIFORM {dcf.draw = 7 : i64} : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    %3 = stablehlo.rng %2, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  return %1 : tensor<f32>
}

// CHECK: func.func @other
// CHECK: stablehlo.rng {{.*}} {dcf.draw = 0 : i64}
func.func @other(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<0xi64>) -> tensor<f32> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}
