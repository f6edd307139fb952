// From what JAX prints to a function of derivatives: calls inlined, counted loops raised to scans.
// RUN: anabranch-opt %s -p gradient-pipeline | filecheck %s
// RUN: anabranch-opt %s -p 'gradient-pipeline{wrt=0 policy=recompute}' | filecheck %s --check-prefix AGAIN

// CHECK-LABEL: func.func @main(
// CHECK:         dcf.scan
// CHECK-LABEL: func.func @main.grad(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
// CHECK:         dcf.scan
// CHECK:         dcf.scan "{{.*}}grad"
// AGAIN-LABEL: func.func @main.grad(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// AGAIN:         dcf.while "{{.*}}grad"
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %v1 = func.call @step(%v, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %i1, %v1 : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
func.func private @step(%v: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %w = stablehlo.multiply %v, %y : tensor<f32>
  %s = stablehlo.sine %w : tensor<f32>
  return %s : tensor<f32>
}
