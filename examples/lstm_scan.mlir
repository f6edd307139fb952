// Printed by JAX 0.10.2 from lstm_scan.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<8x3xf32>, %arg3: tensor<i32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:8 = stablehlo.while(%iterArg = %arg2, %iterArg_3 = %arg0, %iterArg_4 = %arg1, %iterArg_5 = %c, %iterArg_6 = %arg3, %iterArg_7 = %0, %iterArg_8 = %0, %iterArg_9 = %1) : tensor<8x3xf32>, tensor<7x16xf32>, tensor<16xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>
    cond {
      %5 = stablehlo.compare LT, %iterArg_5, %iterArg_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_5, %c_10 : tensor<i32>
      %6 = stablehlo.convert %iterArg_5 : tensor<i32>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %7 = stablehlo.compare LT, %6, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_12 = stablehlo.constant dense<8> : tensor<i32>
      %8 = stablehlo.add %6, %c_12 : tensor<i32>
      %9 = stablehlo.select %7, %8, %6 : tensor<i1>, tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.compare LT, %c_13, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %c_16 = stablehlo.constant dense<3> : tensor<i32>
      %11 = stablehlo.add %c_15, %c_16 : tensor<i32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.select %10, %11, %c_17 : tensor<i1>, tensor<i32>
      %13 = stablehlo.dynamic_slice %iterArg, %9, %12, sizes = [1, 3] : (tensor<8x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
      %14 = stablehlo.reshape %13 : (tensor<1x3xf32>) -> tensor<3xf32>
      %15 = stablehlo.concatenate %14, %iterArg_7, dim = 0 : (tensor<3xf32>, tensor<4xf32>) -> tensor<7xf32>
      %16 = stablehlo.dot_general %15, %iterArg_3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7xf32>, tensor<7x16xf32>) -> tensor<16xf32>
      %17 = stablehlo.add %16, %iterArg_4 : tensor<16xf32>
      %18 = stablehlo.slice %17 [0:4] : (tensor<16xf32>) -> tensor<4xf32>
      %19 = stablehlo.slice %17 [4:8] : (tensor<16xf32>) -> tensor<4xf32>
      %20 = stablehlo.slice %17 [8:12] : (tensor<16xf32>) -> tensor<4xf32>
      %21 = stablehlo.slice %17 [12:16] : (tensor<16xf32>) -> tensor<4xf32>
      %22 = stablehlo.negate %19 : tensor<4xf32>
      %23 = stablehlo.exponential %22 : tensor<4xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %25 = stablehlo.add %24, %23 : tensor<4xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %27 = stablehlo.divide %26, %25 : tensor<4xf32>
      %28 = stablehlo.multiply %27, %iterArg_8 : tensor<4xf32>
      %29 = stablehlo.negate %18 : tensor<4xf32>
      %30 = stablehlo.exponential %29 : tensor<4xf32>
      %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %32 = stablehlo.add %31, %30 : tensor<4xf32>
      %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %34 = stablehlo.divide %33, %32 : tensor<4xf32>
      %35 = stablehlo.tanh %20 : tensor<4xf32>
      %36 = stablehlo.multiply %34, %35 : tensor<4xf32>
      %37 = stablehlo.add %28, %36 : tensor<4xf32>
      %38 = stablehlo.negate %21 : tensor<4xf32>
      %39 = stablehlo.exponential %38 : tensor<4xf32>
      %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %40 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %41 = stablehlo.add %40, %39 : tensor<4xf32>
      %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %43 = stablehlo.divide %42, %41 : tensor<4xf32>
      %44 = stablehlo.tanh %37 : tensor<4xf32>
      %45 = stablehlo.multiply %43, %44 : tensor<4xf32>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %46 = stablehlo.compare LT, %iterArg_5, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_25 = stablehlo.constant dense<8> : tensor<i32>
      %47 = stablehlo.add %iterArg_5, %c_25 : tensor<i32>
      %48 = stablehlo.select %46, %47, %iterArg_5 : tensor<i1>, tensor<i32>
      %49 = stablehlo.convert %48 : tensor<i32>
      %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %51 = "stablehlo.scatter"(%iterArg_9, %50, %45) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        stablehlo.return %arg5 : tensor<f32>
      }) : (tensor<8x4xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<8x4xf32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %5, %iterArg_6, %45, %37, %51 : tensor<8x3xf32>, tensor<7x16xf32>, tensor<16xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>
    }
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4:4 = stablehlo.while(%iterArg = %2#7, %iterArg_3 = %c_2, %iterArg_4 = %0, %iterArg_5 = %3) : tensor<8x4xf32>, tensor<i32>, tensor<4xf32>, tensor<8xf32>
    cond {
      %c_6 = stablehlo.constant dense<8> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<8x4xf32>, tensor<i32>) -> tensor<4xf32>
      %6:2 = func.call @closed_call(%iterArg_4, %5) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_5, %6#1, %iterArg_3) : (tensor<8xf32>, tensor<f32>, tensor<i32>) -> tensor<8xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %8, %6#0, %7 : tensor<8x4xf32>, tensor<i32>, tensor<4xf32>, tensor<8xf32>
    }
    return %2#5, %2#7, %4#3 : tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %1 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.divide %2, %cst_0 : tensor<f32>
    return %0, %3 : tensor<4xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<8xf32>, tensor<1xf32>, tensor<i32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
