// RUN: anabranch-opt %s -p hoist-invariants --split-input-file | filecheck %s

// An op leaves all the loops it does not depend on; what reads a carry stays.
func.func @nest(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = dcf.while "outer" (%i = %zero, %a = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %s:2 = dcf.while "inner" (%k = %zero, %b = %a : tensor<i32>, tensor<f32>) cond {
      %q = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %q
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %xy = stablehlo.multiply %x, %y : tensor<f32>
      %ay = stablehlo.multiply %a, %y : tensor<f32>
      %c = stablehlo.add %xy, %ay : tensor<f32>
      %d = stablehlo.add %b, %c : tensor<f32>
      dcf.yield %k1, %d : tensor<i32>, tensor<f32>
    }
    dcf.yield %s#0, %s#1 : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
// CHECK-LABEL: func.func @nest
// CHECK:         %xy = stablehlo.multiply %x, %y
// CHECK-NEXT:    dcf.while "outer"
// CHECK:         %ay = stablehlo.multiply %a, %y
// CHECK-NEXT:    %c = stablehlo.add %xy, %ay
// CHECK-NEXT:    dcf.while "inner"
// CHECK:         %k1 = stablehlo.add
// CHECK-NEXT:    %d = stablehlo.add %b, %c

// -----

// Branches keep what is theirs, and effects stay.
func.func @stay(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.while "w" (%a = %x : tensor<f32>) cond { dcf.condition %p } do {
    %b = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %s = stablehlo.sine %x : tensor<f32>
      dcf.yield %s : tensor<f32>
    } else {
      dcf.yield %x : tensor<f32>
    }
    dcf.probe "here" %x : tensor<f32>
    dcf.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: func.func @stay
// CHECK-NEXT:    dcf.while
// CHECK:           dcf.cond %p
// CHECK-NEXT:        stablehlo.sine
// CHECK:           dcf.probe
