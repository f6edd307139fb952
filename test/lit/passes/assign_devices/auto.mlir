// RUN: anabranch-opt %s -p assign-devices --split-input-file | filecheck %s

// An op goes where most bytes of its operands are; constants and arguments follow their users; a
// result follows its value.
func.func @operands(%a: tensor<64xf32> {plan.device = "cpu:1"}, %b: tensor<f32> {plan.device = "cpu:2"}, %c: tensor<f32>)
    -> (tensor<64xf32>, tensor<f32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %w = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %x = stablehlo.multiply %a, %w : tensor<64xf32>
  %y = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %z = stablehlo.add %x, %y : tensor<64xf32>
  %d = stablehlo.add %c, %b : tensor<f32>
  return %z, %d : tensor<64xf32>, tensor<f32>
}
// CHECK-LABEL: func.func @operands
// CHECK-SAME:    %c: tensor<f32> {plan.device = "cpu:2"}
// CHECK-SAME:    -> (tensor<64xf32> {plan.device = "cpu:1"}, tensor<f32> {plan.device = "cpu:2"})
// CHECK:         %two = stablehlo.constant {plan.device = "cpu:1"}
// CHECK-NEXT:    %w = stablehlo.broadcast_in_dim %b, dims = [] {plan.device = "cpu:2"}
// CHECK-NEXT:    %x = stablehlo.multiply %a, %w {plan.device = "cpu:1"}
// CHECK-NEXT:    %y = stablehlo.broadcast_in_dim %two, dims = [] {plan.device = "cpu:1"}
// CHECK-NEXT:    %z = stablehlo.add %x, %y {plan.device = "cpu:1"}
// CHECK-NEXT:    %d = stablehlo.add %c, %b {plan.device = "cpu:2"}

// -----

// Through loops and branches: a carry is where its next value is, a result where the first branch is.
// Loops, branches and terminators have no place of their own, nor has what is in a reduction.
func.func @nest(%n: tensor<i32>, %x: tensor<4xf32>, %p: tensor<i1>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %zero, %v = %x : tensor<i32>, tensor<4xf32>) cond {
    %q = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %q
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one {plan.device = "cpu:1"} : tensor<i32>
    %u = stablehlo.sine %v {plan.device = "cpu:2"} : tensor<4xf32>
    dcf.yield %k, %u : tensor<i32>, tensor<4xf32>
  }
  %c = dcf.cond %p : tensor<i1> -> tensor<4xf32> then {
    %s = stablehlo.cosine %r#1 : tensor<4xf32>
    dcf.yield %s : tensor<4xf32>
  } else {
    %t = stablehlo.cosine %r#1 {plan.device = "cpu:1"} : tensor<4xf32>
    dcf.yield %t : tensor<4xf32>
  }
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%c init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
// CHECK-LABEL: func.func @nest
// CHECK-SAME:    %n: tensor<i32> {plan.device = "cpu:1"}, %x: tensor<4xf32> {plan.device = "cpu:2"}
// CHECK:         %zero = stablehlo.constant {plan.device = "cpu:1"}
// CHECK:         stablehlo.compare LT, %i, %n, SIGNED {plan.device = "cpu:1"}
// CHECK-NEXT:    dcf.condition %q{{$}}
// CHECK:         %one = stablehlo.constant {plan.device = "cpu:1"}
// CHECK:         dcf.yield %k, %u : tensor<i32>, tensor<4xf32>
// CHECK-NEXT:    }
// CHECK:         %s = stablehlo.cosine %r#1 {plan.device = "cpu:2"}
// CHECK:         stablehlo.constant {plan.device = "cpu:2"}
// CHECK-NEXT:    stablehlo.reduce({{.*}} applies stablehlo.add across dimensions = [0] {plan.device = "cpu:2"}

// -----

// A loop's place is the default for what is in it; an inner one comes first.
func.func @default(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.compare LT, %n, %n, SIGNED {plan.device = "cpu:0"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = dcf.while "w" (%v = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    %a = stablehlo.sine %v : tensor<f32>
    %b = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %c = stablehlo.sine %a : tensor<f32>
      %d = stablehlo.sine %c {plan.device = "cpu:3"} : tensor<f32>
      dcf.yield %d : tensor<f32>
    } else {
      dcf.yield %a : tensor<f32>
    } {plan.device = "cpu:2"}
    dcf.yield %b : tensor<f32>
  } {plan.device = "cpu:1"}
  return %r : tensor<f32>
}
// CHECK-LABEL: func.func @default
// CHECK-SAME:    -> (tensor<f32> {plan.device = "cpu:3"})
// CHECK:         %a = stablehlo.sine %v {plan.device = "cpu:1"}
// CHECK:         %c = stablehlo.sine %a {plan.device = "cpu:2"}
// CHECK-NEXT:    %d = stablehlo.sine %c {plan.device = "cpu:3"}
// CHECK:         } {plan.device = "cpu:2"}
// CHECK:         } {plan.device = "cpu:1"}

// -----

// An op of a gradient goes where its forward op is: the first op with its origin.
func.func @gradient(%x: tensor<4xf32> {plan.device = "cpu:1"}, %ct: tensor<4xf32> {plan.device = "cpu:0"}) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = stablehlo.sine %x {origin = 7 : i64} : tensor<4xf32>
  %c = stablehlo.cosine %x {origin = 7 : i64} : tensor<4xf32>
  %g = stablehlo.multiply %ct, %c {origin = 7 : i64} : tensor<4xf32>
  %h = stablehlo.multiply %ct, %ct {origin = 8 : i64} : tensor<4xf32>
  %k = stablehlo.add %h, %g {origin = 7 : i64} : tensor<4xf32>
  return %y, %k : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @gradient
// CHECK:         stablehlo.multiply %ct, %c {origin = 7 : i64, plan.device = "cpu:1"}
// CHECK-NEXT:    stablehlo.multiply %ct, %ct {origin = 8 : i64, plan.device = "cpu:0"}
// CHECK-NEXT:    stablehlo.add %h, %g {origin = 7 : i64, plan.device = "cpu:1"}

// -----

// Nothing is placed: all goes to the first device of the topology.
plan.topology @two {
  plan.device "cpu:4"
  plan.device "cpu:1"
}
func.func @nothing(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.sine %x : tensor<f32>
  return %y : tensor<f32>
}
// CHECK-LABEL: func.func @nothing
// CHECK-SAME:    (%x: tensor<f32> {plan.device = "cpu:4"}) -> (tensor<f32> {plan.device = "cpu:4"})
// CHECK:         stablehlo.sine %x {plan.device = "cpu:4"}
