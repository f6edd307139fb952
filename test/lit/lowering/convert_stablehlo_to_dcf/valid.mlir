// RUN: anabranch-opt %s -p convert-stablehlo-to-dcf --split-input-file | filecheck %s

// A loop that uses a value from outside; regions of other ops keep their terminators.

func.func @while(%a: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %r:2 = "stablehlo.while"(%a, %n) ({
  ^bb0(%x: tensor<4xf32>, %i: tensor<i32>):
    %s = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%l: tensor<f32>, %m: tensor<f32>):
      %t = stablehlo.add %l, %m : tensor<f32>
      %u = stablehlo.negate %t : tensor<f32>
      "stablehlo.return"(%u) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %p = stablehlo.compare LT, %s, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb1(%x: tensor<4xf32>, %i: tensor<i32>):
    %y = stablehlo.add %x, %a : tensor<4xf32>
    "stablehlo.return"(%y, %i) : (tensor<4xf32>, tensor<i32>) -> ()
  }) {kept = 1 : i64} : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  func.return %r#0, %r#1 : tensor<4xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @while
// CHECK:         %[[R:.*]]:2 = dcf.while (%x = %a, %i = %n : tensor<4xf32>, tensor<i32>) cond {
// CHECK:           stablehlo.reduce
// CHECK:             stablehlo.return
// CHECK:           %p = stablehlo.compare
// CHECK-NEXT:      dcf.condition %p
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %y = stablehlo.add %x{{.*}}, %a
// CHECK-NEXT:      dcf.yield %y, %i{{.*}} : tensor<4xf32>, tensor<i32>
// CHECK-NEXT:    } {kept = 1 : i64}
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1

// -----

// Branches and loops in each other; calls stay.

func.func @nest(%x: tensor<f32>, %p: tensor<i1>, %k: tensor<i32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    %w = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<f32>):
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb1(%a: tensor<f32>):
      %c = "stablehlo.case"(%k) ({
        "stablehlo.return"(%a) : (tensor<f32>) -> ()
      }, {
        %f = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%f) : (tensor<f32>) -> ()
      }, {
        "stablehlo.return"(%x) : (tensor<f32>) -> ()
      }) : (tensor<i32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%w) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  func.return %r : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  func.return %x : tensor<f32>
}

// CHECK-LABEL: func.func @nest
// CHECK-NEXT:    %[[R:.*]] = dcf.cond %p : tensor<i1> -> tensor<f32> then {
// CHECK-NEXT:      %w = dcf.while (%a = %x : tensor<f32>) cond {
// CHECK-NEXT:        dcf.condition %p
// CHECK-NEXT:      } do {
// CHECK-NEXT:        %c = dcf.case %k : tensor<i32> -> tensor<f32> {
// CHECK-NEXT:          dcf.yield %a{{.*}} : tensor<f32>
// CHECK-NEXT:        }, {
// CHECK-NEXT:          %f = func.call @f(%a
// CHECK-NEXT:          dcf.yield %f : tensor<f32>
// CHECK-NEXT:        }, {
// CHECK-NEXT:          dcf.yield %x : tensor<f32>
// CHECK-NEXT:        }
// CHECK-NEXT:        dcf.yield %c : tensor<f32>
// CHECK-NEXT:      }
// CHECK-NEXT:      dcf.yield %w : tensor<f32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      dcf.yield %x : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
// CHECK-NOT:   stablehlo.return

// -----

// A loop without carries, a branch without results.

func.func @empty(%p: tensor<i1>, %x: tensor<f32>) {
  "stablehlo.while"() ({
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
    "stablehlo.if"(%p) ({
      dcf.probe "then" %x : tensor<f32>
      "stablehlo.return"() : () -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : (tensor<i1>) -> ()
    "stablehlo.return"() : () -> ()
  }) : () -> ()
  func.return
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT:    dcf.while () cond {
// CHECK-NEXT:      dcf.condition %p
// CHECK-NEXT:    } do {
// CHECK-NEXT:      dcf.cond %p : tensor<i1> then {
// CHECK-NEXT:        dcf.probe "then" %x
// CHECK-NEXT:        dcf.yield

// -----

// JAX's `lax.cond`: a case on a predicate as a number is a cond; branch 1 is the true one.
func.func @predicate_as_number(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %i = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
  %r = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK-LABEL: func.func @predicate_as_number
// CHECK:         %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
// CHECK-NEXT:      dcf.yield %y : tensor<f32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      dcf.yield %x : tensor<f32>
