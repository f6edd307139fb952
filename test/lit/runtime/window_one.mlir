// RUN: anabranch-run %s --no-fuse | filecheck %s
// RUN: anabranch-run %s --stats 2>&1 | filecheck %s --check-prefix STATS

// With a window of 1 a next_iteration waits until its iteration is complete.

// CHECK: out0 = 5
// CHECK: out1 = 20

// STATS: frame        instances  iterations  live at peak
// STATS: outer        {{ *}}1 {{ *}}6 {{ *}}1 {{ *}}
// STATS: outer/inner  {{ *}}6 {{ *}}16 {{ *}}1 {{ *}}

dfg.program @main () -> (tensor<i32>, tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %i_in = dfg.enter %zero in "outer" : tensor<i32>
    %s_in = dfg.enter %zero in "outer" : tensor<i32>
    %zero_in = dfg.enter constant %zero in "outer" : tensor<i32>
    %one_in = dfg.enter constant %one in "outer" : tensor<i32>
    %n_in = dfg.enter constant %n in "outer" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %s, %s_from = dfg.merge %s_in, %s_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less {parallel_iterations = 1 : i64}
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %s_done, %s_body = dfg.switch %s, %go : tensor<i32>
    %zero_done, %zero_body = dfg.switch %zero_in, %go : tensor<i32>
    %one_done, %one_body = dfg.switch %one_in, %go : tensor<i32>
    %j_in = dfg.enter %zero_body in "inner" : tensor<i32>
    %t_in = dfg.enter %s_body in "inner" : tensor<i32>
    %m_in = dfg.enter constant %i_body in "inner" : tensor<i32>
    %step_in = dfg.enter constant %one_body in "inner" : tensor<i32>
    %j, %j_from = dfg.merge %j_in, %j_next : tensor<i32>
    %t, %t_from = dfg.merge %t_in, %t_next : tensor<i32>
    %inner_less = stablehlo.compare LT, %j, %m_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %inner_go = dfg.loop_cond %inner_less {parallel_iterations = 1 : i64}
    %j_done, %j_body = dfg.switch %j, %inner_go : tensor<i32>
    %t_done, %t_body = dfg.switch %t, %inner_go : tensor<i32>
    %j2 = stablehlo.add %j_body, %step_in : tensor<i32>
    %t2 = stablehlo.add %t_body, %j2 : tensor<i32>
    %j_next = dfg.next_iteration %j2 : tensor<i32>
    %t_next = dfg.next_iteration %t2 : tensor<i32>
    %s2 = dfg.exit %t_done : tensor<i32>
    %i2 = stablehlo.add %i_body, %one_body : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %s_next = dfg.next_iteration %s2 : tensor<i32>
    %i_out = dfg.exit %i_done : tensor<i32>
    %s_out = dfg.exit %s_done : tensor<i32>
    dfg.fetch %i_out, %s_out : tensor<i32>, tensor<i32>
  }
}
