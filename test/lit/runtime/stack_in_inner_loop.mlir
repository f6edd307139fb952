// RUN: anabranch-run %s | filecheck %s
// RUN: anabranch-run %s --no-fuse | filecheck %s
// RUN: anabranch-run %s --no-fuse --parallel-iterations 1 | filecheck %s
// RUN: anabranch-opt -p dcf-to-dfg-pipeline %s | anabranch-run - --no-fuse | filecheck %s
// RUN: anabranch-opt -p dcf-to-dfg-pipeline %s | filecheck %s --check-prefix GRAPH

// Each outer trip i makes a stack in its body, on which an inner loop pushes i elements: were it shared
// between outer trips, the sum of the tops would not be 0 + 0 + 1 + 2.

// CHECK: out0 = 3

// The stack is gated by a token of the outer loop's body.
// GRAPH: dfg.enter constant %start in "outer" : !dfg.token
// GRAPH: dfg.stack_new after

func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %i_end, %total = dcf.while "outer" (%i = %zero, %sum = %zero : tensor<i32>, tensor<i32>) cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %empty = dcf.stack_new : !dcf.stack<tensor<i32>>
    %first = dcf.stack_push %empty, %zero : !dcf.stack<tensor<i32>>
    %j_end, %stack = dcf.while "inner" (%j = %zero, %s = %first : tensor<i32>, !dcf.stack<tensor<i32>>) cond {
      %more = stablehlo.compare LT, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %more
    } do {
      %pushed = dcf.stack_push %s, %j : !dcf.stack<tensor<i32>>
      %j2 = stablehlo.add %j, %one : tensor<i32>
      dcf.yield %j2, %pushed : tensor<i32>, !dcf.stack<tensor<i32>>
    }
    %rest, %top = dcf.stack_pop %stack : !dcf.stack<tensor<i32>>
    %sum2 = stablehlo.add %sum, %top : tensor<i32>
    %i2 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i2, %sum2 : tensor<i32>, tensor<i32>
  }
  return %total : tensor<i32>
}
