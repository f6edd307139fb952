// Printed by JAX 0.10.2 from switch_in_loop.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xi32>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<i1> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %0:5 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %c, %iterArg_3 = %arg2, %iterArg_4 = %c_0) : tensor<8xf32>, tensor<8xi32>, tensor<i32>, tensor<f32>, tensor<i1>
    cond {
      %c_5 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = stablehlo.not %iterArg_4 : tensor<i1>
      %3 = stablehlo.and %1, %2 : tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<8> : tensor<i32>
      %2 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      %3 = stablehlo.select %1, %2, %iterArg_2 : tensor<i1>, tensor<i32>
      %4 = stablehlo.dynamic_slice %iterArg, %3, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
      %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_2, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_8 = stablehlo.constant dense<8> : tensor<i32>
      %7 = stablehlo.add %iterArg_2, %c_8 : tensor<i32>
      %8 = stablehlo.select %6, %7, %iterArg_2 : tensor<i1>, tensor<i32>
      %9 = stablehlo.dynamic_slice %iterArg_1, %8, sizes = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<1xi32>
      %10 = stablehlo.reshape %9 : (tensor<1xi32>) -> tensor<i32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %c_10 = stablehlo.constant dense<3> : tensor<i32>
      %11 = stablehlo.clamp %c_9, %10, %c_10 : tensor<i32>
      %12:2 = "stablehlo.case"(%11) ({
        %14 = stablehlo.add %iterArg_3, %5 : tensor<f32>
        %c_12 = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %14, %c_12 : tensor<f32>, tensor<i1>
      }, {
        %14 = stablehlo.multiply %iterArg_3, %5 : tensor<f32>
        %c_12 = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %14, %c_12 : tensor<f32>, tensor<i1>
      }, {
        %14 = stablehlo.tanh %iterArg_3 : tensor<f32>
        %c_12 = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %14, %c_12 : tensor<f32>, tensor<i1>
      }, {
        %c_12 = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %iterArg_3, %c_12 : tensor<f32>, tensor<i1>
      }) : (tensor<i32>) -> (tensor<f32>, tensor<i1>)
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_2, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %13, %12#0, %12#1 : tensor<8xf32>, tensor<8xi32>, tensor<i32>, tensor<f32>, tensor<i1>
    }
    return %0#2, %0#3, %0#4 : tensor<i32>, tensor<f32>, tensor<i1>
  }
}
