// RUN: anabranch-opt %s -p partition-devices | filecheck %s

// A branch over three devices: each takes part only if something in it concerns that device. A
// value from outside is sent outside; one made in a branch is sent inside that branch; the result
// lives where the first branch makes it. An unused result is nowhere.

func.func @branch(%p: tensor<i1> {plan.device = "cpu:0"}, %x: tensor<f32> {plan.device = "cpu:1"}) -> (tensor<f32> {plan.device = "cpu:0"}) {
  %r, %unused = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<f32>) then {
    %s = stablehlo.sine %x {plan.device = "cpu:1"} : tensor<f32>
    %t = stablehlo.tanh %s {plan.device = "cpu:2"} : tensor<f32>
    dcf.yield %t, %s : tensor<f32>, tensor<f32>
  } else {
    dcf.yield %x, %x : tensor<f32>, tensor<f32>
  }
  return %r : tensor<f32>
}

// CHECK-LABEL: dfg.program @branch (tensor<i1>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<i1>
// CHECK-NEXT:    dfg.channel 1 from "cpu:0" to "cpu:2" : tensor<i1>
// CHECK-NEXT:    dfg.channel 2 from "cpu:1" to "cpu:2" : tensor<f32>
// CHECK-NEXT:    dfg.channel 3 from "cpu:1" to "cpu:2" : tensor<f32>
// CHECK-NEXT:    dfg.channel 4 from "cpu:2" to "cpu:0" : tensor<f32>
// CHECK-NEXT:    dfg.partition on "cpu:0" (%p: tensor<i1>) -> tensor<f32> {
// CHECK-NEXT:      dfg.send %p to "cpu:1" channel 0 : tensor<i1>
// CHECK-NEXT:      dfg.send %p to "cpu:2" channel 1 : tensor<i1>
// CHECK-NEXT:      %r = dfg.recv from "cpu:2" channel 4 : tensor<f32>
// CHECK-NEXT:      dfg.fetch %r : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:1" (%x: tensor<f32>) feeds [1] {
// CHECK-NEXT:      %p = dfg.recv from "cpu:0" channel 0 : tensor<i1>
// CHECK-NEXT:      dfg.send %x to "cpu:2" channel 2 : tensor<f32>
// CHECK-NEXT:      dcf.cond %p : tensor<i1> then {
// CHECK-NEXT:        %s = stablehlo.sine %x : tensor<f32>
// CHECK-NEXT:        dfg.send %s to "cpu:2" channel 3 : tensor<f32>
// CHECK-NEXT:        dcf.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        dcf.yield
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:    dfg.partition on "cpu:2" () {
// CHECK-NEXT:      %p = dfg.recv from "cpu:0" channel 1 : tensor<i1>
// CHECK-NEXT:      %x = dfg.recv from "cpu:1" channel 2 : tensor<f32>
// CHECK-NEXT:      %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
// CHECK-NEXT:        %s = dfg.recv from "cpu:1" channel 3 : tensor<f32>
// CHECK-NEXT:        %t = stablehlo.tanh %s : tensor<f32>
// CHECK-NEXT:        dcf.yield %t : tensor<f32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        dcf.yield %x : tensor<f32>
// CHECK-NEXT:      } {dfg.region_id = 0 : i64}
// CHECK-NEXT:      dfg.send %r to "cpu:0" channel 4 : tensor<f32>
// CHECK-NEXT:      dfg.fetch
// CHECK-NEXT:    }
// CHECK-NEXT:  }
