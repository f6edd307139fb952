// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A stack stays on its device; what is pushed and popped travels. The loop that pops has a part on
// each device.

func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<f32> {plan.device = "cpu:0"}) -> (tensor<f32> {plan.device = "cpu:0"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %none = stablehlo.constant {plan.device = "cpu:0"} dense<0.0> : tensor<f32>
  %s = dcf.stack_new {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %i, %a, %t = dcf.while "push" (%k = %zero, %u = %x, %r = %s : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %u1 = stablehlo.sine %u {plan.device = "cpu:0"} : tensor<f32>
    %r1 = dcf.stack_push %r, %u1 {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %u1, %r1 : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>
  }
  %l, %b, %q = dcf.while "pop" (%k = %zero, %u = %none, %r = %t : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %r1, %v = dcf.stack_pop %r {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
    %w = stablehlo.sine %v {plan.device = "cpu:0"} : tensor<f32>
    %u1 = stablehlo.atan2 %u, %w {plan.device = "cpu:0"} : tensor<f32>
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %u1, %r1 : tensor<i32>, tensor<f32>, !dcf.stack<tensor<f32>>
  }
  return %b : tensor<f32>
}

// CHECK-LABEL: dfg.program @main (tensor<i32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.channel 2 from "cpu:1" to "cpu:0" : tensor<f32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:      dfg.send %n to "cpu:1" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %none = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:      %i, %a = dcf.while "push" (%k = %zero, %u = %x : tensor<i32>, tensor<f32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = stablehlo.sine %u : tensor<f32>
// CHECK-NEXT:        dfg.send %u1 to "cpu:1" channel 1 : tensor<f32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %u1 : tensor<i32>, tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      %l, %b = dcf.while "pop" (%k_1 = %zero, %u_1 = %none : tensor<i32>, tensor<f32>) cond {
// CHECK-NEXT:        %go_1 = stablehlo.compare LT, %k_1, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go_1
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %v = dfg.recv from "cpu:1" channel 2 : tensor<f32>
// CHECK-NEXT:        %w = stablehlo.sine %v : tensor<f32>
// CHECK-NEXT:        %u1_1 = stablehlo.atan2 %u_1, %w : tensor<f32>
// CHECK-NEXT:        %j_1 = stablehlo.add %k_1, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j_1, %u1_1 : tensor<i32>, tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 1 : i64}
// CHECK-NEXT:      dfg.fetch %b : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" () {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %s = dcf.stack_new : !dcf.stack<tensor<f32>>
// CHECK-NEXT:      %i, %t = dcf.while "push" (%k = %zero, %r = %s : tensor<i32>, !dcf.stack<tensor<f32>>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = dfg.recv from "cpu:0" channel 1 : tensor<f32>
// CHECK-NEXT:        %r1 = dcf.stack_push %r, %u1 : !dcf.stack<tensor<f32>>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %r1 : tensor<i32>, !dcf.stack<tensor<f32>>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      %l, %q = dcf.while "pop" (%k_1 = %zero, %r_1 = %t : tensor<i32>, !dcf.stack<tensor<f32>>) cond {
// CHECK-NEXT:        %go_1 = stablehlo.compare LT, %k_1, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go_1
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %r1_1, %v = dcf.stack_pop %r_1 : !dcf.stack<tensor<f32>>
// CHECK-NEXT:        dfg.send %v to "cpu:0" channel 2 : tensor<f32>
// CHECK-NEXT:        %j_1 = stablehlo.add %k_1, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j_1, %r1_1 : tensor<i32>, !dcf.stack<tensor<f32>>
// CHECK-NEXT:      } {dfg.region_id = 1 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:  }
