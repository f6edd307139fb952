// Scopes in the debug locations count where nothing has made devices of them yet.
// RUN: anabranch-opt %s -p assign-devices | filecheck %s
// RUN: not anabranch-opt %s -p 'assign-devices{function=scoped devices="cpu:0"}' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: expected one of the devices "cpu:0", got "cpu:1"
// CHECK-LABEL: @scoped
// CHECK: stablehlo.sine {{.*}}plan.device = "cpu:1"
// CHECK: stablehlo.cosine {{.*}}plan.device = "cpu:2"
func.func @scoped(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x : tensor<f32> loc("jit(f)/anabranch.device=cpu:1/sin")
  %b = stablehlo.cosine %a : tensor<f32> loc("jit(f)/anabranch.device=cpu:1/anabranch.device=cpu:2/cos")
  return %b : tensor<f32>
}

// Where an op has a device, the scopes have been seen to.
// CHECK-LABEL: @given
// CHECK: stablehlo.sine {{.*}}plan.device = "cpu:3"
// CHECK: stablehlo.cosine {{.*}}plan.device = "cpu:3"
func.func @given(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x {plan.device = "cpu:3"} : tensor<f32>
  %b = stablehlo.cosine %a : tensor<f32> loc("jit(f)/anabranch.device=cpu:1/cos")
  return %b : tensor<f32>
}

func.func @bare(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x : tensor<f32>
  return %a : tensor<f32>
}
