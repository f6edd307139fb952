// RUN: %roundtrip %s | filecheck %s

// Any op, argument and result says where it lives; a structured op, for what is in it.
func.func @main(%a: tensor<f32> {plan.device = "cpu:0"}, %b: tensor<f32> {plan.device = "cpu:1"}, %n: tensor<i32>)
    -> (tensor<f32> {plan.device = "cpu:1"}, tensor<f32>) {
  %zero = stablehlo.constant {plan.device = "cpu:1"} dense<0> : tensor<i32>
  %c = stablehlo.add %a, %b {plan.device = "cpu:1"} : tensor<f32>
  %s = dcf.stack_new {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %t = dcf.stack_push %s, %c {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %rest, %top = dcf.stack_pop %t {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %d = dcf.stop_gradient %top {plan.device = "cpu:1"} : tensor<f32>
  %r:2 = dcf.while "w" (%i = %zero, %x = %d : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %odd = stablehlo.compare EQ, %i, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %y = dcf.cond %odd : tensor<i1> -> tensor<f32> then {
      %z = stablehlo.sine %x : tensor<f32>
      dcf.yield %z : tensor<f32>
    } else {
      dcf.yield %x : tensor<f32>
    } {plan.device = "cpu:2"}
    dcf.yield %i1, %y : tensor<i32>, tensor<f32>
  } {plan.device = "cpu:1"}
  return %c, %r#1 : tensor<f32>, tensor<f32>
}
// CHECK: func.func @main(%a: tensor<f32> {plan.device = "cpu:0"}, %b: tensor<f32> {plan.device = "cpu:1"}, %n: tensor<i32>) -> (tensor<f32> {plan.device = "cpu:1"}, tensor<f32>) {
// CHECK: %zero = stablehlo.constant {plan.device = "cpu:1"} dense<0> : tensor<i32>
// CHECK: %c = stablehlo.add %a, %b {plan.device = "cpu:1"} : tensor<f32>
// CHECK: %s = dcf.stack_new {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
// CHECK: %t = dcf.stack_push %s, %c {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
// CHECK: %rest, %top = dcf.stack_pop %t {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
// CHECK: %d = dcf.stop_gradient %top {plan.device = "cpu:1"} : tensor<f32>
// CHECK: %p = stablehlo.compare LT, %i, %n, SIGNED {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: } {plan.device = "cpu:2"}
// CHECK: } {plan.device = "cpu:1"}
