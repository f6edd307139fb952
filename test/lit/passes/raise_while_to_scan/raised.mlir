// RUN: anabranch-opt %s -p raise-while-to-scan --split-input-file | filecheck %s

// Rows read and rows written, a carry, an index that wraps negative numbers: a scan. The bound is the
// constant number of rows, so neither a length nor a buffer is needed.

func.func @scan(%a: tensor<f32>, %xs: tensor<5xf32>, %ys: tensor<5xf32>) -> (tensor<i32>, tensor<f32>, tensor<5xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = dcf.while "sum" (%i = %zero, %b = %a, %y = %ys : tensor<i32>, tensor<f32>, tensor<5xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %negative = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = stablehlo.add %i, %n : tensor<i32>
    %k = stablehlo.select %negative, %wrapped, %i : tensor<i1>, tensor<i32>
    %s = stablehlo.dynamic_slice %xs, %k, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %x = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
    %c = stablehlo.add %b, %x : tensor<f32>
    %row = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %k : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %c, %y1 : tensor<i32>, tensor<f32>, tensor<5xf32>
  } {parallel_iterations = 7 : i64}
  func.return %r#0, %r#1, %r#2 : tensor<i32>, tensor<f32>, tensor<5xf32>
}
// CHECK-LABEL: func.func @scan
// CHECK:         %[[N:.*]] = stablehlo.constant dense<5>
// CHECK:         %[[R:.*]]:2 = dcf.scan "sum" (%[[B:.*]] = %a : tensor<f32>) ins(%[[X:.*]] = %xs : tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>) do {
// CHECK-NEXT:      %[[C:.*]] = stablehlo.add %[[B:.*]], %[[X:.*]] : tensor<f32>
// CHECK-NEXT:      dcf.yield %[[C]], %[[C]] : tensor<f32>, tensor<f32>
// CHECK-NEXT:    } {parallel_iterations = 7 : i64}
// CHECK-NEXT:    return %{{.*}}, %[[R]]#0, %[[R]]#1

// -----

// Downwards, N - 1 - i with n the constant N; an array with its rows in the second dimension.

