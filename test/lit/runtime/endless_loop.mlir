// RUN: not anabranch-run %s --deadline 0.3 2>&1 | filecheck %s
// RUN: not anabranch-run %s --deadline 0.3 --no-fuse 2>&1 | filecheck %s

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i_in = dfg.enter %zero in "newton" : tensor<i32>
    %zero_in = dfg.enter constant %zero in "newton" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %same = stablehlo.compare EQ, %i, %zero_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: endless_loop.mlir:13:5: error: the deadline of 0.3 s passed: loop "newton" is at iteration {{[0-9]+}}
    %go = dfg.loop_cond %same
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %i_next = dfg.next_iteration %i_body : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
