// RUN: %roundtrip %s | filecheck %s

// while has a custom form, if and case the generic one.

// CHECK: func.func @loop
func.func @loop(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<2xf32> attributes {mhlo.name = "loop"}
  %r:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<2xf32> attributes {mhlo.name = "loop"}
  // CHECK: cond {
  cond {
    // CHECK: stablehlo.constant dense<0> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    // CHECK: stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: stablehlo.return %go : tensor<i1>
    stablehlo.return %go : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: stablehlo.constant dense<1> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    // CHECK: stablehlo.subtract %i, %one : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    // CHECK: stablehlo.add %v, %v : tensor<2xf32>
    %w = stablehlo.add %v, %v : tensor<2xf32>
    // CHECK: stablehlo.return %j, %w : tensor<i32>, tensor<2xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<2xf32>
  }
  func.return %r#1 : tensor<2xf32>
}

// CHECK: func.func @no_carries
func.func @no_carries() {
  // CHECK: stablehlo.while()
  stablehlo.while()
  // CHECK: cond {
  cond {
    // CHECK: stablehlo.constant dense<false> : tensor<i1>
    %no = stablehlo.constant dense<false> : tensor<i1>
    // CHECK: stablehlo.return %no : tensor<i1>
    stablehlo.return %no : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: stablehlo.return
    stablehlo.return
  }
  func.return
}

// CHECK: func.func @branches
func.func @branches(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  // CHECK: "stablehlo.if"(%p) ({
  %0 = "stablehlo.if"(%p) ({
    // CHECK: stablehlo.return %x : tensor<f32>
    stablehlo.return %x : tensor<f32>
  }, {
    // CHECK: stablehlo.sine %x : tensor<f32>
    %s = stablehlo.sine %x : tensor<f32>
    // CHECK: stablehlo.return %s : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: "stablehlo.case"(%k) ({
  %2 = "stablehlo.case"(%k) ({
    // CHECK: stablehlo.return %x : tensor<f32>
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return
}

// CHECK: func.func @order
func.func @order(%x: tensor<f32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  // CHECK: stablehlo.optimization_barrier %x : tensor<f32>
  %0 = stablehlo.optimization_barrier %x : tensor<f32>
  // CHECK: stablehlo.optimization_barrier {a = 1 : i32} %x, %t : tensor<f32>, !stablehlo.token
  %1:2 = stablehlo.optimization_barrier {a = 1 : i32} %x, %t : tensor<f32>, !stablehlo.token
  // CHECK: stablehlo.create_token : !stablehlo.token
  %2 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.after_all %t, %2 : !stablehlo.token
  %3 = stablehlo.after_all %t, %2 : !stablehlo.token
  // CHECK: stablehlo.after_all : !stablehlo.token
  %4 = stablehlo.after_all : !stablehlo.token
  func.return
}
