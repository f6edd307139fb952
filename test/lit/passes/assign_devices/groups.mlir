// RUN: anabranch-opt %s -p assign-devices --split-input-file | filecheck %s

// A stack is where its values are, through loops and branches; others are placed as ever.
func.func @stack(%n: tensor<i32>, %x: tensor<f32> {plan.device = "cpu:1"}, %p: tensor<i1>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %s0 = dcf.stack_new : !dcf.stack<tensor<f32>>
  %r:3 = dcf.while "w" (%i = %zero, %v = %x, %s = %s0 : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>) cond {
    %q = stablehlo.compare LT, %i, %n, SIGNED {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %q
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one {plan.device = "cpu:0"} : tensor<i32>
    %u = stablehlo.sine %v : tensor<f32>
    %t = dcf.cond %p : tensor<i1> -> !dcf.stack<tensor<f32>> then {
      %t1 = dcf.stack_push %s, %u : !dcf.stack<tensor<f32>>
      dcf.yield %t1 : !dcf.stack<tensor<f32>>
    } else {
      dcf.yield %s : !dcf.stack<tensor<f32>>
    }
    dcf.yield %k, %u, %t : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>
  }
  %rest, %top = dcf.stack_pop %r#2 : !dcf.stack<tensor<f32>>
  return %top : tensor<f32>
}
// CHECK-LABEL: func.func @stack
// CHECK:         dcf.stack_new {plan.device = "cpu:1"}
// CHECK:         dcf.stack_push %s, %u {plan.device = "cpu:1"}
// CHECK:         dcf.stack_pop %r#2 {plan.device = "cpu:1"}

// -----

// What is given for one op of a stack holds for all; two stacks are two.
func.func @given(%x: tensor<f32> {plan.device = "cpu:0"}) -> (tensor<f32>, tensor<f32>) {
  %a = dcf.stack_new : !dcf.stack<tensor<f32>>
  %b = dcf.stack_new : !dcf.stack<tensor<f32>>
  %a1 = dcf.stack_push %a, %x : !dcf.stack<tensor<f32>>
  %b1 = dcf.stack_push %b, %x : !dcf.stack<tensor<f32>>
  %ar, %at = dcf.stack_pop %a1 {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %br, %bt = dcf.stack_pop %b1 : !dcf.stack<tensor<f32>>
  return %at, %bt : tensor<f32>, tensor<f32>
}
// CHECK-LABEL: func.func @given
// CHECK:         %a = dcf.stack_new {plan.device = "cpu:1"}
// CHECK-NEXT:    %b = dcf.stack_new {plan.device = "cpu:0"}
// CHECK-NEXT:    dcf.stack_push %a, %x {plan.device = "cpu:1"}
// CHECK-NEXT:    dcf.stack_push %b, %x {plan.device = "cpu:0"}
// CHECK-NEXT:    dcf.stack_pop %a1 {plan.device = "cpu:1"}
// CHECK-NEXT:    dcf.stack_pop %b1 {plan.device = "cpu:0"}

// -----

// Arrays, as arguments and results too.
func.func @arrays(%a: !dcf.array<tensor<f32>>, %n: tensor<i32>, %x: tensor<f32> {plan.device = "cpu:1"})
    -> !dcf.array<tensor<f32>> {
  %y = dcf.array_read %a, %n : !dcf.array<tensor<f32>>, tensor<i32>
  %z = stablehlo.add %y, %x : tensor<f32>
  %b = dcf.array_write %a, %n, %x : !dcf.array<tensor<f32>>, tensor<i32>
  return %b : !dcf.array<tensor<f32>>
}
// CHECK-LABEL: func.func @arrays
// CHECK-SAME:    %a: !dcf.array<tensor<f32>> {plan.device = "cpu:1"}
// CHECK-SAME:    -> (!dcf.array<tensor<f32>> {plan.device = "cpu:1"})
// CHECK:         dcf.array_read %a, %n {plan.device = "cpu:1"}
// CHECK:         dcf.array_write %a, %n, %x {plan.device = "cpu:1"}
