// RUN: not anabranch-run %s 2>&1 | filecheck %s

// CHECK: no_progress.mlir:{{[0-9]+}}:5: error: no node of cpu:0 can fire and results are missing: dfg.recv lacks a message of channel 3; stablehlo.negate (node {{[0-9]+}}) lacks input 0 from dfg.recv

dfg.program @main () -> (tensor<i32>) {
  dfg.channel 3 from "cpu:1" to "cpu:0" : tensor<i32>
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %start = dfg.token
    %x = dfg.recv from "cpu:1" channel 3 after %start : tensor<i32>
    %y = stablehlo.negate %x : tensor<i32>
    dfg.fetch %y : tensor<i32>
  }
}
