// --grad adds the gradient of the sum of the first floating-point result by every floating-point argument.
// RUN: %python -c "import numpy as n; n.savez('%t.npz', arg0=n.float32([2, 3]), arg1=n.int32(3), arg2=n.float64(5))"
// RUN: anabranch-run %s --inputs %t.npz --grad | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --engine reference | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --no-fuse --parallel-iterations 1 | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --policy recompute | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --policy treeverse:2 | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --policy sqrt | filecheck %s
// RUN: anabranch-opt %s -p inline-calls,convert-stablehlo-to-dcf | anabranch-run - --inputs %t.npz --grad | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --outputs %t.out.npz
// RUN: %python -c "import numpy as n; print(*sorted(n.load('%t.out.npz').files))" | filecheck %s --check-prefix FILES

// RUN: anabranch-opt %s -p dcf-to-dfg-pipeline > %t.dfg.mlir
// RUN: not anabranch-run %t.dfg.mlir --inputs %t.npz --grad 2>&1 | filecheck %s --check-prefix GRAPH
// RUN: not anabranch-run %s --function whole --grad 2>&1 | filecheck %s --check-prefix WHOLE
// RUN: not anabranch-run %s --function rounded --grad 2>&1 | filecheck %s --check-prefix ROUNDED
// RUN: not anabranch-run %s --function nothing --grad 2>&1 | filecheck %s --check-prefix NAME

// An argument that does not matter has a gradient of zeros; an integer has none.
// CHECK:      out0 = 3 : tensor<i32>
// CHECK-NEXT: out1 = [16., 81.] : tensor<2xf32>
// CHECK-NEXT: grad_arg0 = [ 32., 108.] : tensor<2xf32>
// CHECK-NEXT: grad_arg2 = 0.0 : tensor<f64>
// FILES: grad_arg0 grad_arg2 out0 out1
// GRAPH: error: expected a source or structured program to differentiate, got a dataflow graph (dfg.program)
// WHOLE: error: expected @whole to have a floating-point argument to differentiate by, got tensor<i32>
// ROUNDED: error: expected a floating-point result to differentiate, got none
// NAME: error: expected a function @nothing, the module has @main

func.func @main(%x: tensor<2xf32>, %n: tensor<i32>, %unused: tensor<f64>) -> (tensor<i32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %v1 = func.call @times(%v, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %i1, %v1 : tensor<i32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<2xf32>
}

func.func private @times(%v: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.multiply %v, %w : tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @whole(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

func.func @rounded(%x: tensor<f32>) -> tensor<i32> {
  %r = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
  return %r : tensor<i32>
}
