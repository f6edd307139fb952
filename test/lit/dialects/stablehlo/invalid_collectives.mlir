// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected each of all_gather_dim in [0, 2), got 2 (all_gather_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [0, 0] (all_gather_c2)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups in [0, 2), got 2 (all_gather_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// CHECK: expected a positive channel with use_global_device_ids, got 0 (all_gather_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// CHECK: expected dimension 0 of result 0 of size 2 times 2, got 6 (all_gather_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<6x4xf32>
  func.return
}

// -----

// CHECK: expected dimension 1 of result 0 of size 4, got 3 (all_gather_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

// CHECK: expected result 0 of f32 elements, got f64 (all_gather_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf64>
  func.return
}

// -----

// CHECK: expected replica_groups of two dimensions, or of a mesh, got dense<[0, 1]> : tensor<2xi64> (all_gather)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [0, 0] (all_reduce_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups in [0, 2), got 3 (all_reduce_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected a positive channel with use_global_device_ids, got 0 (all_reduce_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected the computation to accumulate f32 in a type as wide, got f16 (all_reduce_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf16>
  func.return
}

// -----

// CHECK: expected result 0 of shape [2, 4], got [2, 3] (all_reduce_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected result 0 of f32 elements, got f64 (all_reduce_c7)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf64>
  func.return
}

// -----

// CHECK: expected each of split_dimension in [0, 2), got 2 (all_to_all_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 2 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected dimension 1 of operand 0 to be a multiple of 2, got 3 (all_to_all_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected each of concat_dimension in [0, 2), got 2 (all_to_all_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected each of split_count to be at least 1, got 0 (all_to_all_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 0 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [1, 1] (all_to_all_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups in [0, 2), got 2 (all_to_all_c7)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 2]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected replica_groups of 4 processes, got 2 (all_to_all_c8)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

// CHECK: expected result 0 of shape [4, 2], got [2, 4] (all_to_all_c9)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result 0 of f32 elements, got f64 (all_to_all_c9)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf64>
  func.return
}

// -----

// CHECK: expected dimension 0 of the operand to be a multiple of 2, got 3 (reduce_scatter_c1)
func.func @invalid(%x: tensor<3x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected each of scatter_dimension in [0, 2), got 2 (reduce_scatter_c2)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [0, 0] (reduce_scatter_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups in [0, 2), got 2 (reduce_scatter_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected a positive channel with use_global_device_ids, got 0 (reduce_scatter_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected the computation to accumulate f32 in a type as wide, got f16 (reduce_scatter_c7)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

// CHECK: expected dimension 0 of the operand of size 2 times 2, got 2 (reduce_scatter_c8)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result 0 of f32 elements, got f64 (reduce_scatter_c9)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf64>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [0, 0] (collective_broadcast_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups to be at least 0, got -2 (collective_broadcast_c2)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<2x4xf32>, got tensor<2x4xf64> (collective_broadcast_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf64>
  func.return
}

// -----

// CHECK: expected at least one operand, got 0 (collective_broadcast_c3)
func.func @invalid() {
  "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : () -> ()
  func.return
}

// -----

// CHECK: expected two operands or more with has_dynamic_root, got 1 (collective_broadcast_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected the roots of shape [1], got [2] (collective_broadcast_c4)
func.func @invalid(%x: tensor<2x4xf32>, %r: tensor<2xi32>) {
  %0 = "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected roots of type tensor<1xi32>, got tensor<1xi64> (collective_broadcast_c4)
func.func @invalid(%x: tensor<2x4xf32>, %r: tensor<1xi64>) {
  %0 = "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected 1 results, got 2 (collective_broadcast_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0:2 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  func.return
}

// -----

// CHECK: expected each of the roots in [0, 2), got 2 (collective_broadcast_c6)
func.func @invalid(%x: tensor<2x4xf32>) {
  %r = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected replica_groups without repetitions, got [0, 0] (collective_reduce_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected each of replica_groups to be at least 0, got -2 (collective_reduce_c2)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result 0 of shape [2, 4], got [2, 3] (collective_reduce_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected two operands or more with has_dynamic_root, got 1 (collective_reduce_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected the computation to accumulate f32 in a type as wide, got f16 (collective_reduce_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected source_target_pairs of shape [n, 2], got [1, 3] (collective_permute_c1)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected the sources without repetitions, got [0, 0] (collective_permute_c2)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected the targets without repetitions, got [1, 1] (collective_permute_c3)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected each of source_target_pairs to be at least 0, got -1 (collective_permute_c4)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [-1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result of type tensor<2x4xf32>, got tensor<2x4xf64> (collective_permute_c5)
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf64>
  func.return
}

// -----

// CHECK: expected result of type tensor<2x4xf32>, got tensor<2x3xf32>
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a mesh or the name of one, got 1 : i32
func.func @invalid(%x: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = 1 : i32, axes = []>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return
}
