// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected source_target_pairs of shape [n, 2], got [1, 3] (send_c1)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected the sources without repetitions, got [0, 0] (send_c2)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected the targets without repetitions, got [1, 1] (send_c3)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected each of source_target_pairs to be at least 0, got -1 (send_c4)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected a channel of type 1, got 2 (send_c5)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected a channel of type 2, got 1 (send_c5)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// -----

// CHECK: expected source_target_pairs of shape [n, 2], got [1, 3] (recv_c1)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected the sources without repetitions, got [0, 0] (recv_c2)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected the targets without repetitions, got [1, 1] (recv_c3)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected each of source_target_pairs to be at least 0, got -1 (recv_c4)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1], [2, 1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected a channel of type 1, got 2 (recv_c5)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected a channel of type 3, got 1 (recv_c5)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected the last result to be a token, got tensor<2x4xf32> (recv)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> tensor<2x4xf32>
  func.return
}

// -----

// CHECK: expected result 0 to be a tensor, got !stablehlo.token (recv)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected at least one result, got 0 (recv)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> ()
  func.return
}

// -----

// CHECK: expected at least one result, got 0 (infeed_c1)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> ()
  func.return
}

// -----

// CHECK: expected result 0 to be a tensor, got !stablehlo.token (infeed_c2)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  func.return
}

// -----

// CHECK: expected the last result to be a token, got tensor<2x4xf32> (infeed_c3)
func.func @invalid(%x: tensor<2x4xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> tensor<2x4xf32>
  func.return
}
