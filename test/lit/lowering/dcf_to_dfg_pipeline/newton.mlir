// RUN: anabranch-opt %s -p dcf-to-dfg-pipeline | filecheck %s
// RUN: anabranch-opt %s -p inline-calls,convert-stablehlo-to-dcf,fold-scalar-constants,forward-invariant-carries,remove-unused-carries,remove-dead-code,expand-scan,name-frames,convert-dcf-to-dfg | filecheck %s

// A while loop as JAX prints it: captured values are carries that never change, the body is a call.
module @jit_newton attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg0, %iterArg_1 = %arg1) : tensor<f32>, tensor<f32>, tensor<f32>
    cond {
      %1 = stablehlo.multiply %iterArg_1, %iterArg_1 : tensor<f32>
      %2 = stablehlo.subtract %1, %iterArg : tensor<f32>
      %3 = stablehlo.abs %2 : tensor<f32>
      %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %4 = stablehlo.compare GT, %3, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %1 = func.call @step(%iterArg_0, %iterArg_1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %iterArg, %iterArg_0, %1 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    return %0#2 : tensor<f32>
  }
  func.func private @step(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.add %arg1, %0 : tensor<f32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.multiply %cst, %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
// CHECK:      dfg.program @main (tensor<f32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:   dfg.graph on "cpu:0" (%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
// CHECK-NEXT:     %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:     %arg1_in = dfg.enter %arg1 in "while" : tensor<f32>
// CHECK-NEXT:     %arg0_in = dfg.enter constant %arg0 in "while" : tensor<f32>
// CHECK-NEXT:     %cst_in = dfg.enter constant %cst in "while" : tensor<f32>
// CHECK-NEXT:     %cst_in_1 = dfg.enter constant %cst_1 in "while" : tensor<f32>
// CHECK-NEXT:     %iterArg, %iterArg_from = dfg.merge %arg1_in, %iterArg_next : tensor<f32>
// CHECK-NEXT:     %0 = stablehlo.multiply %iterArg, %iterArg : tensor<f32>
// CHECK-NEXT:     %1 = stablehlo.subtract %0, %arg0_in : tensor<f32>
// CHECK-NEXT:     %2 = stablehlo.abs %1 : tensor<f32>
// CHECK-NEXT:     %3 = stablehlo.compare GT, %2, %cst_in, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:     %go = dfg.loop_cond %3
// CHECK-NEXT:     %iterArg_done, %iterArg_body = dfg.switch %iterArg, %go : tensor<f32>
// CHECK-NEXT:     %4 = stablehlo.divide %arg0_in, %iterArg_body : tensor<f32>
// CHECK-NEXT:     %5 = stablehlo.add %iterArg_body, %4 : tensor<f32>
// CHECK-NEXT:     %6 = stablehlo.multiply %cst_in_1, %5 : tensor<f32>
// CHECK-NEXT:     %iterArg_next = dfg.next_iteration %6 : tensor<f32>
// CHECK-NEXT:     %7 = dfg.exit %iterArg_done : tensor<f32>
// CHECK-NEXT:     dfg.fetch %7 : tensor<f32>
