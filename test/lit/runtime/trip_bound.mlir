// RUN: not anabranch-run %s 2>&1 | filecheck %s
// RUN: not anabranch-run %s --no-fuse 2>&1 | filecheck %s

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %i_in = dfg.enter %zero in "f" : tensor<i32>
    %one_in = dfg.enter constant %one in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: trip_bound.mlir:15:5: error: dfg.loop_cond on cpu:0 in iteration 4 of "f": expected at most 4 trips (trip_bound), got a true predicate after them
    %go = dfg.loop_cond %less {trip_bound = 4 : i64}
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %i2 = stablehlo.add %i_body, %one_in : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
