// RUN: %roundtrip %s | filecheck %s

// CHECK-LABEL: dfg.program @identity (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
dfg.program @identity (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  // CHECK-NEXT: dfg.graph on "cpu:0" (%a: tensor<f32>, %b: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  // CHECK-NEXT: dfg.fetch %a, %b {note} : tensor<f32>, tensor<i32>
  // CHECK-NEXT: } {note}
  // CHECK-NEXT: } {note}
  dfg.graph on "cpu:0" (%a: tensor<f32>, %b: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
    dfg.fetch %a, %b {note} : tensor<f32>, tensor<i32>
  } {note}
} {note}

// CHECK-LABEL: dfg.program @nothing () {
// CHECK-NEXT: dfg.graph on "cpu:0" () {
// CHECK-NEXT: dfg.fetch
// CHECK-NEXT: }
dfg.program @nothing () {
  dfg.graph on "cpu:0" () {
    dfg.fetch
  }
}

// Two devices: what each feeds and fetches of the program is given unless it is 0, 1, 2, ….

// CHECK-LABEL: dfg.program @"two devices" (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
dfg.program @"two devices" (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  // CHECK-NEXT: dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  // CHECK-NEXT: dfg.channel 4 from "cpu:1" to "cpu:0" {note} : !dfg.token
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.channel 4 from "cpu:1" to "cpu:0" {note} : !dfg.token
  // CHECK-NEXT: dfg.graph on "cpu:0" (%a: tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    dfg.fetch
  }
  // CHECK: dfg.graph on "cpu:1" (%b: tensor<i32>) -> (tensor<i32>, tensor<f32>) feeds [1] fetches [1, 0] {
  dfg.graph on "cpu:1" (%b: tensor<i32>) -> (tensor<i32>, tensor<f32>) feeds [1] fetches [1, 0] {
    %c = dfg.recv from "cpu:0" channel 3 : tensor<f32>
    dfg.fetch %b, %c : tensor<i32>, tensor<f32>
  }
}
