// RUN: anabranch-opt %s -p 'stack-scan-rows{min_bytes=16}' --split-input-file | filecheck %s

// A gradient keeps the state of each trip: the stack that has them grows in one scan and shrinks in the
// other, which needs no row of it as input any more.
func.func @known(%x: tensor<4xf32>, %xs: tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
  %y:2 = dcf.scan "f" (%a = %x : tensor<4xf32>) ins(%r = %xs : tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) do {
    %b = stablehlo.multiply %a, %r : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %g:2 = dcf.scan "g" (%c = %y#0 : tensor<4xf32>) ins(%k = %y#1 : tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) do {
    %d = stablehlo.multiply %c, %k : tensor<4xf32>
    dcf.yield %d, %k : tensor<4xf32>, tensor<4xf32>
  } {reverse}
  return %g#0, %g#1 : tensor<4xf32>, tensor<9x4xf32>
}
// CHECK-LABEL: func.func @known
// CHECK-NEXT: [[EMPTY:%.*]] = dcf.stack_new : !dcf.stack<tensor<4xf32>>
// CHECK-NEXT: %y, [[ALL:%.*]] = dcf.scan "f" (%a = %x, [[S:%.*]] = [[EMPTY]] : tensor<4xf32>, !dcf.stack<tensor<4xf32>>) ins(%r = %xs : tensor<9x4xf32>)
// CHECK-NEXT:   %b = stablehlo.multiply %a, %r
// CHECK-NEXT:   [[P:%.*]] = dcf.stack_push [[S]], %a
// CHECK-NEXT:   dcf.yield %b, [[P]]
// CHECK:      dcf.scan "g" (%c = %y, [[T:%.*]] = [[ALL]] : tensor<4xf32>, !dcf.stack<tensor<4xf32>>) length 9
// CHECK-NEXT:   [[REST:%.*]], %k = dcf.stack_pop [[T]]
// CHECK-NEXT:   %d = stablehlo.multiply %c, %k
// CHECK-NEXT:   dcf.yield %d, [[REST]], %k
// CHECK-NEXT: } {reverse}

// -----

// The same run-time length is the same number of trips; the buffer is not needed, since %xs still says
// how large the length may be.
func.func @run_time(%n: tensor<i32>, %x: tensor<4xf32>, %xs: tensor<9x4xf32>, %buffer: tensor<9x4xf32>) -> tensor<4xf32> {
  %y:2 = dcf.scan (%a = %x : tensor<4xf32>) ins(%r = %xs : tensor<9x4xf32>) outs(%buffer : tensor<9x4xf32>) length %n : tensor<i32> -> (tensor<4xf32>, tensor<9x4xf32>) do {
    %b = stablehlo.add %a, %r : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  } {reverse}
  %g = dcf.scan (%c = %y#0 : tensor<4xf32>) ins(%k = %y#1 : tensor<9x4xf32>) length %n : tensor<i32> -> tensor<4xf32> do {
    %d = stablehlo.multiply %c, %k : tensor<4xf32>
    dcf.yield %d : tensor<4xf32>
  }
  return %g : tensor<4xf32>
}
// CHECK-LABEL: func.func @run_time
// CHECK-NEXT: dcf.stack_new
// CHECK-NEXT: dcf.scan ({{.*}} : tensor<4xf32>, !dcf.stack<tensor<4xf32>>) ins({{.*}}) length %n
// CHECK:      dcf.stack_push
// CHECK:      dcf.scan ({{.*}} : tensor<4xf32>, !dcf.stack<tensor<4xf32>>) length %n
// CHECK-NEXT: dcf.stack_pop

// -----

// One scan takes rows of two others, which have outputs that stay.
func.func @two(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  %y:3 = dcf.scan "a" (%a = %x : tensor<4xf32>) length 3 -> (tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.sine %a : tensor<4xf32>
    dcf.yield %b, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  %z:2 = dcf.scan "b" (%a = %x : tensor<4xf32>) length 3 -> (tensor<4xf32>, tensor<3x4xf32>) do {
    %b = stablehlo.cosine %a : tensor<4xf32>
    dcf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  %g = dcf.scan "g" (%c = %x : tensor<4xf32>) ins(%k = %y#1, %l = %z#1 : tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<4xf32> do {
    %d = stablehlo.multiply %k, %l : tensor<4xf32>
    %e = stablehlo.add %c, %d : tensor<4xf32>
    dcf.yield %e : tensor<4xf32>
  } {reverse}
  return %g, %y#2 : tensor<4xf32>, tensor<3x4xf32>
}
// CHECK-LABEL: func.func @two
// CHECK:      %y, [[A:%.*]], [[ROWS:%.*]] = dcf.scan "a" {{.*}} -> (tensor<4xf32>, !dcf.stack<tensor<4xf32>>, tensor<3x4xf32>)
// CHECK:      %z, [[B:%.*]] = dcf.scan "b" {{.*}} -> (tensor<4xf32>, !dcf.stack<tensor<4xf32>>)
// CHECK:      dcf.scan "g" (%c = %x, {{.*}} = [[A]], {{.*}} = [[B]] :
// CHECK:      return {{.*}}, [[ROWS]] :
