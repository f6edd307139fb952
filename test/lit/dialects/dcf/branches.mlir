// RUN: %roundtrip %s | filecheck %s

// CHECK-LABEL: func.func @cond
func.func @cond(%p: tensor<i1>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<f32> {
  // CHECK: %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
  // CHECK-NEXT: dcf.yield %a : tensor<f32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: dcf.yield %a : tensor<f32>
  // CHECK-NEXT: } {note}
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    dcf.yield %a : tensor<f32>
  } else {
    dcf.yield %a : tensor<f32>
  } {note}
  // CHECK: %two:2 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<i32>) then {
  %two:2 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<i32>) then {
    dcf.yield %a, %b : tensor<f32>, tensor<i32>
  } else {
    dcf.yield %r, %b : tensor<f32>, tensor<i32>
  }
  // CHECK: dcf.cond %p : tensor<i1> then {
  // CHECK-NEXT: dcf.yield
  // CHECK-NEXT: } else {
  dcf.cond %p : tensor<i1> then {
    dcf.yield
  } else {
    dcf.yield
  }
  func.return %two#0 : tensor<f32>
}

// CHECK-LABEL: func.func @case
func.func @case(%i: tensor<i32>, %a: tensor<f32>) -> tensor<f32> {
  // CHECK: %r = dcf.case %i : tensor<i32> -> tensor<f32> {
  // CHECK-NEXT: dcf.yield %a : tensor<f32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: dcf.yield %a : tensor<f32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: dcf.yield %a : tensor<f32>
  // CHECK-NEXT: } {note}
  %r = dcf.case %i : tensor<i32> -> tensor<f32> {
    dcf.yield %a : tensor<f32>
  }, {
    dcf.yield %a : tensor<f32>
  }, {
    dcf.yield %a : tensor<f32>
  } {note}
  // CHECK: dcf.case %i : tensor<i32> {
  // CHECK-NEXT: dcf.yield
  // CHECK-NEXT: }
  dcf.case %i : tensor<i32> {
    dcf.yield
  }
  func.return %r : tensor<f32>
}
