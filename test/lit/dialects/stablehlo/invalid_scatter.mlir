// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected input 1 of shape [4], got [5] (scatter_c1)
func.func @invalid(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<1xi32>, %u: tensor<f32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<1xi32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<5xf32>)
  func.return
}

// -----

// CHECK: expected update 1 of shape [], got [1] (scatter_c3)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<f32>, %w: tensor<1xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %x, %i, %u, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<1xi32>, tensor<f32>, tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return
}

// -----

// CHECK: expected 3 window, inserted and batching dims, got 2 (scatter_c2)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected updates of sizes [5, 2] outside the window, got [5, 3] (scatter_c4)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x3x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x3x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of the window sizes to be at least 0 and at most 4, got 5 (scatter_c4)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x5xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x5xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected at least one input, got 0 (scatter_c5)
func.func @invalid(%i: tensor<1xi32>) {
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<>}> ({
    stablehlo.return
  }) : (tensor<1xi32>) -> ()
  func.return
}

// -----

// CHECK: expected update 0 of f32 elements, got f64 (scatter_c6)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf64>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf64>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected update_window_dims without repetitions, got [2, 2] (scatter_c7)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 2], inserted_window_dims = [], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected update_window_dims in ascending order, got [2, 1] (scatter_c7)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of update_window_dims in [0, 3), got 3 (scatter_c8)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected inserted and batching dims without repetitions, got [1, 1] (scatter_c9)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected inserted_window_dims in ascending order, got [2, 0] (scatter_c10)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [2, 0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of inserted_window_dims in [0, 3), got 3 (scatter_c11)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [3], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected input_batching_dims in ascending order, got [1, 0] (scatter_c12)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of input_batching_dims in [0, 3), got 4 (scatter_c13)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [4], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected scatter_indices_batching_dims without repetitions, got [0, 0] (scatter_c14)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of scatter_indices_batching_dims in [0, 3), got 3 (scatter_c15)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected index_vector_dim not among the batching dims, got 2 in (2,) (scatter_c16)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected 1 scatter_indices_batching_dims, got 0 (scatter_c17)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected batching dimensions of equal sizes, got 5 and 2 (scatter_c18)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected 1 numbers in scatter_dims_to_operand_dims, got 2 (scatter_c19)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected indexed and batching dims without repetitions, got [1, 1] (scatter_c20)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of scatter_dims_to_operand_dims in [0, 3), got 3 (scatter_c21)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [3], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected each of index_vector_dim in [0, 4), got 4 (scatter_c22)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected argument 1 of the update computation of type tensor<f32>, got tensor<f64> (scatter_c23)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    %c = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x4xf32>
  func.return
}

// -----

// CHECK: expected 1 results, got 2 (scatter_c25)
func.func @invalid(%x: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<f32>) {
  %0:2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return
}

// -----

// CHECK: expected result 0 of shape [3, 5, 4], got [3, 5, 5] (scatter_c24)
func.func @invalid(%x: tensor<3x5x4xf32>, %i: tensor<5x2x1xi32>, %u: tensor<5x2x4xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<5x2x1xi32>, tensor<5x2x4xf32>) -> tensor<3x5x5xf32>
  func.return
}
