// Composites that the JAX front end marks derivatives with, and what becomes of them.
// RUN: anabranch-opt %s -p convert-markers-to-dcf --split-input-file --verify-diagnostics | filecheck %s

// The function is what the decomposition computes first; the rest only has the types.
// CHECK-LABEL: func.func @main(%x: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:    %one = stablehlo.constant
// CHECK-NEXT:    %r:2 = dcf.vjp @loss(%c, %x) cotangents(%one) wrt [1]
// CHECK-NEXT:    %s = dcf.stop_gradient %r#0
// CHECK-LABEL: func.func private @loss(%c: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
// CHECK:         %y = stablehlo.multiply %c, %x
// CHECK-NOT:   @anabranch
func.func @main(%x: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.composite "anabranch.vjp" %c, %x, %one {composite_attributes = {arguments = 1 : i64, results = 1 : i64, wrt = "0", of = 0 : i64, label = "loss"}, decomposition = @anabranch.vjp} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %s = stablehlo.composite "anabranch.stop_gradient" %r#0 {decomposition = @anabranch.stop_gradient} : (tensor<f32>) -> tensor<f32>
  %t = stablehlo.add %s, %r#1 : tensor<f32>
  return %t : tensor<f32>
}
func.func private @anabranch.vjp(%c: tensor<f32>, %x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %y = stablehlo.multiply %c, %x : tensor<f32>
  return %y, %nan : tensor<f32>, tensor<f32>
}
func.func private @anabranch.stop_gradient(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// A rule: the function keeps its call, and names the rule.
// CHECK-LABEL: func.func @main(%x: tensor<f32>) -> tensor<f32> {
// CHECK:         call @f(%x)
// CHECK-LABEL: func.func private @f.rule(%x: tensor<f32>, %ct: tensor<f32>) -> tensor<f32> {
// CHECK:         %[[D:.*]] = stablehlo.add %ct, %ct
// CHECK-NEXT:    return %[[D]]
// CHECK-LABEL: func.func private @f(%x: tensor<f32>) -> tensor<f32> attributes {dcf.custom_vjp = @f.rule} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.composite "anabranch.custom_vjp" %x, %zero {composite_attributes = {arguments = 1 : i64, results = 1 : i64, label = "f"}, decomposition = @anabranch.custom_vjp} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %r#0 : tensor<f32>
}
func.func private @anabranch.custom_vjp(%x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y = stablehlo.sine %x : tensor<f32>
  %d = stablehlo.add %ct, %ct : tensor<f32>
  return %y, %d : tensor<f32>, tensor<f32>
}

// -----

// CHECK: error: expected a marker of vjp, jvp, custom_vjp, custom_jvp, custom_forward or stop_gradient with a function of the module, got "anabranch.other"
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.composite "anabranch.other" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
