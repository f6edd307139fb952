// RUN: anabranch-opt %s -p raise-while-to-map --split-input-file | filecheck %s

// No trip needs another: a scan without carries. The counter is an input.

func.func @map(%xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while "m" (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %s = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %x = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %v = stablehlo.multiply %x, %f : tensor<f32>
    %row = stablehlo.reshape %v : (tensor<f32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @map
// CHECK:         %[[K:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT:    %[[R:.*]] = dcf.scan "m" () ins(%{{.*}} = %xs, %[[I:.*]] = %[[K]] : tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32> do {
// CHECK-NEXT:      stablehlo.convert %[[I:.*]] :
// CHECK:         return %[[R]]

// -----

// Downwards, row r belongs to trip n - 1 - r.

func.func @reverse(%ys: tensor<4xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xi32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %k = stablehlo.subtract %last, %i : tensor<i32>
    %v = stablehlo.multiply %i, %i : tensor<i32>
    %row = stablehlo.reshape %v : (tensor<i32>) -> tensor<1xi32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %k : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xi32>
  }
  func.return %r#1 : tensor<4xi32>
}
// CHECK-LABEL: func.func @reverse
// CHECK:         %[[K:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT:    %[[L:.*]] = stablehlo.constant dense<3> : tensor<4xi32>
// CHECK-NEXT:    %[[D:.*]] = stablehlo.subtract %[[L]], %[[K]]
// CHECK-NEXT:    dcf.scan () ins(%{{.*}} = %[[D]] : tensor<4xi32>) -> tensor<4xi32> do {
// CHECK:         } {reverse}

// -----

// A running sum needs the trips in order.

func.func @sum(%a: tensor<1xf32>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = dcf.while (%i = %zero, %b = %a, %y = %ys : tensor<i32>, tensor<1xf32>, tensor<4xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %c = stablehlo.add %b, %x : tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %c, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %c, %y1 : tensor<i32>, tensor<1xf32>, tensor<4xf32>
  }
  func.return %r#2 : tensor<4xf32>
}
// CHECK-LABEL: func.func @sum
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
