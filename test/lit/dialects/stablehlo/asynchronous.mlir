// RUN: %roundtrip %s | filecheck %s

// Asynchronous collectives and slices.

// CHECK: func.func @async
func.func @async(%x: tensor<10xf32>) {
  // CHECK: "stablehlo.async_start"(%x) ({
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<10xf32>):
    // CHECK: "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<10xf32>) -> tensor<20xf32>
    // CHECK: stablehlo.return %b : tensor<20xf32>
    stablehlo.return %b : tensor<20xf32>
  }) : (tensor<10xf32>) -> !stablehlo.future<tensor<20xf32>>
  // CHECK: "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<20xf32>>) -> tensor<20xf32>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<20xf32>>) -> tensor<20xf32>
  func.return
}
