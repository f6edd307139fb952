// Any level, from source to graph, by both engines, fused and node by node.
// RUN: anabranch-run %s | filecheck %s
// RUN: anabranch-run %s --engine reference | filecheck %s
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s
// RUN: anabranch-opt %s -p inline-calls,convert-stablehlo-to-dcf | anabranch-run - | filecheck %s
// RUN: anabranch-opt %s -p dcf-to-dfg-pipeline | anabranch-run - --no-fuse | filecheck %s
// RUN: anabranch-opt %s -p dcf-to-dfg-pipeline --print-op-generic | anabranch-run - | filecheck %s

// CHECK:      out0 = 10 : tensor<i32>
// CHECK-NEXT: out1 = [1024., 2048.] : tensor<2xf32>

func.func @main() -> (tensor<i32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %v1 = func.call @twice(%v) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %i1, %v1 : tensor<i32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<2xf32>
}

func.func private @twice(%v: tensor<2xf32>) -> tensor<2xf32> {
  %w = stablehlo.add %v, %v : tensor<2xf32>
  return %w : tensor<2xf32>
}
