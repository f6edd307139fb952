// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// Newton's iteration is no counter: its step stays on its device, and sends what the test on the
// other one reads; the test's owner tells it whether to go on.

func.func @main(%a: tensor<f32> {plan.device = "cpu:0"}, %x0: tensor<f32> {plan.device = "cpu:1"}) -> (tensor<f32> {plan.device = "cpu:1"}) {
  %half = stablehlo.constant {plan.device = "cpu:1"} dense<0.5> : tensor<f32>
  %small = stablehlo.constant {plan.device = "cpu:0"} dense<0.001> : tensor<f32>
  %r = dcf.while "newton" (%x = %x0 : tensor<f32>) cond {
    %square = stablehlo.multiply %x, %x {plan.device = "cpu:0"} : tensor<f32>
    %error = stablehlo.subtract %square, %a {plan.device = "cpu:0"} : tensor<f32>
    %far = stablehlo.compare GT, %error, %small {plan.device = "cpu:0"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %far
  } do {
    %quotient = stablehlo.divide %a, %x {plan.device = "cpu:1"} : tensor<f32>
    %sum = stablehlo.add %x, %quotient {plan.device = "cpu:1"} : tensor<f32>
    %x1 = stablehlo.multiply %half, %sum {plan.device = "cpu:1"} : tensor<f32>
    dcf.yield %x1 : tensor<f32>
  }
  return %r : tensor<f32>
}

// CHECK-LABEL: dfg.program @main (tensor<f32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
// CHECK-NEXT:    dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<f32>
// CHECK-NEXT:    dfg.channel 2 from "cpu:0" to "cpu:1" : tensor<i1>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%a: tensor<f32>) {
// CHECK-NEXT:      dfg.send %a to "cpu:1" channel 0 : tensor<f32>
// CHECK-NEXT:      %small = stablehlo.constant dense<1.000000e-03> : tensor<f32>
// CHECK-NEXT:      dcf.while "newton" () cond {
// CHECK-NEXT:        %x = dfg.recv from "cpu:1" channel 1 : tensor<f32>
// CHECK-NEXT:        %square = stablehlo.multiply %x, %x : tensor<f32>
// CHECK-NEXT:        %error = stablehlo.subtract %square, %a : tensor<f32>
// CHECK-NEXT:        %far = stablehlo.compare GT, %error, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:        dfg.send %far to "cpu:1" channel 2 : tensor<i1>
// CHECK-NEXT:        dcf.condition %far
// CHECK-NEXT:      } do {
// CHECK-NEXT:        dcf.yield
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%x0: tensor<f32>) -> tensor<f32> feeds [1] {
// CHECK-NEXT:      %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
// CHECK-NEXT:      %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:      %r = dcf.while "newton" (%x = %x0 : tensor<f32>) cond {
// CHECK-NEXT:        dfg.send %x to "cpu:0" channel 1 : tensor<f32>
// CHECK-NEXT:        %far = dfg.recv from "cpu:0" channel 2 : tensor<i1>
// CHECK-NEXT:        dcf.condition %far
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %quotient = stablehlo.divide %a, %x : tensor<f32>
// CHECK-NEXT:        %sum = stablehlo.add %x, %quotient : tensor<f32>
// CHECK-NEXT:        %x1 = stablehlo.multiply %half, %sum : tensor<f32>
// CHECK-NEXT:        dcf.yield %x1 : tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch %r : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
