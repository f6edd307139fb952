// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a body of one op and a return, got 1 (async_start_c1)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    stablehlo.return %a : tensor<10xf32>
  }) : (tensor<10xf32>) -> !stablehlo.future<tensor<10xf32>>
  func.return
}

// -----

// CHECK: expected a body of one op and a return, got 3 (async_start_c1)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    %n = stablehlo.negate %a : tensor<10xf32>
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<10xf32>) -> !stablehlo.future<tensor<20xf32>>
  func.return
}

// -----

// CHECK: expected a collective or a slice in the body, got stablehlo.negate (async_start_c2)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    %b = stablehlo.negate %a : tensor<10xf32>
    stablehlo.return %b : tensor<10xf32>
  }) : (tensor<10xf32>) -> !stablehlo.future<tensor<10xf32>>
  func.return
}

// -----

// CHECK: expected argument 0 of the body of type tensor<5xf32>, got tensor<10xf32> (async_start_c3)
func.func @invalid(%x: tensor<10xf32>, %y: tensor<5xf32>) {
  %0 = "stablehlo.async_start"(%y) ({
  ^bb0(%a: tensor<10xf32>):
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<5xf32>) -> !stablehlo.future<tensor<20xf32>>
  func.return
}

// -----

// CHECK: expected 2 arguments of the body, got 1 (async_start_c3)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x, %x) ({
  ^bb0(%a: tensor<10xf32>):
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<10xf32>, tensor<10xf32>) -> !stablehlo.future<tensor<20xf32>>
  func.return
}

// -----

// CHECK: expected an op on the arguments of the body, in their order, got stablehlo.all_gather (async_start_c3)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x, %x) ({
  ^bb0(%a: tensor<10xf32>, %z: tensor<10xf32>):
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<10xf32>, tensor<10xf32>) -> !stablehlo.future<tensor<20xf32>>
  func.return
}

// -----

// CHECK: expected result of type !stablehlo.future<tensor<20xf32>>, got !stablehlo.future<tensor<10xf32>> (async_start_c4)
func.func @invalid(%x: tensor<10xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<10xf32>) -> !stablehlo.future<tensor<10xf32>>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<20xf32>, got tensor<10xf32> (async_done_c1)
func.func @invalid(%f: !stablehlo.future<tensor<20xf32>>) {
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<20xf32>>) -> tensor<10xf32>
  func.return
}
