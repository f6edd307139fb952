// RUN: anabranch-opt %s -p convert-dcf-to-dfg --split-input-file --verify-diagnostics | filecheck %s

func.func @scan_left(%x: tensor<f32>, %xs: tensor<4xf32>) -> tensor<f32> {
  %r = dcf.scan "s" (%a = %x : tensor<f32>) ins(%b = %xs : tensor<4xf32>) -> tensor<f32> do {
    %c = stablehlo.add %a, %b : tensor<f32>
    dcf.yield %c : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK: 'dcf.scan' cannot be in a dataflow graph: run expand-scan first

// -----

func.func @while_left(%x: tensor<i1>) -> tensor<i1> {
  %r = stablehlo.while(%a = %x) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    stablehlo.return %a : tensor<i1>
  }
  return %r : tensor<i1>
}
// CHECK: 'stablehlo.while' cannot be in a dataflow graph: run convert-stablehlo-to-dcf first

// -----

func.func @capturing_reducer(%x: tensor<4xf32>, %init: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %b, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK: the region of 'stablehlo.reduce' uses a value from outside: expected only its own arguments and constants
