// Requests go; a function without requests gets no gradient, and rules of functions are used up.
// RUN: anabranch-opt %s -p expand-requests | filecheck %s

// CHECK-LABEL: func.func private @wrapped(
// CHECK:         call @f(%x)
// CHECK-LABEL: func.func private @wrapped.grad(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK:         call @f(%x)
// CHECK:         call @rule(%x, %
// CHECK-LABEL: func.func private @f(%x: tensor<f32>) -> tensor<f32> {
// CHECK-LABEL: func.func private @rule(
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %{{.*}}, %g = call @wrapped.grad(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NOT:   @main.grad
func.func private @wrapped(%x: tensor<f32>) -> tensor<f32> {
  %y = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> attributes {dcf.custom_vjp = @rule} {
  return %x : tensor<f32>
}
func.func private @rule(%x: tensor<f32>, %ct: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %x, %ct : tensor<f32>
  return %y : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %g = dcf.gradient @wrapped(%x) : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
