// RUN: anabranch-opt %s -p fold-scalar-constants | filecheck %s

// A folded op keeps its device; a branch that is taken for sure leaves its own to what was in it.
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.add %one, %one {plan.device = "cpu:2"} : tensor<i32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = dcf.cond %true : tensor<i1> -> tensor<f32> then {
    %s = stablehlo.sine %x : tensor<f32>
    dcf.yield %s : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  } {plan.device = "cpu:1"}
  return %r, %two : tensor<f32>, tensor<i32>
}
// CHECK: %two = stablehlo.constant {plan.device = "cpu:2"} dense<2>
// CHECK: %s = stablehlo.sine %x {plan.device = "cpu:1"}
