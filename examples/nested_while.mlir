// Printed by JAX 0.10.2 from nested_while.py; see generate.py.
module @jit_fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c, %iterArg_3 = %c_0, %iterArg_4 = %c_1) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LE, %iterArg_2, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %1:2 = stablehlo.while(%iterArg_7 = %iterArg_2, %iterArg_8 = %c_5) : tensor<i32>, tensor<i32>
      cond {
        %c_9 = stablehlo.constant dense<1> : tensor<i32>
        %6 = stablehlo.compare NE, %iterArg_7, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %6 : tensor<i1>
      } do {
        %c_9 = stablehlo.constant dense<2> : tensor<i32>
        %6 = func.call @remainder(%iterArg_7, %c_9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %c_10 = stablehlo.constant dense<0> : tensor<i32>
        %7 = stablehlo.compare EQ, %6, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_11 = stablehlo.constant dense<2> : tensor<i32>
        %8 = func.call @floor_divide(%iterArg_7, %c_11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %c_12 = stablehlo.constant dense<3> : tensor<i32>
        %9 = stablehlo.multiply %c_12, %iterArg_7 : tensor<i32>
        %c_13 = stablehlo.constant dense<1> : tensor<i32>
        %10 = stablehlo.add %9, %c_13 : tensor<i32>
        %11 = func.call @_where(%7, %8, %10) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
        %c_14 = stablehlo.constant dense<1> : tensor<i32>
        %12 = stablehlo.add %iterArg_8, %c_14 : tensor<i32>
        stablehlo.return %11, %12 : tensor<i32>, tensor<i32>
      }
      %2 = stablehlo.compare GT, %1#1, %iterArg_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      %4 = func.call @_where(%2, %iterArg_2, %iterArg_3) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %5 = stablehlo.maximum %1#1, %iterArg_4 : tensor<i32>
      stablehlo.return %iterArg, %3, %4, %5 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    }
    return %0#2, %0#3 : tensor<i32>, tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.divide %arg0, %0 : tensor<i32>
    %2 = stablehlo.sign %arg0 : tensor<i32>
    %3 = stablehlo.sign %0 : tensor<i32>
    %4 = stablehlo.compare NE, %2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.remainder %arg0, %0 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare NE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %4, %6 : tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.subtract %1, %c_0 : tensor<i32>
    %9 = call @_where(%7, %8, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %9 : tensor<i32>
  }
}
