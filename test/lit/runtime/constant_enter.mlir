// RUN: anabranch-run %s | filecheck %s
// RUN: anabranch-run %s --no-fuse | filecheck %s
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s

// A constant enter is delivered to every iteration: x + 3 * 7, five times.

// CHECK: out0 = 5
// CHECK: out1 = 105

dfg.program @main () -> (tensor<i32>, tensor<i32>) {
  dfg.graph on "cpu:0" () -> (tensor<i32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %i_in = dfg.enter %zero in "f" : tensor<i32>
    %x_in = dfg.enter %zero in "f" : tensor<i32>
    %one_in = dfg.enter constant %one in "f" : tensor<i32>
    %three_in = dfg.enter constant %three in "f" : tensor<i32>
    %seven_in = dfg.enter constant %seven in "f" : tensor<i32>
    %n_in = dfg.enter constant %n in "f" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %x, %x_from = dfg.merge %x_in, %x_next : tensor<i32>
    %less = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %x_done, %x_body = dfg.switch %x, %go : tensor<i32>
    %product = stablehlo.multiply %three_in, %seven_in : tensor<i32>
    %i2 = stablehlo.add %i_body, %one_in : tensor<i32>
    %x2 = stablehlo.add %x_body, %product : tensor<i32>
    %i_next = dfg.next_iteration %i2 : tensor<i32>
    %x_next = dfg.next_iteration %x2 : tensor<i32>
    %i_out = dfg.exit %i_done : tensor<i32>
    %x_out = dfg.exit %x_done : tensor<i32>
    dfg.fetch %i_out, %x_out : tensor<i32>, tensor<i32>
  }
}
