// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected the reducer to accumulate f32 in a type as wide, got f16 (reduce_c6)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f16>
  func.return
}

// -----

// CHECK: expected the reducer to accumulate i32 in a type as wide, got f32 (reduce_c6)
func.func @invalid(%x: tensor<4xi32>, %i: tensor<i32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected the reducer to accumulate complex<f64> in a type as wide, got complex<f32> (reduce_c6)
func.func @invalid(%x: tensor<4xcomplex<f64>>, %i: tensor<complex<f64>>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %c : tensor<complex<f32>>
  }) : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f32>>
  func.return
}

// -----

// CHECK: expected result 0 of f64 elements, got f32 (reduce_c8)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected the reducer to accumulate !quant.uniform<i32:f32, 5.000000e-01> in a type as wide, got !quant.uniform<i8:f32, 5.000000e-01> (reduce_c6)
func.func @invalid(%x: tensor<4x!quant.uniform<i32:f32, 5.000000e-01>>, %i: tensor<!quant.uniform<i32:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<!quant.uniform<i8:f32, 5.000000e-01>>):
    %c = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 5.000000e-01>>
    stablehlo.return %c : tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  }) : (tensor<4x!quant.uniform<i32:f32, 5.000000e-01>>, tensor<!quant.uniform<i32:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected the reducer to accumulate !quant.uniform<i8:f32, 5.000000e-01> in a type as wide, got !quant.uniform<i32:f64, 5.000000e-01> (reduce_c6)
func.func @invalid(%x: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, %i: tensor<!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i32:f64, 5.000000e-01>>, %b: tensor<!quant.uniform<i32:f64, 5.000000e-01>>):
    %c = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f64, 5.000000e-01>>
    stablehlo.return %c : tensor<!quant.uniform<i32:f64, 5.000000e-01>>
  }) : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<!quant.uniform<i32:f64, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected the reducer to accumulate f32 in a type as wide, got f16 (reduce_window_c13)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf16>
  func.return
}

// -----

// CHECK: expected result 0 of f64 elements, got f32 (reduce_window_c16)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected result 1 of shape [3], got [4] (reduce_window_c14)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%x, %x, %i, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>)
  func.return
}

// -----

// CHECK: expected the scattering to accumulate f32 in a type as wide, got f16 (select_and_scatter_c10)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>, %s: tensor<2xf32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf16>
  func.return
}

// -----

// CHECK: expected result 0 of f64 elements, got f32 (select_and_scatter_c12)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>, %s: tensor<2xf32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

// CHECK: expected the update computation to accumulate f32 in a type as wide, got f16 (scatter_c23)
func.func @invalid(%x: tensor<4xf32>, %k: tensor<2x1xi32>, %u: tensor<2xf32>) {
  %0 = "stablehlo.scatter"(%x, %k, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf16>
  func.return
}

// -----

// CHECK: expected result 0 of f64 elements, got f32 (scatter_c25)
func.func @invalid(%x: tensor<4xf32>, %k: tensor<2x1xi32>, %u: tensor<2xf32>) {
  %0 = "stablehlo.scatter"(%x, %k, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  func.return
}
