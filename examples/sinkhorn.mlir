// Printed by JAX 0.10.2 from sinkhorn.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4xf32>, %arg2: tensor<5xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x5xf32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:8 = stablehlo.while(%iterArg = %arg0, %iterArg_4 = %arg1, %iterArg_5 = %arg0, %iterArg_6 = %arg1, %iterArg_7 = %arg2, %iterArg_8 = %0, %iterArg_9 = %1, %iterArg_10 = %c) : tensor<4x5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<i32>
    cond {
      %23 = stablehlo.broadcast_in_dim %iterArg_8, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %24 = stablehlo.broadcast_in_dim %iterArg_9, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
      %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
      %27 = stablehlo.add %25, %26 : tensor<4x5xf32>
      %28 = stablehlo.subtract %27, %iterArg : tensor<4x5xf32>
      %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
      %30 = stablehlo.divide %28, %29 : tensor<4x5xf32>
      %31 = stablehlo.exponential %30 : tensor<4x5xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %32 = stablehlo.reduce(%31 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
      %33 = stablehlo.subtract %32, %iterArg_4 : tensor<4xf32>
      %34 = stablehlo.abs %33 : tensor<4xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.reduce(%34 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %cst_14 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
      %36 = stablehlo.compare GT, %35, %cst_14, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_15 = stablehlo.constant dense<100> : tensor<i32>
      %37 = stablehlo.compare LT, %iterArg_10, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %38 = stablehlo.and %36, %37 : tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %23:7 = stablehlo.while(%iterArg_14 = %iterArg_5, %iterArg_15 = %iterArg_6, %iterArg_16 = %iterArg_7, %iterArg_17 = %c_12, %iterArg_18 = %c_11, %iterArg_19 = %iterArg_8, %iterArg_20 = %iterArg_9) : tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<5xf32>
      cond {
        %c_21 = stablehlo.constant dense<5> : tensor<i32>
        %25 = stablehlo.compare LT, %iterArg_17, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %25 : tensor<i1>
      } do {
        %25:3 = func.call @closed_call(%iterArg_14, %iterArg_15, %iterArg_16, %iterArg_18, %iterArg_19, %iterArg_20) : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<i32>, tensor<4xf32>, tensor<5xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<5xf32>)
        %c_21 = stablehlo.constant dense<1> : tensor<i32>
        %26 = stablehlo.add %iterArg_17, %c_21 : tensor<i32>
        stablehlo.return %iterArg_14, %iterArg_15, %iterArg_16, %26, %25#0, %25#1, %25#2 : tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<5xf32>
      }
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_10, %c_13 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %23#5, %23#6, %24 : tensor<4x5xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<i32>
    }
    %3 = stablehlo.broadcast_in_dim %2#5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %2#6, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %7 = stablehlo.add %5, %6 : tensor<4x5xf32>
    %8 = stablehlo.subtract %7, %arg0 : tensor<4x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x5xf32>
    %11 = stablehlo.exponential %10 : tensor<4x5xf32>
    %12 = stablehlo.multiply %11, %arg0 : tensor<4x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %14 = stablehlo.broadcast_in_dim %2#5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %15 = stablehlo.broadcast_in_dim %2#6, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %18 = stablehlo.add %16, %17 : tensor<4x5xf32>
    %19 = stablehlo.subtract %18, %arg0 : tensor<4x5xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %21 = stablehlo.divide %19, %20 : tensor<4x5xf32>
    %22 = stablehlo.exponential %21 : tensor<4x5xf32>
    return %13, %22, %2#7 : tensor<f32>, tensor<4x5xf32>, tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<4x5xf32>, %arg1: tensor<4xf32>, %arg2: tensor<5xf32>, %arg3: tensor<i32>, %arg4: tensor<4xf32>, %arg5: tensor<5xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg3, %c : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %3 = stablehlo.subtract %2, %arg0 : tensor<4x5xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %5 = stablehlo.divide %3, %4 : tensor<4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<4xf32>
    %9 = stablehlo.is_finite %8 : (tensor<4xf32>) -> tensor<4xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.select %9, %8, %10 : tensor<4xi1>, tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %14 = stablehlo.subtract %5, %13 : tensor<4x5xf32>
    %15 = stablehlo.exponential %14 : tensor<4x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %17 = stablehlo.sign %16 : tensor<4xf32>
    %18 = stablehlo.abs %16 : tensor<4xf32>
    %19 = stablehlo.log %18 : tensor<4xf32>
    %20 = stablehlo.add %19, %11 : tensor<4xf32>
    %21 = stablehlo.log %arg1 : tensor<4xf32>
    %22 = stablehlo.subtract %21, %20 : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %27 = stablehlo.subtract %26, %arg0 : tensor<4x5xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %29 = stablehlo.divide %27, %28 : tensor<4x5xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.maximum across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<5xf32>
    %33 = stablehlo.is_finite %32 : (tensor<5xf32>) -> tensor<5xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %35 = stablehlo.select %33, %32, %34 : tensor<5xi1>, tensor<5xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %38 = stablehlo.subtract %29, %37 : tensor<4x5xf32>
    %39 = stablehlo.exponential %38 : tensor<4x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %41 = stablehlo.sign %40 : tensor<5xf32>
    %42 = stablehlo.abs %40 : tensor<5xf32>
    %43 = stablehlo.log %42 : tensor<5xf32>
    %44 = stablehlo.add %43, %35 : tensor<5xf32>
    %45 = stablehlo.log %arg2 : tensor<5xf32>
    %46 = stablehlo.subtract %45, %44 : tensor<5xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<5xf32>
    return %0, %24, %48 : tensor<i32>, tensor<4xf32>, tensor<5xf32>
  }
}
