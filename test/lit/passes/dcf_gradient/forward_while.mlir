// RUN: anabranch-opt %s -p 'dcf-gradient{mode=forward}' | filecheck %s

// The loop carries the tangents of the active values along; `%b`, which does not depend on `%x`, has
// none.
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %r:3 = dcf.while "w" (%i = %z, %a = %x, %b = %c : tensor<i32>, tensor<f32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %s = stablehlo.sine %a : tensor<f32>
    %t = stablehlo.add %b, %c : tensor<f32>
    dcf.yield %j, %s, %t : tensor<i32>, tensor<f32>, tensor<f32>
  }
  %y = stablehlo.multiply %r#1, %r#2 : tensor<f32>
  return %y : tensor<f32>
}
// The primal stays as it was.
// CHECK:      func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
// CHECK:        %r:3 = dcf.while
// CHECK:      func.func @main.jvp(%x: tensor<f32>, %n: tensor<i32>, %x_dot: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK:        %r, %r_1, %r_2, %r_dot = dcf.while "w" (%i = %z, %a = %x, %b = %c, %a_dot = %x_dot : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) cond {
// CHECK:          %s = stablehlo.sine %a
// CHECK-NEXT:     %[[C:.*]] = stablehlo.cosine %a
// CHECK-NEXT:     %s_dot = stablehlo.multiply %a_dot, %[[C]]
// CHECK-NEXT:     %t = stablehlo.add %b, %c
// CHECK-NEXT:     dcf.yield %j, %s, %t, %s_dot
// CHECK:        %y = stablehlo.multiply %r_1, %r_2
// CHECK-NEXT:   %y_dot = stablehlo.multiply %r_dot, %r_2
// CHECK-NEXT:   return %y, %y_dot : tensor<f32>, tensor<f32>
