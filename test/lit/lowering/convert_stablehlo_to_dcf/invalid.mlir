// RUN: anabranch-opt %s -p convert-stablehlo-to-dcf --disable-verify --split-input-file --verify-diagnostics | filecheck %s

// The lowering checks what it relies on even where the verifier was switched off.

func.func @body(%x: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<f32> {
  %r:2 = "stablehlo.while"(%x, %n) ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb1(%a: tensor<f32>, %i: tensor<i32>):
    "stablehlo.return"(%a, %a) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  func.return %r#0 : tensor<f32>
}
// CHECK: carry 1: expected tensor<i32> (as initial value), got tensor<f32> (returned by the body)

// -----

func.func @count(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb1(%a: tensor<f32>):
    "stablehlo.return"() : () -> ()
  }) : (tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
// CHECK: expected 1 carry (as initial value), got 0 (returned by the body)

// -----

func.func @condition(%x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }, {
  ^bb1(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
// CHECK: value 0: expected tensor<i1> (as predicate), got tensor<f32> (returned by the condition)

// -----

func.func @branch(%x: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%n) : (tensor<i32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  func.return %r : tensor<f32>
}
// CHECK: value 0: expected tensor<f32> (as result), got tensor<i32> (returned by branch 1)
