// Printed by JAX 0.10.2 from beam_search.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x6xf32>, %arg1: tensor<i32>) -> (tensor<3x12xi32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = call @_where(%2, %cst, %cst_0) : (tensor<3xi1>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
    %4 = stablehlo.convert %3 : tensor<3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x12xi32>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7:6 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %arg0, %iterArg_5 = %c_3, %iterArg_6 = %5, %iterArg_7 = %4, %iterArg_8 = %6) : tensor<i32>, tensor<6x6xf32>, tensor<i32>, tensor<3x12xi32>, tensor<3xf32>, tensor<3xi1>
    cond {
      %c_9 = stablehlo.constant dense<12> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_10 = stablehlo.constant dense<true> : tensor<i1>
      %9 = stablehlo.reduce(%iterArg_8 init: %c_10) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
      %10 = stablehlo.not %9 : tensor<i1>
      %11 = stablehlo.and %8, %10 : tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare EQ, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.subtract %iterArg_5, %c_10 : tensor<i32>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.maximum %9, %c_11 : tensor<i32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %11 = stablehlo.compare LT, %c_12, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %c_15 = stablehlo.constant dense<3> : tensor<i32>
      %12 = stablehlo.add %c_14, %c_15 : tensor<i32>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %13 = stablehlo.select %11, %12, %c_16 : tensor<i1>, tensor<i32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %14 = stablehlo.compare LT, %10, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_18 = stablehlo.constant dense<12> : tensor<i32>
      %15 = stablehlo.add %10, %c_18 : tensor<i32>
      %16 = stablehlo.select %14, %15, %10 : tensor<i1>, tensor<i32>
      %17 = stablehlo.dynamic_slice %iterArg_6, %13, %16, sizes = [3, 1] : (tensor<3x12xi32>, tensor<i32>, tensor<i32>) -> tensor<3x1xi32>
      %18 = stablehlo.reshape %17 : (tensor<3x1xi32>) -> tensor<3xi32>
      %19 = func.call @_where_0(%8, %iterArg, %18) : (tensor<i1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
      %20 = stablehlo.iota dim = 0 : tensor<6xi32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<6xi32>
      %22 = stablehlo.compare EQ, %20, %21, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %23 = func.call @_where_1(%22, %cst_20, %cst_21) : (tensor<6xi1>, tensor<f32>, tensor<f32>) -> tensor<6xf32>
      %24 = stablehlo.broadcast_in_dim %iterArg_8, dims = [0] : (tensor<3xi1>) -> tensor<3x1xi1>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %25 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %26 = stablehlo.compare LT, %19, %25, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %c_23 = stablehlo.constant dense<6> : tensor<i32>
      %27 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %28 = stablehlo.add %19, %27 : tensor<3xi32>
      %29 = stablehlo.select %26, %28, %19 : tensor<3xi1>, tensor<3xi32>
      %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
      %31 = "stablehlo.gather"(%iterArg_4, %30) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<6x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
      %32 = func.call @_where_2(%24, %23, %31) : (tensor<3x1xi1>, tensor<6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
      %33 = stablehlo.broadcast_in_dim %iterArg_7, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x6xf32>
      %35 = stablehlo.add %34, %32 : tensor<3x6xf32>
      %36 = stablehlo.reshape %35 : (tensor<3x6xf32>) -> tensor<18xf32>
      %37 = stablehlo.negate %36 : tensor<18xf32>
      %38 = func.call @argsort(%37) : (tensor<18xf32>) -> tensor<18xi32>
      %39 = stablehlo.slice %38 [0:3] : (tensor<18xi32>) -> tensor<3xi32>
      %c_24 = stablehlo.constant dense<6> : tensor<i32>
      %40 = func.call @floor_divide(%39, %c_24) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
      %c_25 = stablehlo.constant dense<6> : tensor<i32>
      %41 = func.call @remainder(%39, %c_25) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %43 = stablehlo.compare LT, %40, %42, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %c_27 = stablehlo.constant dense<3> : tensor<i32>
      %44 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %45 = stablehlo.add %40, %44 : tensor<3xi32>
      %46 = stablehlo.select %43, %45, %40 : tensor<3xi1>, tensor<3xi32>
      %47 = stablehlo.broadcast_in_dim %46, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
      %48 = "stablehlo.gather"(%iterArg_6, %47) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 12>}> : (tensor<3x12xi32>, tensor<3x1xi32>) -> tensor<3x12xi32>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %49 = stablehlo.compare LT, %iterArg_5, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_29 = stablehlo.constant dense<12> : tensor<i32>
      %50 = stablehlo.add %iterArg_5, %c_29 : tensor<i32>
      %51 = stablehlo.select %49, %50, %iterArg_5 : tensor<i1>, tensor<i32>
      %52 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %53 = "stablehlo.scatter"(%48, %52, %41) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
      ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
        stablehlo.return %arg3 : tensor<i32>
      }) : (tensor<3x12xi32>, tensor<1xi32>, tensor<3xi32>) -> tensor<3x12xi32>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %54 = stablehlo.add %iterArg_5, %c_30 : tensor<i32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %55 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %56 = stablehlo.compare LT, %39, %55, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %c_32 = stablehlo.constant dense<18> : tensor<i32>
      %57 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %58 = stablehlo.add %39, %57 : tensor<3xi32>
      %59 = stablehlo.select %56, %58, %39 : tensor<3xi1>, tensor<3xi32>
      %60 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
      %61 = "stablehlo.gather"(%36, %60) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<18xf32>, tensor<3x1xi32>) -> tensor<3xf32>
      %c_33 = stablehlo.constant dense<0> : tensor<i32>
      %62 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %63 = stablehlo.compare LT, %40, %62, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %c_34 = stablehlo.constant dense<3> : tensor<i32>
      %64 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %65 = stablehlo.add %40, %64 : tensor<3xi32>
      %66 = stablehlo.select %63, %65, %40 : tensor<3xi1>, tensor<3xi32>
      %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
      %68 = "stablehlo.gather"(%iterArg_8, %67) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi1>, tensor<3x1xi32>) -> tensor<3xi1>
      %c_35 = stablehlo.constant dense<0> : tensor<i32>
      %69 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %70 = stablehlo.compare EQ, %41, %69, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %71 = stablehlo.or %68, %70 : tensor<3xi1>
      stablehlo.return %iterArg, %iterArg_4, %54, %53, %61, %71 : tensor<i32>, tensor<6x6xf32>, tensor<i32>, tensor<3x12xi32>, tensor<3xf32>, tensor<3xi1>
    }
    return %7#3, %7#4, %7#2 : tensor<3x12xi32>, tensor<3xf32>, tensor<i32>
  }
  func.func private @_where(%arg0: tensor<3xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<3xi1>, tensor<3xf32>
    return %2 : tensor<3xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @_where_1(%arg0: tensor<6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<6xi1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
  func.func private @_where_2(%arg0: tensor<3x1xi1>, %arg1: tensor<6xf32>, %arg2: tensor<3x6xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x1xi1>) -> tensor<3x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<6xf32>) -> tensor<3x6xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<3x6xi1>, tensor<3x6xf32>
    return %3 : tensor<3x6xf32>
  }
  func.func private @argsort(%arg0: tensor<18xf32>) -> tensor<18xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<18xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<18xf32>, tensor<18xi32>) -> (tensor<18xf32>, tensor<18xi32>)
    return %1#1 : tensor<18xi32>
  }
  func.func private @floor_divide(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<3xi32>
    %3 = stablehlo.sign %arg0 : tensor<3xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %11 = stablehlo.and %6, %10 : tensor<3xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<3xi32>
    %14 = call @_where_3(%11, %13, %2) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    return %14 : tensor<3xi32>
  }
  func.func private @_where_3(%arg0: tensor<3xi1>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @remainder(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_4(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %12 = stablehlo.and %11, %6 : tensor<3xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %14 = stablehlo.add %4, %13 : tensor<3xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<3xi1>, tensor<3xi32>
    return %15 : tensor<3xi32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