func.func @reverse(%xs: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ys = stablehlo.constant dense<0.0> : tensor<3x2xf32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<3x2xf32>) cond {
    %p = stablehlo.compare GT, %n, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %d = stablehlo.subtract %n, %i : tensor<i32>
    %k = stablehlo.subtract %d, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %xs, %zero, %k, sizes = [2, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
    %row = stablehlo.transpose %s, dims = [1, 0] : (tensor<2x1xf32>) -> tensor<1x2xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %k, %zero : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<3x2xf32>
  }
  func.return %r#1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @reverse
// CHECK:         %[[T:.*]] = stablehlo.transpose %xs, dims = [1, 0]
// CHECK-NEXT:    %[[R:.*]] = dcf.scan () ins(%[[S:.*]] = %[[T]] : tensor<3x2xf32>) -> tensor<3x2xf32> do {
// CHECK-NEXT:      %[[A:.*]] = stablehlo.reshape %[[S:.*]] : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:      %[[B:.*]] = stablehlo.transpose %[[A]], dims = [1, 0]
// CHECK-NEXT:      %[[C:.*]] = stablehlo.reshape %[[B]] : (tensor<1x2xf32>) -> tensor<2xf32>
// CHECK-NEXT:      dcf.yield %[[C]] : tensor<2xf32>
// CHECK-NEXT:    } {reverse}
// CHECK-NEXT:    return %[[R]]

// -----

// n may exceed the number of rows, and be negative: a scan over min(n, N), then the loop for the rest,
// in which reads and writes clamp. The counter is used otherwise, so it stays a carry.

func.func @rest(%n: tensor<i32>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "l" (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %g = stablehlo.reshape %f : (tensor<f32>) -> tensor<1xf32>
    %row = stablehlo.add %x, %g : tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %one, %i : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @rest
// CHECK:         %[[N:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK-NEXT:    %[[M:.*]] = stablehlo.minimum %n, %[[N]]
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant dense<0>
// CHECK-NEXT:    %[[L:.*]] = stablehlo.maximum %[[M]], %[[Z]]
// CHECK-NEXT:    %[[Y:.*]]:2 = dcf.scan "l" (%[[I:.*]] = %zero : tensor<i32>) ins(%{{.*}} = %xs : tensor<4xf32>) outs(%ys : tensor<4xf32>) length %[[L]] : tensor<i32> -> (tensor<i32>, tensor<4xf32>) do {
// CHECK-NOT:       dynamic_slice
// CHECK:         %[[R:.*]]:2 = dcf.while "l.rest" (%{{.*}} = %[[L]], %{{.*}} = %[[Y]]#1 : tensor<i32>, tensor<4xf32>) cond {
// CHECK:           dynamic_slice
// CHECK:           dynamic_update_slice
// CHECK:         return %[[R]]#1

// -----

// A bound known to be no greater than the number of rows: no rest. The writes come as scatters.

func.func @scatter(%m: tensor<i32>, %xs: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %n = stablehlo.minimum %m, %four : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %xs : tensor<i32>, tensor<4x2xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %s = stablehlo.dynamic_slice %y, %i, %zero, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %x = stablehlo.reshape %s : (tensor<1x2xf32>) -> tensor<2xf32>
    %row = stablehlo.multiply %x, %x : tensor<2xf32>
    %k = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %y1 = "stablehlo.scatter"(%y, %k, %row) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      stablehlo.return %new : tensor<f32>
    }) : (tensor<4x2xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<4x2xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4x2xf32>
  }
  func.return %r#1 : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @scatter
// CHECK:         %[[L:.*]] = stablehlo.maximum
// CHECK-NEXT:    %[[R:.*]] = dcf.scan () ins(%[[X:.*]] = %xs : tensor<4x2xf32>) outs(%xs : tensor<4x2xf32>) length %[[L]] : tensor<i32> -> tensor<4x2xf32> do {
// CHECK-NEXT:      %[[P:.*]] = stablehlo.multiply
// CHECK-NEXT:      dcf.yield %[[P]] : tensor<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]

// -----

// A constant bound beyond one array's rows, below the other's; a read inside a branch.

func.func @constant_rest(%p: tensor<i1>, %xs: tensor<3xf32>, %ys: tensor<6xf32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<6xf32>) cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %old = stablehlo.dynamic_slice %y, %i, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %row = dcf.cond %p : tensor<i1> -> tensor<1xf32> then {
      %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
      dcf.yield %x : tensor<1xf32>
    } else {
      dcf.yield %old : tensor<1xf32>
    }
    %y1 = stablehlo.dynamic_update_slice %y, %row, %i : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<6xf32>
  }
  func.return %r#1 : tensor<6xf32>
}
// CHECK-LABEL: func.func @constant_rest
// CHECK-DAG:     %[[THREE:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-DAG:     %[[B:.*]] = stablehlo.slice %ys [0:3]
// CHECK:         %[[S:.*]] = dcf.scan () ins(%{{.*}} = %{{.*}}, %{{.*}} = %xs : tensor<3xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<3xf32>) -> tensor<3xf32> do {
// CHECK:         %[[W:.*]] = stablehlo.dynamic_update_slice %ys, %[[S]]
// CHECK:         dcf.while (%{{.*}} = %[[THREE]], %{{.*}} = %[[W]]

// -----

// A fold: no arrays, a constant number of trips.

func.func @fold(%a: tensor<f32>) -> (tensor<i8>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %one = stablehlo.constant dense<1> : tensor<i8>
  %n = stablehlo.constant dense<100> : tensor<i8>
  %r:2 = dcf.while (%i = %zero, %b = %a : tensor<i8>, tensor<f32>) cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    dcf.condition %more
  } do {
    %c = stablehlo.add %b, %b : tensor<f32>
    %i1 = stablehlo.add %i, %one : tensor<i8>
    dcf.yield %i1, %c : tensor<i8>, tensor<f32>
  }
  func.return %r#0, %r#1 : tensor<i8>, tensor<f32>
}
// CHECK-LABEL: func.func @fold
// CHECK:         %[[N:.*]] = stablehlo.constant dense<100> : tensor<i8>
// CHECK:         %[[T:.*]] = stablehlo.constant dense<100> : tensor<i8>
// CHECK-NEXT:    %[[R:.*]] = dcf.scan (%{{.*}} = %a : tensor<f32>) length 100 -> tensor<f32> do {
// CHECK:         return %[[T]], %[[R]]
