// RUN: anabranch-opt %s -p number-origins | filecheck %s
// RUN: anabranch-opt %s -p 'number-origins,dcf-gradient,assign-devices{function="main.grad" devices="cpu:0","cpu:1","cpu:2"}' | filecheck %s --check-prefix=PLACED

// Plain ops, in loops too, get numbers in the order of the text, after those that are there. The ops
// of a gradient have those of their forward ops, and go where these are.
func.func @main(%n: tensor<i32>, %x: tensor<f32> {plan.device = "cpu:1"}, %z: tensor<f32> {plan.device = "cpu:2"}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.sine %x {origin = 7 : i64} : tensor<f32>
  %r:2 = dcf.while "w" (%i = %zero, %a = %y : tensor<i32>, tensor<f32>) cond {
    %q = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %q
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.exponential %a : tensor<f32>
    dcf.yield %k, %b : tensor<i32>, tensor<f32>
  }
  %s = stablehlo.sine %z : tensor<f32>
  %t = stablehlo.add %s, %r#1 : tensor<f32>
  return %t : tensor<f32>
}
// CHECK: %zero = stablehlo.constant dense<0>
// CHECK: stablehlo.sine %x {origin = 7 : i64}
// CHECK: stablehlo.compare {{.*}} {origin = 8 : i64}
// CHECK: dcf.condition %q{{$}}
// CHECK: stablehlo.add {{.*}} {origin = 9 : i64}
// CHECK: stablehlo.exponential {{.*}} {origin = 10 : i64}
// CHECK: dcf.yield %k, %b : tensor<i32>, tensor<f32>
// CHECK: stablehlo.sine %z {origin = 11 : i64}

// PLACED-LABEL: func.func @main.grad
// PLACED:         dcf.stack_new {plan.device = "cpu:1"}
// PLACED:         %b = stablehlo.exponential {{.*}} {origin = 10 : i64, plan.device = "cpu:1"}
// PLACED:         dcf.stack_push {{.*}} {plan.device = "cpu:1"}
// PLACED:         stablehlo.cosine %z {origin = 11 : i64, plan.device = "cpu:2"}
// PLACED:         dcf.while "w.grad"
// PLACED:         dcf.stack_pop {{.*}} {plan.device = "cpu:1"}
// PLACED:         stablehlo.multiply {{.*}} {origin = 10 : i64, plan.device = "cpu:1"}
// PLACED:         stablehlo.cosine %x {origin = 7 : i64, plan.device = "cpu:1"}
