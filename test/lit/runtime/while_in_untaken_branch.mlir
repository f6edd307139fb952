// RUN: anabranch-run %s | filecheck %s
// RUN: anabranch-run %s --no-fuse | filecheck %s
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s
// RUN: anabranch-run %s --stats 2>&1 | filecheck %s --check-prefix STATS

// The loop's enters are dead, so its one iteration is, and its exit is delivered dead to the merge.

// CHECK: out0 = 5

// STATS: f {{ *}}1 {{ *}}1 {{ *}}1

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %p = stablehlo.constant dense<false> : tensor<i1>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n_no, %n_yes = dfg.switch %n, %p : tensor<i32>
    %zero_no, %zero_yes = dfg.switch %zero, %p : tensor<i32>
    %one_no, %one_yes = dfg.switch %one, %p : tensor<i32>
    %i_in = dfg.enter %zero_yes in "f" : tensor<i32>
    %one_in = dfg.enter constant %one_yes in "f" : tensor<i32>
    %n_in = dfg.enter constant %n_yes in "f" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %i2 = stablehlo.add %i_body, %one_in : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %counted = dfg.exit %i_done : tensor<i32>
    %r, %r_from = dfg.merge %n_no, %counted : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
