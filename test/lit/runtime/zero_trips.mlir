// RUN: anabranch-run %s | filecheck %s
// RUN: anabranch-run %s --no-fuse | filecheck %s
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s

// CHECK: out0 = 9

dfg.program @main () -> (tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>) {
    %nine = stablehlo.constant dense<9> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %i_in = dfg.enter %nine in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %i2 = stablehlo.add %i_body, %i_body : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %r = dfg.exit %i_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
  }
}
