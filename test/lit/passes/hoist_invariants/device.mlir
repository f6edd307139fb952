// RUN: anabranch-opt %s -p hoist-invariants | filecheck %s

// What leaves a loop keeps its device, or has that of the loop, which was the default for it.
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.while "w" (%a = %x : tensor<f32>) cond { dcf.condition %p } do {
    %s = stablehlo.sine %x : tensor<f32>
    %c = stablehlo.cosine %x {plan.device = "cpu:2"} : tensor<f32>
    %t = stablehlo.add %s, %c : tensor<f32>
    %b = stablehlo.add %a, %t : tensor<f32>
    dcf.yield %b : tensor<f32>
  } {plan.device = "cpu:1"}
  return %r : tensor<f32>
}
// CHECK:      %s = stablehlo.sine %x {plan.device = "cpu:1"}
// CHECK-NEXT: %c = stablehlo.cosine %x {plan.device = "cpu:2"}
// CHECK-NEXT: %t = stablehlo.add %s, %c {plan.device = "cpu:1"}
// CHECK-NEXT: dcf.while
// CHECK:      %b = stablehlo.add %a, %t : tensor<f32>
// CHECK:      } {plan.device = "cpu:1"}
