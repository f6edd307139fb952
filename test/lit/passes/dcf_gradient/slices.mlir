// RUN: anabranch-opt %s -p dcf-gradient,remove-dead-code | filecheck %s

// The cotangents of slices side by side are concatenated; what lies between them is zero.

func.func @main(%x: tensor<2x8xf32>) -> tensor<f32> {
  %a = stablehlo.slice %x [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %b = stablehlo.slice %x [0:2, 5:8] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %c = stablehlo.slice %x [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %p = stablehlo.multiply %a, %b : tensor<2x3xf32>
  %q = stablehlo.sine %c : tensor<2x3xf32>
  %s = stablehlo.add %p, %q : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
// CHECK-LABEL: func.func @main.grad
// CHECK:         %[[B:.*]] = stablehlo.multiply %{{.*}}, %a
// CHECK:         %[[D:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2x2xf32>
// CHECK-NEXT:    %[[C:.*]] = stablehlo.concatenate %[[D]], %[[Z]], %[[B]], dim = 1
// CHECK-NEXT:    {{.*}}return %r, %[[C]]
