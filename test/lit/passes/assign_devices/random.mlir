// RUN: anabranch-opt %s -p 'assign-devices{devices="cpu:0","cpu:1","cpu:2" random=5}' | filecheck %s
// RUN: anabranch-opt %s -p 'assign-devices{devices="cpu:0" random=5}' | filecheck %s --check-prefix=ONE

// Whatever it says itself, every op, argument and result is placed by its draw; a stack stays together.
// The same seed gives the same places, on any machine.
func.func @main(%x: tensor<f32> {plan.device = "cpu:9"}, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.sine %x : tensor<f32>
  %b = stablehlo.sine %a : tensor<f32>
  %s = dcf.stack_new : !dcf.stack<tensor<f32>>
  %t = dcf.stack_push %s, %b : !dcf.stack<tensor<f32>>
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %c = stablehlo.sine %b : tensor<f32>
    dcf.yield %c : tensor<f32>
  } else {
    dcf.yield %a : tensor<f32>
  } {plan.device = "cpu:9"}
  %u, %v = dcf.stack_pop %t : !dcf.stack<tensor<f32>>
  return %v, %r : tensor<f32>, tensor<f32>
}
// ONE-NOT: cpu:9
// CHECK: func.func @main(%x: tensor<f32> {plan.device = "cpu:2"}, %p: tensor<i1> {plan.device = "cpu:2"}) -> (tensor<f32> {plan.device = "cpu:2"}, tensor<f32> {plan.device = "cpu:0"}) {
// CHECK: %a = stablehlo.sine %x {plan.device = "cpu:0"} : tensor<f32>
// CHECK: %b = stablehlo.sine %a {plan.device = "cpu:2"} : tensor<f32>
// CHECK: %s = dcf.stack_new {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
// CHECK: %t = dcf.stack_push %s, %b {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
// CHECK: %c = stablehlo.sine %b {plan.device = "cpu:1"} : tensor<f32>
// CHECK: %u, %v = dcf.stack_pop %t {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
