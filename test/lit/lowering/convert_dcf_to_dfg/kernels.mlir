// RUN: anabranch-opt %s -p convert-dcf-to-dfg | filecheck %s

// A call that was not inlined runs its function as one kernel; the function stays.
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.sine %x : tensor<f32>
  return %y : tensor<f32>
}
// CHECK:      dfg.program @main
// CHECK:        %y = dfg.kernel @f(%x) : (tensor<f32>) -> tensor<f32>
// CHECK:      func.func private @f

// A reducer that reads a constant from outside gets a copy of its own.
func.func @reducer(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %r = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %b, %two : tensor<f32>
    %d = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK-LABEL: dfg.program @reducer
// CHECK:         stablehlo.reduce
// CHECK:           stablehlo.constant dense<2.000000e+00>
// CHECK:           stablehlo.multiply
