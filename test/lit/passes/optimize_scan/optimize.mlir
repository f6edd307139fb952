// RUN: anabranch-opt %s -p optimize-scan --split-input-file | filecheck %s

// A product of each row with a weight is one product of all rows; what leads to it goes along, and so
// does what follows and leaves no more rows to pass in. What is the same in every trip goes before.

func.func @hoist(%h: tensor<3xf32>, %w: tensor<2x3xf32>, %b: tensor<f32>, %xs: tensor<5x2xf32>) -> (tensor<3xf32>, tensor<5x3xf32>) {
  %r:2 = dcf.scan "s" (%a = %h : tensor<3xf32>) ins(%x = %xs : tensor<5x2xf32>) -> (tensor<3xf32>, tensor<5x3xf32>) do {
    %s = stablehlo.sine %x : tensor<2xf32>
    %p = stablehlo.dot_general %s, %w, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
    %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %q = stablehlo.add %p, %c : tensor<3xf32>
    %t = stablehlo.multiply %a, %q : tensor<3xf32>
    %u = stablehlo.tanh %t : tensor<3xf32>
    dcf.yield %u, %q : tensor<3xf32>, tensor<3xf32>
  } {parallel_iterations = 4 : i64}
  func.return %r#0, %r#1 : tensor<3xf32>, tensor<5x3xf32>
}
// CHECK-LABEL: func.func @hoist
// CHECK:         %[[C:.*]] = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.sine %xs : tensor<5x2xf32>
// CHECK-NEXT:    %[[P:.*]] = stablehlo.dot_general %[[S]], %w, contracting_dims = [1] x [0] : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
// CHECK-NEXT:    %[[D:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.add %[[P]], %[[D]] : tensor<5x3xf32>
// CHECK-NEXT:    %[[R:.*]] = dcf.scan "s" (%[[A:.*]] = %h : tensor<3xf32>) ins(%[[X:.*]] = %[[Q]] : tensor<5x3xf32>) -> tensor<3xf32> do {
// CHECK-NEXT:      %[[T:.*]] = stablehlo.multiply %[[A:.*]], %[[X:.*]] : tensor<3xf32>
// CHECK-NEXT:      %[[U:.*]] = stablehlo.tanh %[[T]] : tensor<3xf32>
// CHECK-NEXT:      dcf.yield %[[U]] : tensor<3xf32>
// CHECK-NEXT:    } {parallel_iterations = 4 : i64}
// CHECK-NEXT:    {{.*}}return %[[R]], %[[Q]]

// -----

// A weight's gradient: the sum of products becomes one contraction; the sum of rows that are stacked for
// it, a bias's gradient, one sum; and an output that is a product of those rows, an input's gradient, one
// product.

func.func @sums(%w: tensor<3x2xf32>, %w0: tensor<2x3xf32>, %g: tensor<3xf32>, %xs: tensor<5x2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<5x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  %r:4 = dcf.scan (%d = %g, %dw = %w0, %db = %zero : tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>) ins(%x = %xs : tensor<5x2xf32>) -> (tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<5x2xf32>) do {
    %e = stablehlo.sine %d : tensor<3xf32>
    %p = stablehlo.dot_general %x, %e, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %dw1 = stablehlo.add %dw, %p : tensor<2x3xf32>
    %db1 = stablehlo.add %db, %e : tensor<3xf32>
    %dx = stablehlo.dot_general %e, %w, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
    dcf.yield %e, %dw1, %db1, %dx : tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>
  } {reverse}
  func.return %r#1, %r#2, %r#3 : tensor<2x3xf32>, tensor<3xf32>, tensor<5x2xf32>
}
// CHECK-LABEL: func.func @sums
// CHECK:         %{{.*}}, %[[R:.*]] = dcf.scan (%[[D:.*]] = %g : tensor<3xf32>) length 5 -> (tensor<3xf32>, tensor<5x3xf32>) do {
// CHECK-NEXT:      %[[E:.*]] = stablehlo.sine
// CHECK-NEXT:      dcf.yield %[[E]], %[[E]] : tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT:    } {reverse}
// CHECK-NEXT:    %[[P:.*]] = stablehlo.dot_general %xs, %[[R]], contracting_dims = [0] x [0] : (tensor<5x2xf32>, tensor<5x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %[[W:.*]] = stablehlo.add %w0, %[[P]] : tensor<2x3xf32>
// CHECK:         %[[B:.*]] = stablehlo.reduce(%[[R]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-NEXT:    %[[X:.*]] = stablehlo.dot_general %[[R]], %w, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
// CHECK-NEXT:    {{.*}}return %[[W]], %[[B]], %[[X]]

// -----

// Stacking two long factors to add up one number is not worth it.

func.func @dear(%a: tensor<64xf32>, %c: tensor<f32>, %xs: tensor<5x64xf32>) -> tensor<f32> {
  %r:2 = dcf.scan (%b = %a, %d = %c : tensor<64xf32>, tensor<f32>) ins(%x = %xs : tensor<5x64xf32>) -> (tensor<64xf32>, tensor<f32>) do {
    %e = stablehlo.add %b, %x : tensor<64xf32>
    %p = stablehlo.dot_general %e, %x, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
    %f = stablehlo.add %d, %p : tensor<f32>
    dcf.yield %e, %f : tensor<64xf32>, tensor<f32>
  }
  func.return %r#1 : tensor<f32>
}
// CHECK-LABEL: func.func @dear
// CHECK:         dcf.scan
// CHECK:           stablehlo.dot_general
// CHECK:           dcf.yield %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<f32>

// -----

// A scan of run-time length costs what its trips cost, not what all rows would.

func.func @run_time(%n: tensor<i32>, %c: tensor<3xf32>, %w: tensor<2x3xf32>, %xs: tensor<5x2xf32>) -> tensor<3xf32> {
  %r = dcf.scan (%d = %c : tensor<3xf32>) ins(%x = %xs : tensor<5x2xf32>) length %n : tensor<i32> -> tensor<3xf32> do {
    %p = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
    %f = stablehlo.add %d, %p : tensor<3xf32>
    dcf.yield %f : tensor<3xf32>
  }
  func.return %r : tensor<3xf32>
}
// CHECK-LABEL: func.func @run_time
// CHECK-NEXT:    dcf.scan
// CHECK-NEXT:      stablehlo.dot_general

// -----

// A carry that something else reads is no mere sum.

func.func @read(%c: tensor<2x3xf32>, %xs: tensor<5x2xf32>, %ys: tensor<5x3xf32>) -> (tensor<2x3xf32>, tensor<5x2x3xf32>) {
  %r:2 = dcf.scan (%d = %c : tensor<2x3xf32>) ins(%x = %xs, %y = %ys : tensor<5x2xf32>, tensor<5x3xf32>) -> (tensor<2x3xf32>, tensor<5x2x3xf32>) do {
    %p = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %f = stablehlo.add %d, %p : tensor<2x3xf32>
    dcf.yield %f, %f : tensor<2x3xf32>, tensor<2x3xf32>
  }
  func.return %r#0, %r#1 : tensor<2x3xf32>, tensor<5x2x3xf32>
}
// CHECK-LABEL: func.func @read
// CHECK:         dcf.scan
// CHECK:           stablehlo.dot_general
// CHECK-NEXT:      stablehlo.add
