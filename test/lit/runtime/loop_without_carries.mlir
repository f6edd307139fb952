// RUN: anabranch-run %s --stats 2>&1 | filecheck %s
// RUN: anabranch-run %s | filecheck %s --check-prefix OUT

// A loop that carries only its token; its condition is false at once.

// CHECK: f {{ *}}1 {{ *}}1 {{ *}}1
// OUT: out0 = 3

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %start = dfg.token
    %three = stablehlo.constant dense<3> : tensor<i32>
    %t_in = dfg.enter %start in "f" : !dfg.token
    %t, %t_from = dfg.merge %t_in, %t_next : !dfg.token
    %never = dfg.constant dense<false> after %t : tensor<i1>
    %go = dfg.loop_cond %never
    %t_done, %t_body = dfg.switch %t, %go : !dfg.token
    %t_next = dfg.next_iteration %t_body : !dfg.token
    %t_out = dfg.exit %t_done : !dfg.token
    %r = dfg.constant dense<3> after %t_out : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
