// RUN: %roundtrip %s | filecheck %s

// Ops that talk to other processes.

// CHECK: func.func @numbers
func.func @numbers() {
  // CHECK: stablehlo.replica_id : tensor<ui32>
  %0 = stablehlo.replica_id : tensor<ui32>
  // CHECK: stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  func.return
}

// CHECK: func.func @collectives
func.func @collectives(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  // CHECK: "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  // CHECK: "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  // CHECK: "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.all_reduce"(%x) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
  %4 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK: stablehlo.add %a, %b : tensor<f32>
    %c = stablehlo.add %a, %b : tensor<f32>
    // CHECK: stablehlo.return %c : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  %10 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%d: tensor<f32>, %e: tensor<f32>):
    // CHECK: stablehlo.add %d, %e : tensor<f32>
    %f = stablehlo.add %d, %e : tensor<f32>
    // CHECK: stablehlo.return %f : tensor<f32>
    stablehlo.return %f : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<1x4xf32>
  // CHECK: "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  %6 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  %7:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  // CHECK: "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  %8:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  // CHECK: "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  %9 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}
