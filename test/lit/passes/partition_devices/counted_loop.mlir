// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A counted loop over two devices: each has its own counter, so the only message of a trip is the
// value that the second device takes from the first. The bound is sent once.

func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<8xf32> {plan.device = "cpu:0"}, %y: tensor<8xf32> {plan.device = "cpu:1"}) -> (tensor<8xf32> {plan.device = "cpu:0"}, tensor<8xf32> {plan.device = "cpu:1"}, tensor<i32> {plan.device="cpu:1"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0> : tensor<i32>
  %one = stablehlo.constant {plan.device = "cpu:0"} dense<1> : tensor<i32>
  %c = stablehlo.constant {plan.device = "cpu:0"} dense<0.5> : tensor<8xf32>
  %i, %a, %b = dcf.while "loop" (%k = %zero, %u = %x, %v = %y : tensor<i32>, tensor<8xf32>, tensor<8xf32>) cond {
    %go = stablehlo.compare LT, %k, %n {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %u1 = stablehlo.multiply %u, %c {plan.device = "cpu:0"} : tensor<8xf32>
    %v0 = stablehlo.multiply %v, %c {plan.device = "cpu:1"} : tensor<8xf32>
    %v1 = stablehlo.add %v0, %u1 {plan.device = "cpu:1"} : tensor<8xf32>
    %j = stablehlo.add %k, %one {plan.device = "cpu:0"} : tensor<i32>
    dcf.yield %j, %u1, %v1 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  }
  return %a, %b, %i : tensor<8xf32>, tensor<8xf32>, tensor<i32>
}

// CHECK-LABEL: dfg.program @main (tensor<i32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<8xf32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:      dfg.send %n to "cpu:1" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %c = stablehlo.constant dense<5.000000e-01> : tensor<8xf32>
// CHECK-NEXT:      %i, %a = dcf.while "loop" (%k = %zero, %u = %x : tensor<i32>, tensor<8xf32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = stablehlo.multiply %u, %c : tensor<8xf32>
// CHECK-NEXT:        dfg.send %u1 to "cpu:1" channel 1 : tensor<8xf32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %u1 : tensor<i32>, tensor<8xf32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %a : tensor<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%y: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) feeds [2] fetches [1, 2] {
// CHECK-NEXT:      %n = dfg.recv from "cpu:0" channel 0 : tensor<i32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:      %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      %c = stablehlo.constant dense<5.000000e-01> : tensor<8xf32>
// CHECK-NEXT:      %i, %b = dcf.while "loop" (%k = %zero, %v = %y : tensor<i32>, tensor<8xf32>) cond {
// CHECK-NEXT:        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = dfg.recv from "cpu:0" channel 1 : tensor<8xf32>
// CHECK-NEXT:        %v0 = stablehlo.multiply %v, %c : tensor<8xf32>
// CHECK-NEXT:        %v1 = stablehlo.add %v0, %u1 : tensor<8xf32>
// CHECK-NEXT:        %j = stablehlo.add %k, %one : tensor<i32>
// CHECK-NEXT:        dcf.yield %j, %v1 : tensor<i32>, tensor<8xf32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %b, %i : tensor<8xf32>, tensor<i32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
