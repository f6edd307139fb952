// RUN: anabranch-opt %s -p dcf-gradient | filecheck %s

// A scan's reverse is a scan from the other end. What its rules read is an output of the forward scan
// (the old carry), or read again (the input's rows); a weight's cotangent is carried round.

func.func @main(%c: tensor<f32>, %w: tensor<f32>, %xs: tensor<5xf32>) -> tensor<f32> {
  %r = dcf.scan "s" (%a = %c : tensor<f32>) ins(%x = %xs : tensor<5xf32>) -> tensor<f32> do {
    %p = stablehlo.multiply %a, %x : tensor<f32>
    %b = stablehlo.add %p, %w : tensor<f32>
    dcf.yield %b : tensor<f32>
  }
  func.return %r : tensor<f32>
}
// CHECK-LABEL: func.func @main.grad
// CHECK:         %[[R:.*]], %[[S:.*]] = dcf.scan "s" (%[[A:.*]] = %c : tensor<f32>) ins(%[[X:.*]] = %xs : tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>) do {
// CHECK:           dcf.yield %{{.*}}, %a{{.*}} : tensor<f32>, tensor<f32>
// CHECK:         %[[G:.*]]:3 = dcf.scan "s.grad" (%[[D:.*]] = %{{.*}}, %[[E:.*]] = %{{.*}} : tensor<f32>, tensor<f32>) ins(%[[X1:.*]] = %xs, %[[A1:.*]] = %[[S]] : tensor<5xf32>, tensor<5xf32>) -> (tensor<f32>, tensor<f32>, tensor<5xf32>) do {
// CHECK:         } {reverse}
// CHECK-NEXT:    return %[[R]], %[[G]]#0, %[[G]]#1, %[[G]]#2
