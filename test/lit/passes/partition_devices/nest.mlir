// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// An inner loop on one device only: the other takes part in the outer loop alone. Counters of both
// loops are computed where they are needed; a captured value is sent once, outside.

func.func @nest(%n: tensor<i32> {plan.device = "cpu:0"}, %w: tensor<f32> {plan.device = "cpu:0"}, %x: tensor<f32> {plan.device = "cpu:1"}) -> (tensor<f32> {plan.device = "cpu:1"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %i, %a = dcf.while "outer" (%k = %zero, %u = %x : tensor<i32>, tensor<f32>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %s = stablehlo.sine %u {plan.device = "cpu:0"} : tensor<f32>
    %j, %b = dcf.while "inner" (%l = %zero, %v = %s : tensor<i32>, tensor<f32>) cond {
      %more = stablehlo.compare LT, %l, %k {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %more
    } do {
      %v1 = stablehlo.multiply %v, %w {plan.device = "cpu:1"} : tensor<f32>
      %l1 = stablehlo.add %l, %one {plan.device = "cpu:0"} : tensor<i32>
      dcf.yield %l1, %v1 : tensor<i32>, tensor<f32>
    }
    %k1 = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %k1, %b : tensor<i32>, tensor<f32>
  }
  return %a : tensor<f32>
}

// CHECK-LABEL: dfg.program @nest (tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.channel 2 from "cpu:1" to "cpu:0" : tensor<f32>
// CHECK-NEXT:    dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %w: tensor<f32>) {
// CHECK-NEXT:      dfg.send %n to "cpu:1" channel 0 : tensor<i32>
// CHECK-NEXT:      dfg.send %w to "cpu:1" channel 1 : tensor<f32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i = dcf.while "outer" (%k = %zero : tensor<i32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u = dfg.recv from "cpu:1" channel 2 : tensor<f32>
// CHECK-NEXT:        %s = stablehlo.sine %u : tensor<f32>
// CHECK-NEXT:        dfg.send %s to "cpu:1" channel 3 : tensor<f32>
// CHECK-NEXT:        %k1 = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %k1 : tensor<i32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%x: tensor<f32>) -> tensor<f32> feeds [2] {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 0 : tensor<i32>
// CHECK-NEXT:      %w = dfg.recv from "cpu:0" channel 1 : tensor<f32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i, %a = dcf.while "outer" (%k = %zero, %u = %x : tensor<i32>, tensor<f32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        dfg.send %u to "cpu:0" channel 2 : tensor<f32>
// CHECK-NEXT:        %s = dfg.recv from "cpu:0" channel 3 : tensor<f32>
// CHECK-NEXT:        %j, %b = dcf.while "inner" (%l = %zero, %v = %s : tensor<i32>, tensor<f32>) cond {
// CHECK-NEXT:          %more = stablehlo.compare LT, %l, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:          dcf.condition %more
// CHECK-NEXT:        } do {
// CHECK-NEXT:          %v1 = stablehlo.multiply %v, %w : tensor<f32>
// CHECK-NEXT:          %l1 = stablehlo.add %l, %one : tensor<i32>
// CHECK-NEXT:          dcf.yield %l1, %v1 : tensor<i32>, tensor<f32>
// CHECK-NEXT:        } {dfg.region_id = 1 : i64}
// CHECK-NEXT:        %k1 = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %k1, %b : tensor<i32>, tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %a : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
