// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// Two carries that swap live together, with the initial value of the first, so no trip sends
// anything.

func.func @swap(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<f32> {plan.device = "cpu:0"}, %y: tensor<f32> {plan.device = "cpu:1"}) -> (tensor<f32> {plan.device = "cpu:0"}, tensor<f32> {plan.device = "cpu:1"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %i, %a, %b = dcf.while "swap" (%k = %zero, %u = %x, %v = %y : tensor<i32>, tensor<f32>, tensor<f32>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %v, %u : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %a, %b : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: dfg.program @swap (tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:    dfg.channel 0 from "cpu:1" to "cpu:0" : tensor<f32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:      %y = dfg.recv from "cpu:1" channel 0 : tensor<f32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i, %a, %b = dcf.while "swap" (%k = %zero, %u = %x, %v = %y : tensor<i32>, tensor<f32>, tensor<f32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %v, %u : tensor<i32>, tensor<f32>, tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.send %b to "cpu:1" channel 1 : tensor<f32>
// CHECK-NEXT:      dfg.fetch %a : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%y: tensor<f32>) -> tensor<f32> feeds [2] fetches [1] {
// CHECK-NEXT:      dfg.send %y to "cpu:0" channel 0 : tensor<f32>
// CHECK-NEXT:      %b = dfg.recv from "cpu:0" channel 1 : tensor<f32>
// CHECK-NEXT:      dfg.fetch %b : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
