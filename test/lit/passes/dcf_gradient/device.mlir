// RUN: anabranch-opt %s -p dcf-gradient --split-input-file | filecheck %s

// What a gradient needs for an op is where the op is: its own ops, and the stack of its residual.
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %zero, %a = %x : tensor<i32>, tensor<f32>) cond {
    %q = stablehlo.compare LT, %i, %n, SIGNED {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %q
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one {plan.device = "cpu:0"} : tensor<i32>
    %b = stablehlo.exponential %a {plan.device = "cpu:1"} : tensor<f32>
    %c = stablehlo.sine %b {plan.device = "cpu:2"} : tensor<f32>
    dcf.yield %k, %c : tensor<i32>, tensor<f32>
  } {plan.device = "cpu:3"}
  return %r#1 : tensor<f32>
}
// CHECK-LABEL: func.func {{.*}}@main.grad
// CHECK:         dcf.stack_new : !dcf.stack<tensor<f32>>
// CHECK:         dcf.while "w"
// CHECK:           stablehlo.exponential {{.*}} {plan.device = "cpu:1"}
// CHECK:           stablehlo.sine {{.*}} {plan.device = "cpu:2"}
// CHECK:           dcf.stack_push {{.*}} {plan.device = "cpu:1"}
// CHECK:         } {plan.device = "cpu:3"}
// CHECK:         dcf.while "w.grad"
// CHECK:           stablehlo.cosine {{.*}} {plan.device = "cpu:2"}
// CHECK:           stablehlo.multiply {{.*}} {plan.device = "cpu:2"}
// CHECK:           stablehlo.multiply {{.*}} {plan.device = "cpu:1"}
// CHECK:           dcf.yield {{[^{]*$}}
// CHECK:         } {plan.device = "cpu:3"}
