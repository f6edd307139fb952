// RUN: anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/rules.txt"}' | filecheck %s

// By scope (whole steps of the name, JAX's transformations aside), by line of the source, by argument;
// the first rule that fits decides, and the program itself comes before all rules.
func.func @main(%x: tensor<f32> {plan.device = "cpu:0"}, %y: tensor<f32> loc("params"), %n: tensor<i32>) -> tensor<f32> {
  %a = stablehlo.sine %x : tensor<f32> loc("jit(step)/layer1/sin")
  %b = stablehlo.sine %a : tensor<f32> loc("jit(step)/layer10/sin")
  %c = stablehlo.cosine %x : tensor<f32> loc("jit(step)/transpose(jvp(layer1))/cos")
  %d = stablehlo.sine %x {plan.device = "cpu:0"} : tensor<f32> loc("jit(step)/layer1/sin")
  %e = stablehlo.exponential %x : tensor<f32> loc("jit(step)/layer2/exp"("src/model.py":41:3))
  %f = stablehlo.exponential %x : tensor<f32> loc(callsite("src/ops.py":3:1 at "src/model.py":45:3))
  %g = stablehlo.exponential %x : tensor<f32> loc("remodel.py":41:3)
  %h = stablehlo.negate %x : tensor<f32> loc("jit(step)/layer2/head/neg")
  // Of a stack, the place of what is put into it counts.
  %s = dcf.stack_new : !dcf.stack<tensor<f32>> loc("jit(step)/layer3/sin")
  %t = dcf.stack_push %s, %y : !dcf.stack<tensor<f32>> loc("jit(step)/layer1/sin")
  %u, %v = dcf.stack_pop %t : !dcf.stack<tensor<f32>> loc("jit(step)/layer3/sin")
  return %v : tensor<f32>
}
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %y: tensor<f32> {plan.device = "cpu:6"}, %n: tensor<i32> {plan.device = "cpu:7"}
// CHECK:         %a = stablehlo.sine %x {plan.device = "cpu:1"}
// CHECK-NEXT:    %b = stablehlo.sine %a {plan.device = "cpu:3"}
// CHECK-NEXT:    %c = stablehlo.cosine %x {plan.device = "cpu:1"}
// CHECK-NEXT:    %d = stablehlo.sine %x {plan.device = "cpu:0"}
// CHECK-NEXT:    %e = stablehlo.exponential %x {plan.device = "cpu:2"}
// CHECK-NEXT:    %f = stablehlo.exponential %x {plan.device = "cpu:2"}
// CHECK-NEXT:    %g = stablehlo.exponential %x {plan.device = "cpu:0"}
// CHECK-NEXT:    %h = stablehlo.negate %x {plan.device = "cpu:4"}
// CHECK-NEXT:    %s = dcf.stack_new {plan.device = "cpu:1"}
// CHECK-NEXT:    dcf.stack_push %s, %y {plan.device = "cpu:1"}
// CHECK-NEXT:    dcf.stack_pop %t {plan.device = "cpu:1"}
