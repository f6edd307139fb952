// RUN: anabranch-opt %s -p 'dcf-gradient{mode=forward}' | filecheck %s

// The tangent of a stack is a stack whose missing elements are zeros, that of an array a gradient array.
func.func @main(%x: tensor<f32>, %i: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %e = dcf.stack_new : !dcf.stack<tensor<f32>>
  %s = dcf.stack_push %e, %x : !dcf.stack<tensor<f32>>
  %t = dcf.stack_push %s, %c : !dcf.stack<tensor<f32>>
  %u, %top = dcf.stack_pop %t : !dcf.stack<tensor<f32>>
  %a = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<f32>>
  %b = dcf.array_write %a, %i, %x : !dcf.array<tensor<f32>>, tensor<i32>
  %v = dcf.array_read %b, %i : !dcf.array<tensor<f32>>, tensor<i32>
  return %top, %v : tensor<f32>, tensor<f32>
}
// CHECK:      func.func @main.jvp(%x: tensor<f32>, %i: tensor<i32>, %x_dot: tensor<f32>)
// CHECK:        %s = dcf.stack_push %e, %x
// CHECK-NEXT:   %[[E:.*]] = dcf.stack_new
// CHECK-NEXT:   %s_dot = dcf.stack_push %[[E]], %x_dot
// CHECK:        %t = dcf.stack_push %s, %c
// CHECK-NEXT:   %[[Z:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT:   %t_dot = dcf.stack_push %s_dot, %[[Z]]
// CHECK:        %u, %top = dcf.stack_pop %t
// CHECK-NEXT:   %{{.*}}, %top_dot = dcf.stack_pop %t_dot {or_zero}
// CHECK:        %b = dcf.array_write %a, %i, %x
// CHECK:        %[[A:.*]] = dcf.array_new %{{.*}} : tensor<i32> -> !dcf.array<tensor<f32>, grad>
// CHECK-NEXT:   %b_dot = dcf.array_write %[[A]], %i, %x_dot : !dcf.array<tensor<f32>, grad>
// CHECK:        %v = dcf.array_read %b, %i
// CHECK-NEXT:   %v_dot = dcf.array_read %b_dot, %i : !dcf.array<tensor<f32>, grad>
// CHECK:        return %top, %v, %top_dot, %v_dot
