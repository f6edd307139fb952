// RUN: anabranch-opt %s -p 'device-pipeline{devices="cpu:0","cpu:1"}' | filecheck %s

// From a source program with two placed ops to a graph for each device; the rest follows its operands.

func.func @main(%n: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%k = %zero, %u = %x, %v = %y) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %go = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %k, %one : tensor<i32>
    %u1 = stablehlo.sine %u {plan.device = "cpu:0"} : tensor<4xf32>
    %v1 = stablehlo.add %v, %u1 {plan.device = "cpu:1"} : tensor<4xf32>
    stablehlo.return %j, %u1, %v1 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      dfg.program @main
// CHECK-NEXT:   dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i32>
// CHECK-NEXT:   dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<4xf32>
// CHECK-NEXT:   dfg.graph on "cpu:0"
// CHECK:          %[[U:.*]] = stablehlo.sine
// CHECK-NEXT:     dfg.send %[[U]] to "cpu:1" channel 1
// CHECK:        dfg.graph on "cpu:1"
// CHECK:          %[[W:.*]] = dfg.recv from "cpu:0" channel 1 after
// CHECK-NEXT:     stablehlo.add {{.*}}, %[[W]]
