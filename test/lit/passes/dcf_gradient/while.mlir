// RUN: anabranch-opt %s -p dcf-gradient | filecheck %s

// The forward loop counts its trips and pushes what the backward loop reads; the backward loop runs
// that many trips, popping. A captured value is no residual, and its cotangent adds up over the trips.
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %z, %a = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %b = stablehlo.multiply %a, %x : tensor<f32>
    dcf.yield %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
// The primal stays as it was.
// CHECK:      func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
// CHECK-NOT:    dcf.stack_new
// CHECK:      func.func @main.grad(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
// CHECK:        %[[S0:.*]] = dcf.stack_new : !dcf.stack<tensor<f32>>
// CHECK:        %r, %r_1, %[[N:.*]], %[[S:.*]] = dcf.while "w" (%i = %z, %a = %x, %[[C:.*]] = %{{.*}}, %[[ST:.*]] = %[[S0]] :
// CHECK:          dcf.stack_push %[[ST]], %a : !dcf.stack<tensor<f32>>
// CHECK:        dcf.while "w.grad" (%[[K:.*]] = %[[N]], %[[DA:.*]] = %{{.*}}, %[[DX:.*]] = %{{.*}}, %[[SB:.*]] = %[[S]] :
// CHECK:          stablehlo.compare GT, %[[K]]
// CHECK:          %[[REST:.*]], %[[A:.*]] = dcf.stack_pop %[[SB]]
// CHECK-NEXT:     %[[DA1:.*]] = stablehlo.multiply %[[DA]], %x
// CHECK-NEXT:     %[[P:.*]] = stablehlo.multiply %[[DA]], %[[A]]
// CHECK-NEXT:     %[[DX1:.*]] = stablehlo.add %[[DX]], %[[P]]
// CHECK:          dcf.yield %{{.*}}, %[[DA1]], %[[DX1]], %[[REST]]
// CHECK:        stablehlo.add
// CHECK-NEXT:   return %r_1
