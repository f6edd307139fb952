// RUN: %roundtrip %s | filecheck %s

// Ops that newer ones replace, and ones new to the specification.

// CHECK: func.func @legacy
func.func @legacy(%x: tensor<2x4xf32>, %i: tensor<3xi32>, %r: tensor<1xi32>) {
  // CHECK: "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x4xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  %1 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x4xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.collective_reduce"(%x, %r) <{has_dynamic_root, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
  %2 = "stablehlo.collective_reduce"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK: stablehlo.add %a, %b : tensor<f32>
    %c = stablehlo.add %a, %b : tensor<f32>
    // CHECK: stablehlo.return %c : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>], device_ids=dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>], device_ids=dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  // CHECK: "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<2x4xf32>
  %4 = "stablehlo.collective_broadcast"(%x, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<1xi32>) -> tensor<2x4xf32>
  func.return
}

// CHECK: func.func @dynamic_conv
func.func @dynamic_conv(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x6xf32>, %p: tensor<2x2xi32>) {
  // CHECK: "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x6xf32>, tensor<2x2xi32>) -> tensor<1x?x?x6xf32>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x6xf32>, tensor<2x2xi32>) -> tensor<1x?x?x6xf32>
  func.return
}
