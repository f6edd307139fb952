// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A float that goes on by steps and is scaled by invariants, as a time or a rate, counts as
// control: each device has its own, and no message tells when to stop.

func.func @main(%end: tensor<f32> {plan.device = "cpu:0"}, %step: tensor<f32> {plan.device = "cpu:0"}, %x: tensor<2xf32> {plan.device = "cpu:1"}) -> (tensor<2xf32> {plan.device = "cpu:1"}, tensor<f32> {plan.device = "cpu:0"}) {
  %zero = stablehlo.constant {plan.device = "cpu:0"} dense<0.0> : tensor<f32>
  %half = stablehlo.constant {plan.device = "cpu:0"} dense<0.5> : tensor<f32>
  %t, %v = dcf.while "steps" (%now = %zero, %u = %x : tensor<f32>, tensor<2xf32>) cond {
    %scaled = stablehlo.multiply %now, %half {plan.device = "cpu:0"} : tensor<f32>
    %go = stablehlo.compare LT, %scaled, %end {plan.device = "cpu:0"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %later = stablehlo.add %now, %step {plan.device = "cpu:0"} : tensor<f32>
    %w = stablehlo.sine %u {plan.device = "cpu:1"} : tensor<2xf32>
    dcf.yield %later, %w : tensor<f32>, tensor<2xf32>
  }
  return %v, %t : tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: dfg.program @main (tensor<f32>, tensor<f32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%end: tensor<f32>, %step: tensor<f32>) -> tensor<f32> fetches [1] {
// CHECK-NEXT:      dfg.send %end to "cpu:1" channel 0 : tensor<f32>
// CHECK-NEXT:      dfg.send %step to "cpu:1" channel 1 : tensor<f32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:      %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:      %t = dcf.while "steps" (%now = %zero : tensor<f32>) cond {
// CHECK-NEXT:        %scaled = stablehlo.multiply %now, %half : tensor<f32>
// CHECK-NEXT:        %go = stablehlo.compare LT, %scaled, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %later = stablehlo.add %now, %step : tensor<f32>
// CHECK-NEXT:        dcf.yield %later : tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %t : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%x: tensor<2xf32>) -> tensor<2xf32> feeds [2] {
// CHECK-NEXT:      %end = dfg.recv from "cpu:0" channel 0 : tensor<f32>
// CHECK-NEXT:      %step = dfg.recv from "cpu:0" channel 1 : tensor<f32>
// CHECK-NEXT:      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:      %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:      %t, %v = dcf.while "steps" (%now = %zero, %u = %x : tensor<f32>, tensor<2xf32>) cond {
// CHECK-NEXT:        %scaled = stablehlo.multiply %now, %half : tensor<f32>
// CHECK-NEXT:        %go = stablehlo.compare LT, %scaled, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:        dcf.condition %go
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %later = stablehlo.add %now, %step : tensor<f32>
// CHECK-NEXT:        %w = stablehlo.sine %u : tensor<2xf32>
// CHECK-NEXT:        dcf.yield %later, %w : tensor<f32>, tensor<2xf32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %v : tensor<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
