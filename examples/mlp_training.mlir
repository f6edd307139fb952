// Printed by JAX 0.10.2 from mlp_training.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x1xf32>, %arg3: tensor<1xf32>, %arg4: tensor<16x2xf32>, %arg5: tensor<16x1xf32>, %arg6: tensor<i32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<2x8xf32> {jax.result_info = "result[2][0]"}, tensor<8xf32> {jax.result_info = "result[2][1]"}, tensor<8x1xf32> {jax.result_info = "result[2][2]"}, tensor<1xf32> {jax.result_info = "result[2][3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:8 = stablehlo.while(%iterArg = %arg4, %iterArg_3 = %arg5, %iterArg_4 = %c, %iterArg_5 = %arg6, %iterArg_6 = %arg0, %iterArg_7 = %arg1, %iterArg_8 = %arg2, %iterArg_9 = %arg3) : tensor<16x2xf32>, tensor<16x1xf32>, tensor<i32>, tensor<i32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8x1xf32>, tensor<1xf32>
    cond {
      %27 = stablehlo.compare LT, %iterArg_4, %iterArg_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %27 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %27 = stablehlo.add %iterArg_4, %c_10 : tensor<i32>
      %28 = stablehlo.dot_general %iterArg, %iterArg_6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
      %29 = stablehlo.broadcast_in_dim %iterArg_7, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
      %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
      %31 = stablehlo.add %28, %30 : tensor<16x8xf32>
      %32 = stablehlo.tanh %31 : tensor<16x8xf32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %34 = stablehlo.subtract %33, %32 : tensor<16x8xf32>
      %35 = stablehlo.dot_general %32, %iterArg_8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
      %36 = stablehlo.broadcast_in_dim %iterArg_9, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
      %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<16x1xf32>
      %38 = stablehlo.add %35, %37 : tensor<16x1xf32>
      %39 = stablehlo.subtract %38, %iterArg_3 : tensor<16x1xf32>
      %40 = stablehlo.multiply %39, %39 : tensor<16x1xf32>
      %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %41 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
      %42 = stablehlo.multiply %41, %39 : tensor<16x1xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.reduce(%40 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
      %cst_14 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %44 = stablehlo.divide %43, %cst_14 : tensor<f32>
      %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %45 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
      %47 = stablehlo.multiply %46, %42 : tensor<16x1xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %48 = stablehlo.reduce(%47 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<16x1xf32>, tensor<f32>) -> tensor<1xf32>
      %49 = stablehlo.reshape %48 : (tensor<1xf32>) -> tensor<1x1xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.reduce(%49 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
      %51 = stablehlo.broadcast_in_dim %50, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %52 = stablehlo.dot_general %47, %32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<16x8xf32>) -> tensor<1x8xf32>
      %53 = stablehlo.transpose %52, dims = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
      %54 = stablehlo.dot_general %47, %iterArg_8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<8x1xf32>) -> tensor<16x8xf32>
      %55 = stablehlo.multiply %54, %34 : tensor<16x8xf32>
      %56 = stablehlo.multiply %55, %32 : tensor<16x8xf32>
      %57 = stablehlo.add %55, %56 : tensor<16x8xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %58 = stablehlo.reduce(%57 init: %cst_19) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
      %59 = stablehlo.reshape %58 : (tensor<8xf32>) -> tensor<1x8xf32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.reduce(%59 init: %cst_20) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
      %61 = stablehlo.dot_general %57, %iterArg, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x2xf32>) -> tensor<8x2xf32>
      %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
      %cst_21 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %63 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %64 = stablehlo.multiply %63, %62 : tensor<2x8xf32>
      %65 = stablehlo.subtract %iterArg_6, %64 : tensor<2x8xf32>
      %cst_22 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %66 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %67 = stablehlo.multiply %66, %60 : tensor<8xf32>
      %68 = stablehlo.subtract %iterArg_7, %67 : tensor<8xf32>
      %cst_23 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %69 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %70 = stablehlo.multiply %69, %53 : tensor<8x1xf32>
      %71 = stablehlo.subtract %iterArg_8, %70 : tensor<8x1xf32>
      %cst_24 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %73 = stablehlo.multiply %72, %51 : tensor<1xf32>
      %74 = stablehlo.subtract %iterArg_9, %73 : tensor<1xf32>
      stablehlo.return %iterArg, %iterArg_3, %27, %iterArg_5, %65, %68, %71, %74 : tensor<16x2xf32>, tensor<16x1xf32>, tensor<i32>, tensor<i32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8x1xf32>, tensor<1xf32>
    }
    %1 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %4 = stablehlo.add %1, %3 : tensor<16x8xf32>
    %5 = stablehlo.tanh %4 : tensor<16x8xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<16x1xf32>
    %9 = stablehlo.add %6, %8 : tensor<16x1xf32>
    %10 = stablehlo.subtract %9, %arg5 : tensor<16x1xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<16x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_0 : tensor<f32>
    %14 = stablehlo.dot_general %arg4, %0#4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x2xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
    %15 = stablehlo.broadcast_in_dim %0#5, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %17 = stablehlo.add %14, %16 : tensor<16x8xf32>
    %18 = stablehlo.tanh %17 : tensor<16x8xf32>
    %19 = stablehlo.dot_general %18, %0#6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
    %20 = stablehlo.broadcast_in_dim %0#7, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<16x1xf32>
    %22 = stablehlo.add %19, %21 : tensor<16x1xf32>
    %23 = stablehlo.subtract %22, %arg5 : tensor<16x1xf32>
    %24 = stablehlo.multiply %23, %23 : tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_2 : tensor<f32>
    return %13, %26, %0#4, %0#5, %0#6, %0#7 : tensor<f32>, tensor<f32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8x1xf32>, tensor<1xf32>
  }
}
