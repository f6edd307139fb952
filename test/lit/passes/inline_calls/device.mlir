// RUN: anabranch-opt %s -p inline-calls --print-debuginfo | filecheck %s

// What is inlined has the device of the call, unless it has its own, and its name begins with the call's.
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = func.call @f(%x) {plan.device = "cpu:1"} : (tensor<f32>) -> tensor<f32> loc("jit(main)/layer/jit(f)")
  %b = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
  return %b : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.sine %x : tensor<f32> loc("sin"("f.py":1:2))
  %z = stablehlo.cosine %y {plan.device = "cpu:2"} : tensor<f32> loc("jit(main)/whole/cos")
  return %z : tensor<f32>
}
// CHECK-LABEL: func.func @main
// CHECK:         stablehlo.sine %x {plan.device = "cpu:1"} : tensor<f32> loc(#[[A:loc[0-9]+]])
// CHECK:         stablehlo.cosine {{%.*}} {plan.device = "cpu:2"} : tensor<f32> loc("jit(main)/whole/cos")
// CHECK:         stablehlo.sine {{%.*}} : tensor<f32> loc(#[[B:loc[0-9]+]])
// CHECK:         stablehlo.cosine {{%.*}} {plan.device = "cpu:2"}
// CHECK:       #[[A]] = loc("jit(main)/layer/jit(f)/sin"(
// CHECK:       #[[B]] = loc("sin"(
