// RUN: anabranch-opt %s -p 'dcf-gradient{mode=forward}' | filecheck %s

// Carries, inputs and outputs are each followed by their tangents, and the trips run once.
func.func @main(%x: tensor<f32>, %xs: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %r:2 = dcf.scan "s" (%a = %x : tensor<f32>) ins(%v = %xs : tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) do {
    %m = stablehlo.multiply %a, %v : tensor<f32>
    dcf.yield %m, %a : tensor<f32>, tensor<f32>
  } {reverse}
  return %r#0, %r#1 : tensor<f32>, tensor<4xf32>
}
// CHECK:      func.func @main.jvp(
// CHECK:        %r, %r_dot, %r_1, %r_dot_1 = dcf.scan "s" (%a = %x, %a_dot = %x_dot : tensor<f32>, tensor<f32>) ins(%v = %xs, %v_dot = %xs_dot : tensor<4xf32>, tensor<4xf32>)
// CHECK:          dcf.yield %m, %m_dot, %a, %a_dot
// CHECK-NEXT:   } {reverse}
// CHECK-NEXT:   return %r, %r_1, %r_dot, %r_dot_1
