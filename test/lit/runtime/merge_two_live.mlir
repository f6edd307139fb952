// RUN: not anabranch-run %s 2>&1 | filecheck %s
// RUN: not anabranch-run %s --parallel-iterations 1 2>&1 | filecheck %s

// Both inputs of the merge are live in iteration 2, of which the second comes late.

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %zero_in = dfg.enter %zero in "f" : tensor<i32>
    %one_in = dfg.enter constant %one in "f" : tensor<i32>
    %two_in = dfg.enter constant %two in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %i, %i_from = dfg.merge %zero_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %is_two = stablehlo.compare EQ, %i_body, %two_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %i_no, %i_yes = dfg.switch %i_body, %is_two : tensor<i32>
    %late = stablehlo.negate %i_body : tensor<i32>
    %later = stablehlo.negate %late : tensor<i32>
    // CHECK: merge_two_live.mlir:25:5: error: dfg.merge on cpu:0 in iteration 2 of "f": expected one live input, got two: inputs 0 and 1
    %both, %which = dfg.merge %i_yes, %later : tensor<i32>
    %i2 = stablehlo.add %both, %one_in : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
