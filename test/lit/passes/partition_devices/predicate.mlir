// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A predicate that depends on data is sent by its owner to each other participant, once per
// evaluation, the false one included. The device that only follows it needs no other message.

func.func @predicate(%x: tensor<f32> {plan.device = "cpu:0"}, %y: tensor<f32> {plan.device = "cpu:1"}) -> (tensor<f32> {plan.device = "cpu:1"}) {
  %half = stablehlo.constant {plan.device = "cpu:0"} dense<0.5> : tensor<f32>
  %small = stablehlo.constant {plan.device = "cpu:0"} dense<0.1> : tensor<f32>
  %a, %b = dcf.while "halve" (%u = %x, %v = %y : tensor<f32>, tensor<f32>) cond {
    %s = stablehlo.sine %u {plan.device = "cpu:0"} : tensor<f32>
    %go = stablehlo.compare GT, %s, %small {plan.device = "cpu:0"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %u1 = stablehlo.tanh %u {plan.device = "cpu:0"} : tensor<f32>
    %v1 = stablehlo.cosine %v {plan.device = "cpu:1"} : tensor<f32>
    dcf.yield %u1, %v1 : tensor<f32>, tensor<f32>
  }
  return %b : tensor<f32>
}

// CHECK-LABEL: dfg.program @predicate (tensor<f32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i1>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%x: tensor<f32>) {
// CHECK-NEXT:      %small = stablehlo.constant dense<1.000000e-01> : tensor<f32>
// CHECK-NEXT:      %a = dcf.while "halve" (%u = %x : tensor<f32>) cond {
// CHECK-NEXT:        %s = stablehlo.sine %u : tensor<f32>
// CHECK-NEXT:        %go = stablehlo.compare GT, %s, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:        dfg.send %go to "cpu:1" channel 0 : tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %u1 = stablehlo.tanh %u : tensor<f32>
// CHECK-NEXT:        dcf.yield %u1 : tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%y: tensor<f32>) -> tensor<f32> feeds [1] {
// CHECK-NEXT:      %b = dcf.while "halve" (%v = %y : tensor<f32>) cond {
// CHECK-NEXT:        %go = dfg.recv from "cpu:0" channel 0 : tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %v1 = stablehlo.cosine %v : tensor<f32>
// CHECK-NEXT:        dcf.yield %v1 : tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %b : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
