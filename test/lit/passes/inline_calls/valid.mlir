// RUN: anabranch-opt %s -p inline-calls --split-input-file | filecheck %s

// A call at the top level and one in a loop body; the private function goes, attributes stay.

func.func public @main(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0 = func.call @twice(%x) : (tensor<f32>) -> tensor<f32>
  %1, %2 = dcf.while (%a = %0, %i = %n : tensor<f32>, tensor<i32>) cond {
    %p = stablehlo.compare GT, %a, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %b = func.call @twice(%a) : (tensor<f32>) -> tensor<f32>
    dcf.yield %b, %i : tensor<f32>, tensor<i32>
  }
  func.return %1, %2 : tensor<f32>, tensor<i32>
}
func.func private @twice(%y: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %y, %y {kept = 1 : i64} : tensor<f32>
  func.return %s : tensor<f32>
}

// CHECK-LABEL: func.func public @main
// CHECK-SAME:    (%x: tensor<f32>
// CHECK-NEXT:    %s = stablehlo.add %x, %x {kept = 1 : i64} : tensor<f32>
// CHECK-NEXT:    dcf.while (%a = %s, %i = %n
// CHECK:         } do {
// CHECK-NEXT:      %s{{.*}} = stablehlo.add %a, %a {kept = 1 : i64} : tensor<f32>
// CHECK-NEXT:      dcf.yield %s{{.*}}, %i
// CHECK-NOT:   @twice

// -----

// A chain, in any textual order, with regions in the callee: each body is finished before it is copied.

func.func public @chain(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = func.call @outer(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
  %1 = func.call @outer(%0, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
  func.return %1 : tensor<f32>
}
func.func private @outer(%y: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %a = func.call @inner(%y) : (tensor<f32>) -> tensor<f32>
    dcf.yield %a : tensor<f32>
  } else {
    dcf.yield %y : tensor<f32>
  }
  func.return %r : tensor<f32>
}
func.func private @inner(%z: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.negate %z : tensor<f32>
  func.return %s : tensor<f32>
}

// CHECK-LABEL: func.func public @chain
// CHECK-NEXT:    %[[FIRST:.*]] = dcf.cond %p
// CHECK-NEXT:      stablehlo.negate %x
// CHECK-NEXT:      dcf.yield
// CHECK-NEXT:    } else {
// CHECK-NEXT:      dcf.yield %x
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[SECOND:.*]] = dcf.cond %p
// CHECK-NEXT:      stablehlo.negate %[[FIRST]]
// CHECK:         return %[[SECOND]]
// CHECK-NOT:   func.func

// -----

// A function that returns its argument, swaps, and has no results.

func.func public @forwards(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0, %1 = func.call @swap(%x, %y) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  func.call @report(%0) : (tensor<f32>) -> ()
  func.return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @swap(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  func.return %b, %a : tensor<f32>, tensor<f32>
}
func.func private @report(%a: tensor<f32>) {
  dcf.probe "seen" %a : tensor<f32>
  func.return
}

// CHECK-LABEL: func.func public @forwards
// CHECK-NEXT:    dcf.probe "seen" %y
// CHECK-NEXT:    return %y, %x

// -----

// Public functions and functions that another op names stay; unused private ones go.

func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = func.call @loss(%x) : (tensor<f32>) -> tensor<f32>
  %1 = "dcf.gradient"(%x) <{callee = @loss}> : (tensor<f32>) -> tensor<f32>
  func.return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @unused(%x: tensor<f32>) -> tensor<f32> {
  func.return %x : tensor<f32>
}
func.func private @declared(tensor<f32>) -> tensor<f32>
func.func @entry(%x: tensor<f32>) -> tensor<f32> {
  func.return %x : tensor<f32>
}

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    stablehlo.multiply %x, %x
// CHECK-NEXT:    dcf.gradient
// CHECK-LABEL: func.func private @loss
// CHECK-NEXT:    stablehlo.multiply %x, %x
// CHECK-NOT:   @square
// CHECK-NOT:   @unused
// CHECK-NOT:   @declared
// CHECK:       func.func @entry
