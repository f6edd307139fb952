// RUN: not anabranch-run %s 2>&1 | filecheck %s

// Found before anything runs.
// CHECK: receive_without_send.mlir:[[# @LINE + 6]]:5: error: channel 3: expected a dfg.send on "cpu:1" (which has no dfg.graph) for this dfg.recv on "cpu:0", got none

dfg.program @main () -> (tensor<i32>) {
  dfg.channel 3 from "cpu:1" to "cpu:0" : tensor<i32>
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %start = dfg.token
    %x = dfg.recv from "cpu:1" channel 3 after %start : tensor<i32>
    %y = stablehlo.negate %x : tensor<i32>
    dfg.fetch %y : tensor<i32>
  }
}
