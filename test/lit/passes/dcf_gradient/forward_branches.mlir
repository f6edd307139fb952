// RUN: anabranch-opt %s -p 'dcf-gradient{mode=forward}' | filecheck %s

// A branch that does not depend on the arguments yields a zero; a result that does so in no branch has
// no tangent in the branches at all.
func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<f32>) then {
    %s = stablehlo.sine %x : tensor<f32>
    dcf.yield %s, %c : tensor<f32>, tensor<f32>
  } else {
    %d = stablehlo.add %c, %c : tensor<f32>
    dcf.yield %c, %d : tensor<f32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
// CHECK:      func.func @main.jvp(%x: tensor<f32>, %p: tensor<i1>, %x_dot: tensor<f32>)
// CHECK:        %r, %r_1, %r_dot = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<f32>, tensor<f32>) then {
// CHECK-NEXT:     %s = stablehlo.sine %x
// CHECK-NEXT:     %[[C:.*]] = stablehlo.cosine %x
// CHECK-NEXT:     %s_dot = stablehlo.multiply %x_dot, %[[C]]
// CHECK-NEXT:     dcf.yield %s, %c, %s_dot
// CHECK:          %[[Z:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT:     dcf.yield %c, %d, %[[Z]]
// CHECK:        %[[Z2:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT:   return %r, %r_1, %r_dot, %[[Z2]]
