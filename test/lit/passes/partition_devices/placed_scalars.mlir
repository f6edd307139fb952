// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// An op whose result is only data for another device runs where it was placed, cheap or not; the
// loop's counter, which it reads, is computed on each device.

func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<i32> {plan.device = "cpu:0"}) -> (tensor<i32> {plan.device = "cpu:0"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %i, %a = dcf.while "loop" (%k = %zero, %u = %x : tensor<i32>, tensor<i32>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %square = stablehlo.multiply %k, %k {plan.device = "cpu:1"} : tensor<i32>
    %power = stablehlo.power %u, %square {plan.device = "cpu:0"} : tensor<i32>
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %power : tensor<i32>, tensor<i32>
  }
  return %a : tensor<i32>
}

// CHECK-LABEL: dfg.program @main (tensor<i32>, tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<i32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:      dfg.send %n to "cpu:1" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i, %a = dcf.while "loop" (%k = %zero, %u = %x : tensor<i32>, tensor<i32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %square = dfg.recv from "cpu:1" channel 1 : tensor<i32>
// CHECK-NEXT:        %power = stablehlo.power %u, %square : tensor<i32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %power : tensor<i32>, tensor<i32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %a : tensor<i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" () {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %i = dcf.while "loop" (%k = %zero : tensor<i32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %square = stablehlo.multiply %k, %k : tensor<i32>
// CHECK-NEXT:        dfg.send %square to "cpu:0" channel 1 : tensor<i32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j : tensor<i32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:  }
