// RUN: not anabranch-run %s 2>&1 | filecheck %s

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %x = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.constant dense<true> : tensor<i1>
    %no, %yes = dfg.switch %x, %p : tensor<i32>
    %a = stablehlo.negate %no : tensor<i32>
    // CHECK: dead_fetch.mlir:10:5: error: dfg.fetch on cpu:0: expected result 0 to be live, got a dead value; the switch at {{.*}}dead_fetch.mlir:7:5 took its true branch, so its false one is dead
    dfg.fetch %a : tensor<i32>
  }
}
