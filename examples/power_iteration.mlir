// Printed by JAX 0.10.2 from power_iteration.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x5xf32>, %arg1: tensor<5xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %0 = call @norm(%arg1) : (tensor<5xf32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.divide %arg1, %1 : tensor<5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:5 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %2, %iterArg_2 = %cst, %iterArg_3 = %cst_0, %iterArg_4 = %c) : tensor<5x5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<i32>
    cond {
      %4 = stablehlo.subtract %iterArg_2, %iterArg_3 : tensor<f32>
      %5 = stablehlo.abs %4 : tensor<f32>
      %6 = stablehlo.abs %iterArg_2 : tensor<f32>
      %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %7 = stablehlo.multiply %cst_5, %6 : tensor<f32>
      %8 = stablehlo.compare GT, %5, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<500> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_4, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.and %8, %9 : tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %4 = stablehlo.dot_general %iterArg, %iterArg_1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5xf32>) -> tensor<5xf32>
      %5 = func.call @norm(%4) : (tensor<5xf32>) -> tensor<f32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %7 = stablehlo.divide %4, %6 : tensor<5xf32>
      %8 = stablehlo.dot_general %iterArg_1, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_4, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %7, %8, %iterArg_2, %9 : tensor<5x5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<i32>
    }
    return %3#2, %3#1, %3#4 : tensor<f32>, tensor<5xf32>, tensor<i32>
  }
  func.func private @norm(%arg0: tensor<5xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
