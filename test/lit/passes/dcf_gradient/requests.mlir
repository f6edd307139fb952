// Requests become calls of functions that are made for them; equal requests share one.
// RUN: anabranch-opt %s -p dcf-gradient | filecheck %s
// RUN: anabranch-opt %s -p expand-requests | filecheck %s
// RUN: anabranch-run %s | filecheck %s --check-prefix VALUES
// RUN: anabranch-run %s --engine reference | filecheck %s --check-prefix VALUES
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s --check-prefix VALUES

// VALUES:      out0 = 12.0 : tensor<f32>
// VALUES-NEXT: out1 = 8.0 : tensor<f32>
// VALUES-NEXT: out2 = 24.0 : tensor<f32>
// VALUES-NEXT: out3 = 12.0 : tensor<f32>
// VALUES-NEXT: out4 = 12.0 : tensor<f32>
// VALUES-NEXT: out5 = 36.0 : tensor<f32>

// CHECK: func.func private @cube.jvp(%x: tensor<f32>, %x_dot: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK: func.func private @cube.vjp(%x: tensor<f32>, %ct0: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK: func.func private @cube.grad(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NOT: func.func private @cube.
func.func private @cube(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.multiply %x, %x : tensor<f32>
  %z = stablehlo.multiply %y, %x : tensor<f32>
  return %z : tensor<f32>
}

// A function with a request in it is expanded before its own derivative is made.
// CHECK-LABEL: func.func private @slope(
// CHECK-NEXT:    %{{.*}}, %g = call @cube.grad(%x)
func.func private @slope(%x: tensor<f32>) -> tensor<f32> {
  %g = dcf.gradient @cube(%x) : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// CHECK-LABEL: func.func @main()
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = stablehlo.constant dense<2.0> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %acc = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: call @cube.grad(%x)
  %g = dcf.gradient @cube(%x) wrt [0] of 0 : (tensor<f32>) -> tensor<f32>
  // CHECK: call @cube.vjp(%x, %x)
  %v:2 = dcf.vjp @cube(%x) cotangents(%x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  // CHECK: call @slope.grad(%x)
  %second = dcf.gradient @slope(%x) : (tensor<f32>) -> tensor<f32>
  %p = stablehlo.compare LT, %x, %acc, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // In a branch and in a loop.
  // CHECK: dcf.cond
  // CHECK: call @cube.jvp(%x, %x)
  %b = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %w:2 = dcf.jvp @cube(%x) tangents(%x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    dcf.yield %w#1 : tensor<f32>
  } else {
    dcf.yield %second : tensor<f32>
  }
  // CHECK: dcf.while
  // CHECK: call @cube.grad(%x)
  %r:2 = dcf.while "sum" (%i = %zero, %s = %acc : tensor<i32>, tensor<f32>) cond {
    %q = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %q
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %h = dcf.gradient @cube(%x) : (tensor<f32>) -> tensor<f32>
    %s1 = stablehlo.add %s, %h : tensor<f32>
    dcf.yield %i1, %s1 : tensor<i32>, tensor<f32>
  }
  return %g, %v#0, %v#1, %second, %b, %r#1 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
