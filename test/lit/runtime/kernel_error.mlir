// RUN: not anabranch-run %s 2>&1 | filecheck %s
// RUN: not anabranch-run %s --no-fuse 2>&1 | filecheck %s

// Popping more than was pushed: the error names the op, its place, the device and the iteration.

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %start = dfg.token
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %s0 = dfg.stack_new after %start : !dcf.stack<tensor<i32>>
    %s1 = dcf.stack_push %s0, %zero : !dcf.stack<tensor<i32>>
    %s2 = dcf.stack_push %s1, %zero : !dcf.stack<tensor<i32>>
    %i_in = dfg.enter %zero in "f" : tensor<i32>
    %s_in = dfg.enter %s2 in "f" : !dcf.stack<tensor<i32>>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %s, %s_from = dfg.merge %s_in, %s_next : !dcf.stack<tensor<i32>>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %s_done, %s_body = dfg.switch %s, %go : !dcf.stack<tensor<i32>>
    // CHECK: kernel_error.mlir:24:5: error: dcf.stack_pop on cpu:0 in iteration 2 of "f": pop from an empty stack
    %rest, %top = dcf.stack_pop %s_body : !dcf.stack<tensor<i32>>
    %i2 = stablehlo.add %i_body, %top : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %s_next = dfg.next_iteration %rest : !dcf.stack<tensor<i32>>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
