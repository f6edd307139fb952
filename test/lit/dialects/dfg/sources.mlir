// RUN: %roundtrip %s | filecheck %s

func.func private @f(tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)

dfg.program @main (tensor<f32>, tensor<i32>) -> tensor<f32> {
  // CHECK: dfg.graph on "cpu:0" (%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
    // CHECK-NEXT: %t = dfg.token
    %t = dfg.token
    // CHECK-NEXT: %t0 = dfg.token {note}
    %t0 = dfg.token {note}
    // CHECK-NEXT: %c = dfg.constant dense<3> after %t : tensor<i32>
    %c = dfg.constant dense<3> after %t : tensor<i32>
    // CHECK-NEXT: %d = dfg.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 0xFF800000]]> after %t {note} : tensor<2x2xf32>
    %d = dfg.constant dense<[[1.0, 2.0], [3.0, 0xFF800000]]> after %t {note} : tensor<2x2xf32>
    // CHECK-NEXT: %e = dfg.constant dense<(1.000000e+00,-2.000000e+00)> after %t : tensor<complex<f32>>
    %e = dfg.constant dense<(1.0, -2.0)> after %t : tensor<complex<f32>>
    // CHECK-NEXT: %g = dfg.constant dense<> after %t : tensor<0xf32>
    %g = dfg.constant dense<> after %t : tensor<0xf32>
    // CHECK-NEXT: %h = dfg.constant dense<[true, false]> after %t : tensor<2xi1>
    %h = dfg.constant dense<[true, false]> after %t : tensor<2xi1>
    // CHECK-NEXT: %s = dfg.stack_new after %t : !dcf.stack<tensor<f32>>
    %s = dfg.stack_new after %t : !dcf.stack<tensor<f32>>
    // CHECK-NEXT: %t1 = dfg.probe "two" %x, %i after %t {note} : tensor<f32>, tensor<i32>
    %t1 = dfg.probe "two" %x, %i after %t {note} : tensor<f32>, tensor<i32>
    // CHECK-NEXT: %t2 = dfg.probe "none" after %t1
    %t2 = dfg.probe "none" after %t1
    // CHECK-NEXT: %r:2 = dfg.kernel @f(%x, %i) {note} : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    %r:2 = dfg.kernel @f(%x, %i) {note} : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    dfg.fetch %r#0 : tensor<f32>
  }
}
