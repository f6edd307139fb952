// RUN: anabranch-opt %s -p 'stack-scan-rows{min_bytes=16}' --split-input-file | filecheck %s

// Arrays that stay: taken in the order in which the rows were made, or used in another way as well.
func.func @order(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  %y:3 = dcf.scan "f" (%a = %x : tensor<4xf32>) length 3 -> (tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  %same = dcf.scan (%c = %x : tensor<4xf32>) ins(%k = %y#1 : tensor<3x4xf32>) -> tensor<4xf32> do {
    %d = stablehlo.add %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  }
  %also = dcf.scan (%c = %x : tensor<4xf32>) ins(%k = %y#2 : tensor<3x4xf32>) -> tensor<4xf32> do {
    %d = stablehlo.add %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  } {reverse}
  return %same, %also, %y#2 : tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>
}
// CHECK-LABEL: func.func @order
// CHECK-NOT: dcf.stack

// -----

// Of another number of trips: rows at the end would come first.
func.func @trips(%n: tensor<i32>, %x: tensor<4xf32>, %buffer: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y:2 = dcf.scan (%a = %x : tensor<4xf32>) outs(%buffer : tensor<3x4xf32>) length %n : tensor<i32> -> (tensor<4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %all = dcf.scan (%c = %x : tensor<4xf32>) ins(%k = %y#1 : tensor<3x4xf32>) -> tensor<4xf32> do {
    %d = stablehlo.add %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  } {reverse}
  %z:2 = dcf.scan (%a = %x : tensor<4xf32>) length 3 -> (tensor<4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %some = dcf.scan (%c = %x : tensor<4xf32>) ins(%k = %z#1 : tensor<3x4xf32>) length 2 -> tensor<4xf32> do {
    %d = stablehlo.add %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  } {reverse}
  return %all, %some : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @trips
// CHECK-NOT: dcf.stack

// -----

// Small rows, a carry, and a scan that is in another block: a loop must carry its stacks.
func.func @elsewhere(%x: tensor<4xf32>, %s: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<4xf32>) {
  %y:3 = dcf.scan (%a = %x, %t = %s : tensor<4xf32>, tensor<f32>) length 3 -> (tensor<4xf32>, tensor<f32>, tensor<3xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %t, %t : tensor<4xf32>, tensor<f32>, tensor<f32>
  }
  %small = dcf.scan (%c = %s : tensor<f32>) ins(%k = %y#2 : tensor<3xf32>) -> tensor<f32> do {
    %d = stablehlo.add %c, %k : tensor<f32>
    dcf.yield %d : tensor<f32>
  } {reverse}
  %z:2 = dcf.scan (%a = %x : tensor<4xf32>) length 3 -> (tensor<4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %r = dcf.cond %p : tensor<i1> -> tensor<4xf32> then {
    %g = dcf.scan (%c = %x : tensor<4xf32>) ins(%k = %z#1 : tensor<3x4xf32>) -> tensor<4xf32> do {
      %d = stablehlo.add %c, %k : tensor<4xf32>
      dcf.yield %d : tensor<4xf32>
    } {reverse}
    dcf.yield %g : tensor<4xf32>
  } else {
    dcf.yield %x : tensor<4xf32>
  }
  return %small, %r : tensor<f32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: dcf.stack

// -----

// The only array that bounds the length: of 10 trips, the scan would not know that they are too many.
func.func @bound(%n: tensor<i32>, %x: tensor<4xf32>, %buffer: tensor<9x4xf32>) -> tensor<4xf32> {
  %y:2 = dcf.scan (%a = %x : tensor<4xf32>) outs(%buffer : tensor<9x4xf32>) length %n : tensor<i32> -> (tensor<4xf32>, tensor<9x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %g = dcf.scan (%c = %y#0 : tensor<4xf32>) ins(%k = %y#1 : tensor<9x4xf32>) length %n : tensor<i32> -> tensor<4xf32> do {
    %d = stablehlo.multiply %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  } {reverse}
  return %g : tensor<4xf32>
}
// CHECK-LABEL: func.func @bound
// CHECK-NOT: dcf.stack
