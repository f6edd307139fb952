// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

dfg.program @no_condition (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "w" : tensor<f32>
    %m, %from = dfg.merge %in, %next : tensor<f32>
    // CHECK: gating_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.next_iteration' op expected a dfg.loop_cond in loop "w" to end its iterations, got none
    %next = dfg.next_iteration %m : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @two_conditions (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    %in = dfg.enter %p in "w" : tensor<i1>
    %go = dfg.loop_cond %in
    // CHECK: gating_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.loop_cond' op expected one dfg.loop_cond in loop "w", got a second one
    %on = dfg.loop_cond %in
    dfg.fetch
  }
}

// -----

// `while i < n { (i + 1, c) }` with an ungated constant would run for ever.

dfg.program @constant_yield (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %c_in = dfg.enter constant %c in "w" : tensor<f32>
    %p_in = dfg.enter constant %p in "w" : tensor<i1>
    %x_in = dfg.enter %c in "w" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %go : tensor<f32>
    // CHECK: gating_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "w", got %c_in of dfg.enter, which is live when that is false: the loop would never end
    %next = dfg.next_iteration %c_in : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @false_side (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %p_in = dfg.enter constant %p in "w" : tensor<i1>
    %x_in = dfg.enter %c in "w" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %go : tensor<f32>
    // CHECK: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "w", got %done of dfg.switch, which is live
    %next = dfg.next_iteration %done : tensor<f32>
    dfg.fetch
  }
}

// -----

// Another predicate does not gate.

dfg.program @other_predicate (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %p_in = dfg.enter constant %p in "w" : tensor<i1>
    %x_in = dfg.enter %c in "w" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %p_in : tensor<f32>
    // CHECK: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "w", got %body of dfg.switch, which is live
    %next = dfg.next_iteration %body : tensor<f32>
    dfg.fetch
  }
}

// -----

// A merge is live when one of its inputs is.

dfg.program @half_gated_branch (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %p_in = dfg.enter constant %p in "w" : tensor<i1>
    %c_in = dfg.enter constant %c in "w" : tensor<f32>
    %x_in = dfg.enter %c in "w" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %go : tensor<f32>
    %c_no, %c_yes = dfg.switch %c_in, %p_in : tensor<f32>
    %b_no, %b_yes = dfg.switch %body, %p_in : tensor<f32>
    %m, %m_from = dfg.merge %c_no, %b_yes : tensor<f32>
    // CHECK: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "w", got %m of dfg.merge, which is live
    %next = dfg.next_iteration %m : tensor<f32>
    dfg.fetch
  }
}

// -----

// An inner loop that starts from captures alone runs when the outer one has ended.

dfg.program @ungated_inner_loop (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %p_in = dfg.enter constant %p in "outer" : tensor<i1>
    %c_in = dfg.enter constant %c in "outer" : tensor<f32>
    %x_in = dfg.enter %c in "outer" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %go : tensor<f32>

    %q = dfg.enter constant %p_in in "inner" : tensor<i1>
    %y_in = dfg.enter %c_in in "inner" : tensor<f32>
    %y, %y_from = dfg.merge %y_in, %y_next : tensor<f32>
    %on = dfg.loop_cond %q
    %y_done, %y_body = dfg.switch %y, %on : tensor<f32>
    %y_next = dfg.next_iteration %y_body : tensor<f32>
    %z = dfg.exit %y_done : tensor<f32>

    // CHECK: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "outer", got %z of dfg.exit, which is live
    %next = dfg.next_iteration %z : tensor<f32>
    dfg.fetch
  }
}

// -----

// An inner loop's carry that starts gated, but is brought back from a value that is not.

dfg.program @ungated_back_edge (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %c: tensor<f32>) {
    %p_in = dfg.enter constant %p in "outer" : tensor<i1>
    %c_in = dfg.enter constant %c in "outer" : tensor<f32>
    %x_in = dfg.enter %c in "outer" : tensor<f32>
    %x, %from = dfg.merge %x_in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %x, %go : tensor<f32>

    %q = dfg.enter constant %p_in in "inner" : tensor<i1>
    %k = dfg.enter constant %c_in in "inner" : tensor<f32>
    %y_in = dfg.enter %body in "inner" : tensor<f32>
    %y, %y_from = dfg.merge %y_in, %y_next : tensor<f32>
    %on = dfg.loop_cond %q
    %y_done, %y_body = dfg.switch %y, %on : tensor<f32>
    %k_done, %k_body = dfg.switch %k, %on : tensor<f32>
    %y_next = dfg.next_iteration %k_body : tensor<f32>
    %z = dfg.exit %y_done : tensor<f32>

    // CHECK: error: 'dfg.next_iteration' op expected a value from the true side of a dfg.switch on the dfg.loop_cond of loop "outer", got %z of dfg.exit, which is live
    %next = dfg.next_iteration %z : tensor<f32>
    dfg.fetch
  }
}
