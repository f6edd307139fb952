// RUN: anabranch-opt %s -p split-products --split-input-file | filecheck %s

// The row's part of the product, and what is added to it, no longer wait for the trip before.

func.func @cell(%h0: tensor<4x3xf32>, %w: tensor<5x3xf32>, %b: tensor<4x3xf32>, %xs: tensor<7x4x2xf32>) -> tensor<4x3xf32> {
  %r = dcf.scan (%h = %h0 : tensor<4x3xf32>) ins(%x = %xs : tensor<7x4x2xf32>) -> tensor<4x3xf32> do {
    %j = stablehlo.concatenate %x, %h, dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
    %p = stablehlo.dot_general %j, %w, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
    %s = stablehlo.add %p, %b : tensor<4x3xf32>
    %t = stablehlo.tanh %s : tensor<4x3xf32>
    dcf.yield %t : tensor<4x3xf32>
  }
  func.return %r : tensor<4x3xf32>
}
// CHECK-LABEL: func.func @cell
// CHECK:           dcf.scan (%[[H:.*]] = %h0 : tensor<4x3xf32>) ins(%[[X:.*]] = %xs : tensor<7x4x2xf32>)
// CHECK-NEXT:      %[[W1:.*]] = stablehlo.slice %w [0:2, 0:3]
// CHECK-NEXT:      %[[P1:.*]] = stablehlo.dot_general %{{.*}}, %[[W1]], contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:      %[[W2:.*]] = stablehlo.slice %w [2:5, 0:3]
// CHECK-NEXT:      %[[P2:.*]] = stablehlo.dot_general %{{.*}}, %[[W2]], contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:      %[[E:.*]] = stablehlo.add %[[P1]], %b
// CHECK-NEXT:      %[[S:.*]] = stablehlo.add %[[E]], %[[P2]]
// CHECK-NEXT:      stablehlo.tanh %[[S]]

// -----

// The second factor is split the same way; values of one kind side by side stay together. A sum with
// a value of the trip ends the first part.

func.func @right(%h0: tensor<3xf32>, %w: tensor<3x8xf32>, %xs: tensor<7x2xf32>) -> tensor<3xf32> {
  %r = dcf.scan (%h = %h0 : tensor<3xf32>) ins(%x = %xs : tensor<7x2xf32>) -> tensor<3xf32> do {
    %g = stablehlo.sine %h : tensor<3xf32>
    %j = stablehlo.concatenate %h, %g, %x, dim = 0 : (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<8xf32>
    %p = stablehlo.dot_general %w, %j, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3xf32>
    %s = stablehlo.add %h, %p : tensor<3xf32>
    dcf.yield %s : tensor<3xf32>
  }
  func.return %r : tensor<3xf32>
}
// CHECK-LABEL: func.func @right
// CHECK:           %[[G:.*]] = stablehlo.sine
// CHECK-NEXT:      %[[W1:.*]] = stablehlo.slice %w [0:3, 0:6]
// CHECK-NEXT:      %[[J:.*]] = stablehlo.concatenate %{{.*}}, %[[G]], dim = 0
// CHECK-NEXT:      %[[P1:.*]] = stablehlo.dot_general %[[W1]], %[[J]]
// CHECK-NEXT:      %[[W2:.*]] = stablehlo.slice %w [0:3, 6:8]
// CHECK-NEXT:      %[[P2:.*]] = stablehlo.dot_general %[[W2]], %{{.*}}
// CHECK-NEXT:      %[[P:.*]] = stablehlo.add %[[P2]], %[[P1]]
// CHECK-NEXT:      stablehlo.add %{{.*}}, %[[P]]

// -----

// Nothing to gain: both parts wait for the trip before; the weight is one of the trip; the values are
// not joined along what is summed.

func.func @stay(%h0: tensor<3xf32>, %w0: tensor<3x6xf32>, %v: tensor<2x6xf32>, %xs: tensor<7x3xf32>) -> tensor<3xf32> {
  %r:2 = dcf.scan (%h = %h0, %w = %w0 : tensor<3xf32>, tensor<3x6xf32>) ins(%x = %xs : tensor<7x3xf32>) -> (tensor<3xf32>, tensor<3x6xf32>) do {
    %j = stablehlo.concatenate %h, %h, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %p = stablehlo.dot_general %v, %j, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2xf32>
    %k = stablehlo.concatenate %x, %h, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %q = stablehlo.dot_general %w, %k, contracting_dims = [1] x [0] : (tensor<3x6xf32>, tensor<6xf32>) -> tensor<3xf32>
    %o = stablehlo.dot_general %p, %k, contracting_dims = [] x [] : (tensor<2xf32>, tensor<6xf32>) -> tensor<2x6xf32>
    %c = stablehlo.concatenate %w, %o, dim = 0 : (tensor<3x6xf32>, tensor<2x6xf32>) -> tensor<5x6xf32>
    %n = stablehlo.slice %c [2:5, 0:6] : (tensor<5x6xf32>) -> tensor<3x6xf32>
    dcf.yield %q, %n : tensor<3xf32>, tensor<3x6xf32>
  }
  func.return %r#0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @stay
// CHECK:           stablehlo.dot_general %v
// CHECK:           stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<3x6xf32>, tensor<6xf32>) -> tensor<3xf32>
// CHECK-NEXT:      stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [] x []
// CHECK-NOT:       stablehlo.dot_general
