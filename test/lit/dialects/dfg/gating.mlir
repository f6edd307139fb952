// RUN: anabranch-opt %s | filecheck %s

// What goes on to the next iteration is dead when the loop's predicate is false: ways to get there.

// A branch in the body, with a captured predicate and constants that the loop's predicate gates.

// CHECK-LABEL: dfg.program @branch_in_loop
dfg.program @branch_in_loop (tensor<i32>, tensor<i1>) -> tensor<i32> {
  dfg.graph on "cpu:0" (%n: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n_in = dfg.enter constant %n in "w" : tensor<i32>
    %p_in = dfg.enter constant %p in "w" : tensor<i1>
    %one_in = dfg.enter constant %one in "w" : tensor<i32>
    %i_in = dfg.enter %one in "w" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %lt = stablehlo.compare LT, %i, %n_in : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %lt
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %p_done, %p_body = dfg.switch %p_in, %go : tensor<i1>
    %no, %yes = dfg.switch %one_in, %p_body : tensor<i32>
    %step, %step_from = dfg.merge %no, %yes : tensor<i32>
    %i1 = stablehlo.add %i_body, %step : tensor<i32>
    %i_next = dfg.next_iteration %i1 : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}

// An inner loop whose carry starts from a value that nothing gates, but whose bound is gated: its
// predicate is dead when the outer loop's is false, and with it what leaves it.

// CHECK-LABEL: dfg.program @inner_loop_gated_by_bound
dfg.program @inner_loop_gated_by_bound (tensor<i32>) -> tensor<i32> {
  dfg.graph on "cpu:0" (%n: tensor<i32>) -> tensor<i32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n_in = dfg.enter constant %n in "outer" : tensor<i32>
    %zero_in = dfg.enter constant %zero in "outer" : tensor<i32>
    %i_in = dfg.enter %zero in "outer" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %lt = stablehlo.compare LT, %i, %n_in : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %lt
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>

    %bound = dfg.enter constant %i_body in "inner" : tensor<i32>
    %k_in = dfg.enter %zero_in in "inner" : tensor<i32>
    %k, %k_from = dfg.merge %k_in, %k_next : tensor<i32>
    %more = stablehlo.compare LT, %k, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %on = dfg.loop_cond %more
    %k_done, %k_body = dfg.switch %k, %on : tensor<i32>
    %k1 = stablehlo.add %k_body, %bound : tensor<i32>
    %k_next = dfg.next_iteration %k1 : tensor<i32>
    %j = dfg.exit %k_done : tensor<i32>

    %i_next = dfg.next_iteration %j : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}

// A token gates a constant.

// CHECK-LABEL: dfg.program @token
dfg.program @token (tensor<i1>) -> tensor<i1> {
  dfg.graph on "cpu:0" (%p: tensor<i1>) -> tensor<i1> {
    %start = dfg.token
    %t_in = dfg.enter constant %start in "w" : !dfg.token
    %p_in = dfg.enter %p in "w" : tensor<i1>
    %q, %q_from = dfg.merge %p_in, %q_next : tensor<i1>
    %go = dfg.loop_cond %q
    %q_done, %q_body = dfg.switch %q, %go : tensor<i1>
    %t_done, %t_body = dfg.switch %t_in, %go : !dfg.token
    %c = dfg.constant dense<false> after %t_body : tensor<i1>
    %q_next = dfg.next_iteration %c : tensor<i1>
    %r = dfg.exit %q_done : tensor<i1>
    dfg.fetch %r : tensor<i1>
  }
}

// Without a next_iteration a frame needs no condition.

// CHECK-LABEL: dfg.program @once
dfg.program @once (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    %in = dfg.enter %a in "once" : tensor<f32>
    %r = dfg.exit %in : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }
}
