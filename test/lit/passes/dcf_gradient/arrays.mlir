// RUN: anabranch-opt %s -p dcf-gradient | filecheck %s

// The cotangent of an array that a loop reads is one gradient array that goes round with the loop: each
// trip writes into it, so the cost of a read does not depend on the array's size.
func.func @main(%xs: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %in = dcf.array_unstack %xs : tensor<4xf32> -> !dcf.array<tensor<f32>>
  %r:2 = dcf.while "w" (%i = %z, %a = %c : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = dcf.array_read %in, %i : !dcf.array<tensor<f32>>, tensor<i32>
    %b = stablehlo.add %a, %v : tensor<f32>
    dcf.yield %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
// CHECK:      func.func @main.grad(
// CHECK:        %[[N:.*]] = dcf.array_size %in
// CHECK:        %[[NEW:.*]] = dcf.array_new %[[N]] : tensor<i32> -> !dcf.array<tensor<f32>, grad>
// CHECK:        dcf.while "w.grad" (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[G:.*]] = %[[NEW]], 
// CHECK:          dcf.array_write %[[G]], %{{.*}}, %{{.*}} : !dcf.array<tensor<f32>, grad>, tensor<i32>
// CHECK-NOT:      dcf.array_new
// CHECK:        dcf.array_stack %{{.*}} : !dcf.array<tensor<f32>, grad> -> tensor<4xf32>
