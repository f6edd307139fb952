// RUN: anabranch-opt %s -p convert-stablehlo-to-dcf,raise-while-to-scan,raise-while-to-map | filecheck %s

// Loops, branches and what is in them keep their devices on the way from the source to scans.
func.func @main(%x: tensor<f32>, %xs: tensor<4xf32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32> attributes {plan.device = "cpu:1"}
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %q = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %row = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %e = stablehlo.reshape %row : (tensor<1xf32>) -> tensor<f32>
    %b = stablehlo.multiply %a, %e {plan.device = "cpu:2"} : tensor<f32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %b : tensor<i32>, tensor<f32>
  }
  %s = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %t = stablehlo.sine %x {plan.device = "cpu:2"} : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {plan.device = "cpu:3"} : (tensor<i1>) -> tensor<f32>
  return %r#1, %s : tensor<f32>, tensor<f32>
}
// CHECK: dcf.scan
// CHECK:   stablehlo.multiply {{.*}} {plan.device = "cpu:2"}
// CHECK: } {plan.device = "cpu:1"}
// CHECK: dcf.cond
// CHECK:   stablehlo.sine %x {plan.device = "cpu:2"}
// CHECK: } {plan.device = "cpu:3"}
