// RUN: anabranch-opt %s -p device-pipeline,print-channels 2>&1 >/dev/null | filecheck %s
// RUN: anabranch-opt %S/../../../../examples/newton.mlir -p 'gradient-pipeline{optimized=false},device-pipeline{devices="cpu:0","cpu:1","cpu:2" random=1},print-channels' 2>&1 >/dev/null | filecheck %s --check-prefix GRAD
// RUN: anabranch-opt %s -p print-channels 2>&1 >/dev/null | filecheck %s --check-prefix NONE
// RUN: anabranch-opt %s -p print-channels 2>/dev/null | filecheck %s --check-prefix SAME

// NONE: print-channels: there is no program of several devices (device-pipeline makes one)
// SAME: func.func @main

// In a graph, what a loop carries comes out of a switch; it is called by what made it in a trip.

// What a message of a gradient has no place for, it has from the ops before.

// GRAD: channels of @main.grad
// GRAD-NOT: dfg.
// GRAD-NOT: unknown
// GRAD: 19 a result of stablehlo.add
// GRAD-NOT: unknown

// CHECK: channels of @main
// CHECK: a result of stablehlo.sine tensor<f32> 4 cpu:0 cpu:1 loop 1 ? {{.*}}graph.mlir:[[# @LINE + 4]]:28
// CHECK-NOT: dfg.
// CHECK-NOT: unknown
func.func @main(%0: tensor<f32>, %1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %2:2 = dcf.while "loop" (%3 = %0, %4 = %1 : tensor<f32>, tensor<f32>) cond {
    %5 = stablehlo.compare LT, %3, %1 {plan.device = "cpu:0"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %5
  } do {
    %5 = stablehlo.sine %3 {plan.device = "cpu:0"} : tensor<f32>
    %6 = stablehlo.multiply %4, %3 {plan.device = "cpu:1"} : tensor<f32>
    dcf.yield %5, %6 : tensor<f32>, tensor<f32>
  }
  return %2#0, %2#1 : tensor<f32>, tensor<f32>
}
