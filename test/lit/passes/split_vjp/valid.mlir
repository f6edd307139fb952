// RUN: anabranch-opt %s -p 'split-vjp{function=main arguments=2 results=1}' --split-input-file | filecheck %s

// The square of a state, while it is small: what the cotangent goes through is in the backward function,
// with the stack of states as a residual.
func.func @main(%x: tensor<f32>, %limit: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %empty = dcf.stack_new : !dcf.stack<tensor<f32>>
  %y, %n, %s = dcf.while "f" (%a = %x, %k = %zero, %t = %empty : tensor<f32>, tensor<i32>, !dcf.stack<tensor<f32>>) cond {
    %p = stablehlo.compare LT, %a, %limit, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %b = stablehlo.multiply %a, %a : tensor<f32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %t1 = dcf.stack_push %t, %a : !dcf.stack<tensor<f32>>
    dcf.yield %b, %k1, %t1 : tensor<f32>, tensor<i32>, !dcf.stack<tensor<f32>>
  }
  %g:3 = dcf.while "g" (%c = %ct, %k = %n, %t = %s : tensor<f32>, tensor<i32>, !dcf.stack<tensor<f32>>) cond {
    %p = stablehlo.compare GT, %k, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %t1, %a = dcf.stack_pop %t : !dcf.stack<tensor<f32>>
    %twice = stablehlo.add %a, %a : tensor<f32>
    %d = stablehlo.multiply %c, %twice : tensor<f32>
    %k1 = stablehlo.subtract %k, %one : tensor<i32>
    dcf.yield %d, %k1, %t1 : tensor<f32>, tensor<i32>, !dcf.stack<tensor<f32>>
  }
  return %y, %g#0 : tensor<f32>, tensor<f32>
}
// CHECK:      func.func @main(
// CHECK:      func.func @main.forward(%x: tensor<f32>, %limit: tensor<f32>) -> (tensor<f32>, tensor<i32>, !dcf.stack<tensor<f32>>) {
// CHECK:        %y, %n, %s = dcf.while "f"
// CHECK-NOT:    dcf.while
// CHECK:        return %y, %n, %s
// CHECK:      func.func @main.backward(%n: tensor<i32>, %s: !dcf.stack<tensor<f32>>, %ct: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:   %zero = stablehlo.constant dense<0>
// CHECK-NEXT:   %one = stablehlo.constant dense<1>
// CHECK-NEXT:   dcf.while "g" ({{.*}} = %ct, {{.*}} = %n, {{.*}} = %s :

// -----

// Arguments and results can be residuals; an effect happens once; what only the cotangents need is
// computed with them, though it does not depend on them.
func.func @main(%x: tensor<f32>, %y: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %e = stablehlo.exponential %x : tensor<f32>
  dcf.probe "once" %e : tensor<f32>
  %c = stablehlo.cosine %y : tensor<f32>
  %g = stablehlo.multiply %ct, %e : tensor<f32>
  %h = stablehlo.multiply %g, %c : tensor<f32>
  return %e, %h, %y : tensor<f32>, tensor<f32>, tensor<f32>
}
// CHECK:      func.func @main.forward(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %e = stablehlo.exponential %x
// CHECK-NEXT:   dcf.probe "once" %e
// CHECK-NEXT:   return %e, %y, %e
// CHECK:      func.func @main.backward(%y: tensor<f32>, %e: tensor<f32>, %ct: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
// CHECK-NEXT:   %c = stablehlo.cosine %y
// CHECK-NEXT:   %g = stablehlo.multiply %ct, %e
// CHECK-NEXT:   %h = stablehlo.multiply %g, %c
// CHECK-NEXT:   return %h, %y
