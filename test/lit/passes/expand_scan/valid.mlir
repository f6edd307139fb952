// RUN: anabranch-opt %s -p expand-scan --split-input-file | filecheck %s

// Carries, an input, an output: a counter, a row in, a row out.

func.func @scan(%acc: tensor<f32>, %xs: tensor<5x2xf32>) -> (tensor<f32>, tensor<5xf32>) {
  %r, %ys = dcf.scan "sum" (%a = %acc : tensor<f32>) ins(%x = %xs : tensor<5x2xf32>) -> (tensor<f32>, tensor<5xf32>) do {
    %0 = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %b = stablehlo.add %a, %1 : tensor<f32>
    dcf.yield %b, %a : tensor<f32>, tensor<f32>
  } {kept = 1 : i64, parallel_iterations = 8 : i64, residual_policy = "save"}
  func.return %r, %ys : tensor<f32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    %[[FILL:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %[[BUFFER:.*]] = stablehlo.broadcast_in_dim %[[FILL]], dims = [] : (tensor<f32>) -> tensor<5xf32>
// CHECK-NEXT:    %[[N:.*]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:    %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:    %trips, %r, %ys = dcf.while "sum" (%[[I:.*]] = %[[ZERO]], %[[A:.*]] = %acc, %[[Y:.*]] = %[[BUFFER]] : tensor<i32>, tensor<f32>, tensor<5xf32>) cond {
// CHECK-NEXT:      %[[P:.*]] = stablehlo.compare LT, %[[I]], %[[N]], SIGNED
// CHECK-NEXT:      dcf.condition %[[P]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %[[T:.*]] = stablehlo.dynamic_slice %xs, %[[I:.*]], %[[ZERO]], sizes = [1, 2] : (tensor<5x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
// CHECK-NEXT:      %[[X:.*]] = stablehlo.reshape %[[T]] : (tensor<1x2xf32>) -> tensor<2xf32>
// CHECK-NEXT:      stablehlo.slice %[[X]]
// CHECK:           %[[B:.*]] = stablehlo.add
// CHECK-NEXT:      %[[ROW:.*]] = stablehlo.reshape %[[A:.*]] : (tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT:      %[[Y1:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[ROW]], %[[I]] : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
// CHECK-NEXT:      %[[I1:.*]] = stablehlo.add %[[I]], %[[ONE]] : tensor<i32>
// CHECK-NEXT:      dcf.yield %[[I1]], %[[B]], %[[Y1]]
// CHECK-NEXT:    } {
// CHECK-DAG:       parallel_iterations = 8 : i64
// CHECK-DAG:       residual_policy = "save"
// CHECK-DAG:       kept = 1 : i64
// CHECK:         return %r, %ys

// -----

// Reverse: row n - 1 - i.

func.func @reverse(%xs: tensor<5xf32>) -> tensor<5xf32> {
  %ys = dcf.scan () ins(%x = %xs : tensor<5xf32>) -> tensor<5xf32> do {
    %y = stablehlo.negate %x : tensor<f32>
    dcf.yield %y : tensor<f32>
  } {reverse}
  func.return %ys : tensor<5xf32>
}

// CHECK-LABEL: func.func @reverse
// CHECK:         %[[N:.*]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK:         %[[LAST:.*]] = stablehlo.subtract %[[N]], %
// CHECK:         } do {
// CHECK-NEXT:      %[[INDEX:.*]] = stablehlo.subtract %[[LAST]], %
// CHECK-NEXT:      stablehlo.dynamic_slice %xs, %[[INDEX]], sizes = [1]
// CHECK:           stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %[[INDEX]]

// -----

// A run-time length: the buffers are what the outputs start from, and their rows bound the trips.

func.func @length(%xs: tensor<5xf32>, %n: tensor<i64>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %ys = dcf.scan () ins(%x = %xs : tensor<5xf32>) outs(%o : tensor<5xf32>) length %n : tensor<i64> -> tensor<5xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return %ys : tensor<5xf32>
}

// CHECK-LABEL: func.func @length
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i64>
// CHECK:         dcf.while (%{{.*}} = %[[ZERO]], %{{.*}} = %o : tensor<i64>, tensor<5xf32>) cond {
// CHECK-NEXT:      stablehlo.compare LT, %{{.*}}, %n, SIGNED
// CHECK:         } {trip_bound = 5 : i64}

// -----

// A fold with an unsigned run-time length and no inputs, then one with a static length.

func.func @fold(%a: tensor<f32>, %n: tensor<ui32>) -> tensor<f32> {
  %r = dcf.scan (%x = %a : tensor<f32>) length %n : tensor<ui32> -> tensor<f32> do {
    %y = stablehlo.add %x, %x : tensor<f32>
    dcf.yield %y : tensor<f32>
  }
  %s = dcf.scan (%x = %r : tensor<f32>) length 3000000000 -> tensor<f32> do {
    %y = stablehlo.add %x, %x : tensor<f32>
    dcf.yield %y : tensor<f32>
  }
  func.return %s : tensor<f32>
}

// CHECK-LABEL: func.func @fold
// CHECK:         dcf.while (%{{.*}} = %{{.*}}, %x = %a : tensor<ui32>, tensor<f32>) cond {
// CHECK-NEXT:      stablehlo.compare LT, %{{.*}}, %n, UNSIGNED
// CHECK:         stablehlo.constant dense<3000000000> : tensor<i64>

// -----

// No trips: no loop.

func.func @none(%a: tensor<f32>, %xs: tensor<0x2xi8>) -> (tensor<f32>, tensor<0x2xi8>) {
  %r, %ys = dcf.scan (%b = %a : tensor<f32>) ins(%x = %xs : tensor<0x2xi8>) -> (tensor<f32>, tensor<0x2xi8>) do {
    dcf.yield %b, %x : tensor<f32>, tensor<2xi8>
  }
  func.return %r, %ys : tensor<f32>, tensor<0x2xi8>
}

// CHECK-LABEL: func.func @none
// CHECK-NEXT:    stablehlo.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %[[YS:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<i8>) -> tensor<0x2xi8>
// CHECK-NEXT:    return %a, %[[YS]]

// -----

// Scans in each other's bodies.

func.func @nest(%a: tensor<f32>, %xs: tensor<3x4xf32>) -> tensor<f32> {
  %r = dcf.scan "outer" (%b = %a : tensor<f32>) ins(%x = %xs : tensor<3x4xf32>) -> tensor<f32> do {
    %s = dcf.scan "inner" (%c = %b : tensor<f32>) ins(%y = %x : tensor<4xf32>) -> tensor<f32> do {
      %d = stablehlo.add %c, %y : tensor<f32>
      dcf.yield %d : tensor<f32>
    }
    dcf.yield %s : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @nest
// CHECK:         dcf.while "outer"
// CHECK:           %[[X:.*]] = stablehlo.reshape
// CHECK:           dcf.while "inner"
// CHECK:             stablehlo.dynamic_slice %[[X]]

// -----

// A dynamic leading dimension is asked for at run time.

func.func @dynamic(%a: tensor<f32>, %xs: tensor<?xf32>) -> tensor<f32> {
  %r = dcf.scan (%b = %a : tensor<f32>) ins(%x = %xs : tensor<?xf32>) -> tensor<f32> do {
    %c = stablehlo.add %b, %x : tensor<f32>
    dcf.yield %c : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NEXT:    stablehlo.get_dimension_size %xs, dim = 0
// CHECK:         stablehlo.dynamic_slice %xs
