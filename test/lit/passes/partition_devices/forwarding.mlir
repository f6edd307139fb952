// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A device that only forwards: it takes part in the loop with one op between two other devices.

func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<2xf32> {plan.device = "cpu:0"}, %y: tensor<2xf32> {plan.device = "cpu:2"}) -> (tensor<2xf32> {plan.device = "cpu:2"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %i, %a, %b = dcf.while "loop" (%k = %zero, %u = %x, %v = %y : tensor<i32>, tensor<2xf32>, tensor<2xf32>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %u1 = stablehlo.sine %u {plan.device = "cpu:0"} : tensor<2xf32>
    %w = stablehlo.negate %u1 {plan.device = "cpu:1"} : tensor<2xf32>
    %v1 = stablehlo.add %v, %w {plan.device = "cpu:2"} : tensor<2xf32>
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %u1, %v1 : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  return %b : tensor<2xf32>
}

// CHECK-LABEL: dfg.program @main (tensor<i32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:2" : tensor<i32>
// CHECK-NEXT:    dfg.channel 2 from "cpu:0" to "cpu:1" : tensor<2xf32>
// CHECK-NEXT:    dfg.channel 3 from "cpu:1" to "cpu:2" : tensor<2xf32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<2xf32>) {
// CHECK-NEXT:      dfg.send %n to "cpu:1" channel 0 : tensor<i32>
// CHECK-NEXT:      dfg.send %n to "cpu:2" channel 1 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i, %a = dcf.while "loop" (%k = %zero, %u = %x : tensor<i32>, tensor<2xf32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = stablehlo.sine %u : tensor<2xf32>
// CHECK-NEXT:        dfg.send %u1 to "cpu:1" channel 2 : tensor<2xf32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %u1 : tensor<i32>, tensor<2xf32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" () {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i = dcf.while "loop" (%k = %zero : tensor<i32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = dfg.recv from "cpu:0" channel 2 : tensor<2xf32>
// CHECK-NEXT:        %w = stablehlo.negate %u1 : tensor<2xf32>
// CHECK-NEXT:        dfg.send %w to "cpu:2" channel 3 : tensor<2xf32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j : tensor<i32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:2" (%y: tensor<2xf32>) -> tensor<2xf32> feeds [2] {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 1 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i, %b = dcf.while "loop" (%k = %zero, %v = %y : tensor<i32>, tensor<2xf32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %w = dfg.recv from "cpu:1" channel 3 : tensor<2xf32>
// CHECK-NEXT:        %v1 = stablehlo.add %v, %w : tensor<2xf32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %v1 : tensor<i32>, tensor<2xf32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %b : tensor<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
