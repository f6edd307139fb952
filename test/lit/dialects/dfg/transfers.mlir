// RUN: %roundtrip %s | filecheck %s

// Without declared channels, sends and receives are checked only for their other device.

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: %t = dfg.token
    %t = dfg.token
    // CHECK-NEXT: dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    // CHECK-NEXT: dfg.send %a to "cpu:1" channel 4 {note, ship_dead} : tensor<f32>
    dfg.send %a to "cpu:1" channel 4 {note, ship_dead} : tensor<f32>
    // CHECK-NEXT: %b = dfg.recv from "cpu:1" channel 5 after %t : tensor<i32>
    %b = dfg.recv from "cpu:1" channel 5 after %t : tensor<i32>
    // CHECK-NEXT: %c = dfg.recv from "cpu:1" channel 6 {ship_dead} : tensor<2x?xf32>
    %c = dfg.recv from "cpu:1" channel 6 {ship_dead} : tensor<2x?xf32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    dfg.fetch
  }
}
