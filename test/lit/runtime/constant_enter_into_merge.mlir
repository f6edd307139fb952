// RUN: not anabranch-run %s 2>&1 | filecheck %s

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %zero_in = dfg.enter constant %zero in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    // CHECK: constant_enter_into_merge.mlir:10:5: error: {{.*}}expected inputs that come once, got a constant dfg.enter for input 0 in frame "f"
    %i, %i_from = dfg.merge %zero_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %i_next = dfg.next_iteration %i_body : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
