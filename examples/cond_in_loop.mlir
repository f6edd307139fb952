// Printed by JAX 0.10.2 from cond_in_loop.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:5 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %cst, %iterArg_3 = %c) : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>
    cond {
      %1 = stablehlo.subtract %iterArg_1, %iterArg : tensor<3xf32>
      %2 = stablehlo.multiply %1, %1 : tensor<3xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %cst_5 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
      %4 = stablehlo.compare GT, %3, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<200> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.and %4, %5 : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1 = stablehlo.multiply %iterArg_2, %cst_4 : tensor<f32>
      %2 = stablehlo.subtract %iterArg_1, %iterArg_0 : tensor<3xf32>
      %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %4 = stablehlo.multiply %3, %2 : tensor<3xf32>
      %5 = stablehlo.subtract %iterArg_1, %4 : tensor<3xf32>
      %6 = stablehlo.subtract %5, %iterArg_0 : tensor<3xf32>
      %7 = stablehlo.multiply %6, %6 : tensor<3xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.reduce(%7 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %9 = stablehlo.subtract %iterArg_1, %iterArg_0 : tensor<3xf32>
      %10 = stablehlo.multiply %9, %9 : tensor<3xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.reduce(%10 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %12 = stablehlo.compare LT, %8, %11, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = stablehlo.convert %12 : (tensor<i1>) -> tensor<i32>
      %14:2 = "stablehlo.case"(%13) ({
        %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
        %16 = stablehlo.multiply %iterArg_2, %cst_8 : tensor<f32>
        stablehlo.return %iterArg_1, %16 : tensor<3xf32>, tensor<f32>
      }, {
        %cst_8 = stablehlo.constant dense<1.200000e+00> : tensor<f32>
        %16 = stablehlo.multiply %iterArg_2, %cst_8 : tensor<f32>
        stablehlo.return %5, %16 : tensor<3xf32>, tensor<f32>
      }) : (tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %14#0, %14#1, %15 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>
    }
    return %0#2, %0#3, %0#4 : tensor<3xf32>, tensor<f32>, tensor<i32>
  }
}
