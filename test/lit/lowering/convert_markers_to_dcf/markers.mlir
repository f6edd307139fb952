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

// A rule for tangents. Where nothing is differentiated, the function has no rule.
// CHECK-LABEL: func.func @main(%x: tensor<f32>) -> tensor<f32> {
// CHECK:         %y = call @f.plain(%x)
// CHECK:         dcf.jvp @g(%y) tangents(%one) wrt [0]
// CHECK-LABEL: func.func private @g(%x: tensor<f32>) -> tensor<f32> {
// CHECK:         call @f(%x)
// CHECK-LABEL: func.func private @f.rule(%x: tensor<f32>, %t: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:    %z = stablehlo.cosine %x
// CHECK-NEXT:    %d = stablehlo.add %t, %t
// CHECK-NEXT:    return %z, %d
// CHECK-LABEL: func.func private @f(%x: tensor<f32>) -> tensor<f32> attributes {dcf.custom_jvp = @f.rule} {
// CHECK-LABEL: func.func private @f.plain(%x: tensor<f32>) -> tensor<f32> {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %y:3 = stablehlo.composite "anabranch.custom_jvp" %x, %zero {composite_attributes = {arguments = 1 : i64, seeds = 1 : i64, results = 1 : i64, label = "f"}, decomposition = @anabranch.custom_jvp} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  %r:2 = stablehlo.composite "anabranch.jvp" %y#0, %one {composite_attributes = {arguments = 1 : i64, results = 1 : i64, wrt = "0", label = "g"}, decomposition = @anabranch.jvp} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %r#1 : tensor<f32>
}
func.func private @anabranch.jvp(%x: tensor<f32>, %t: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y:3 = stablehlo.composite "anabranch.custom_jvp" %x, %zero {composite_attributes = {arguments = 1 : i64, seeds = 1 : i64, results = 1 : i64, label = "f"}, decomposition = @anabranch.custom_jvp} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %y#0, %zero : tensor<f32>, tensor<f32>
}
func.func private @anabranch.custom_jvp(%x: tensor<f32>, %t: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %y = stablehlo.sine %x : tensor<f32>
  %z = stablehlo.cosine %x : tensor<f32>
  %d = stablehlo.add %t, %t : tensor<f32>
  return %y, %z, %d : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// A rule in two parts: what is captured (here %c) is among the residuals.
// CHECK-LABEL: func.func private @f.backward(%c: tensor<f32>, %k: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:    %d = stablehlo.multiply %k, %ct
// CHECK-NEXT:    %e = stablehlo.multiply %d, %c
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
// CHECK-NEXT:    return %[[ZERO]], %e
// CHECK-LABEL: func.func private @f.forward(%c: tensor<f32>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
// CHECK-NEXT:    %z = stablehlo.cosine %x
// CHECK-NEXT:    return %z, %c, %x
// CHECK-LABEL: func.func private @f(%c: tensor<f32>, %x: tensor<f32>) -> tensor<f32> attributes {dcf.custom_backward = @f.backward, dcf.custom_forward = @f.forward} {
// CHECK-NEXT:    %y = stablehlo.sine %x
func.func @main(%c: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.composite "anabranch.vjp" %c, %x, %one {composite_attributes = {arguments = 1 : i64, results = 1 : i64, wrt = "0", of = 0 : i64, label = "g"}, decomposition = @anabranch.vjp} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %r#1 : tensor<f32>
}
func.func private @anabranch.vjp(%c: tensor<f32>, %x: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y:4 = stablehlo.composite "anabranch.custom_forward" %c, %x, %zero, %zero {composite_attributes = {arguments = 1 : i64, residuals = 1 : i64, seeds = 1 : i64, results = 1 : i64, label = "f"}, decomposition = @anabranch.custom_forward} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
  return %y#0, %zero : tensor<f32>, tensor<f32>
}
func.func private @anabranch.custom_forward(%c: tensor<f32>, %x: tensor<f32>, %k: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %y = stablehlo.sine %x : tensor<f32>
  %z = stablehlo.cosine %x : tensor<f32>
  %d = stablehlo.multiply %k, %ct : tensor<f32>
  %e = stablehlo.multiply %d, %c : tensor<f32>
  return %y, %z, %x, %e : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
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
