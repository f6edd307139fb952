// Memory budgets: the same results, figures with --stats, and errors that say what did not fit.
// RUN: %python -c "import numpy as n; n.savez('%t.npz', arg0=n.float32(1.5), arg1=n.int32(200))"
// RUN: anabranch-run %s --inputs %t.npz --grad --function step > %t.plain
// RUN: anabranch-run %s --inputs %t.npz --grad --function step --memory 64KiB > %t.budget
// RUN: diff %t.plain %t.budget
// RUN: anabranch-run %s --inputs %t.npz --grad --function step --devices 2 --assign random:1 --memory cpu:0=64KiB --memory cpu:1=64KiB > %t.two
// RUN: diff %t.plain %t.two
// RUN: anabranch-run %s --inputs %t.npz --grad --function step --memory cpu:0=64KiB --stats 2>&1 | filecheck %s --check-prefix STATS
// RUN: not anabranch-run %s --inputs %t.npz --grad --function step --memory 16KiB 2>&1 | filecheck %s --check-prefix SMALL
// RUN: not anabranch-run %s --function step --memory cpu:1=1MiB 2>&1 | filecheck %s --check-prefix DEVICE
// RUN: not anabranch-run %s --function step --memory lots 2>&1 | filecheck %s --check-prefix AMOUNT
// RUN: not anabranch-run %s --function step --memory 1MiB --engine reference 2>&1 | filecheck %s --check-prefix REFERENCE

// STATS: device  budget    peak  unswapped  held back  waits    store
// STATS-NEXT: cpu:0   65,536
// STATS: device  values out  bytes out  values in  bytes in

// SMALL: run_memory.mlir:{{[0-9]+}}:{{[0-9]+}}: error: stablehlo.{{.*}} on cpu:0 in iteration {{[0-9]+}} of "steps{{.*}}": needs 4KiB more than the 12{{[0-9]+}}B in use of the memory budget of 16KiB; largest holders: {{.*}}
// DEVICE: error: memory: expected one of the devices cpu:0, got 'cpu:1'
// AMOUNT: error: argument --memory: expected an amount of memory such as "64MiB"
// REFERENCE: error: --memory is about the dataflow graph: not with --engine reference
func.func @step(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
  %r:2 = dcf.while "steps" (%i = %zero, %v = %start : tensor<i32>, tensor<32x32xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.sine %v : tensor<32x32xf32>
    dcf.yield %j, %w : tensor<i32>, tensor<32x32xf32>
  }
  %s = stablehlo.reduce(%r#1 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
  func.return %s : tensor<f32>
}
