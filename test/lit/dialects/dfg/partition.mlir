// RUN: %roundtrip %s
// RUN: anabranch-opt %s | filecheck %s

// The structured parts of a program over two devices, joined by channels at the same depth.

// CHECK-LABEL: dfg.program @main (tensor<f32>, tensor<i32>) -> tensor<f32> {
dfg.program @main (tensor<f32>, tensor<i32>) -> tensor<f32> {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
  // CHECK: dfg.partition on "cpu:0" (%x: tensor<f32>, %n: tensor<i32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>, %n: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r, %k = dcf.while "loop" (%v = %x, %i = %zero : tensor<f32>, tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      %w = stablehlo.add %v, %v : tensor<f32>
      // CHECK: dfg.send %w to "cpu:1" channel 0 : tensor<f32>
      dfg.send %w to "cpu:1" channel 0 : tensor<f32>
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %w, %j : tensor<f32>, tensor<i32>
    }
    // CHECK: dfg.fetch
    dfg.fetch
  }
  // CHECK: dfg.partition on "cpu:1" (%n: tensor<i32>) -> tensor<f32> feeds [1] {
  dfg.partition on "cpu:1" (%n: tensor<i32>) -> tensor<f32> feeds [1] {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %s, %k = dcf.while "loop" (%sum = %none, %i = %zero : tensor<f32>, tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      // CHECK: %w = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      %w = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      %t = stablehlo.add %sum, %w : tensor<f32>
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %t, %j : tensor<f32>, tensor<i32>
    }
    // CHECK: dfg.fetch %s : tensor<f32>
    dfg.fetch %s : tensor<f32>
  }
}
