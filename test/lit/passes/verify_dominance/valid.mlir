// RUN: anabranch-opt %s -p verify-dominance | filecheck %s
// RUN: anabranch-opt %s -p verify-dominance --print-op-generic | anabranch-opt -p verify-dominance | filecheck %s

// Values of enclosing regions may be used inside, at any depth.
// CHECK: func.func @captures
func.func @captures(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.compare GT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      %4 = stablehlo.add %v, %x : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %3 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}

// A graph is a graph region: its cycle goes through `dfg.next_iteration`.
// CHECK: dfg.program @loop
// CHECK: dfg.merge
// CHECK: dfg.next_iteration
"dfg.program"() <{sym_name = "loop", function_type = (tensor<i32>) -> tensor<i32>}> ({
  "dfg.graph"() <{device = "cpu:0", feeds = array<i64: 0>, fetches = array<i64: 0>}> ({
  ^bb0(%n: tensor<i32>):
    %in = "dfg.enter"(%n) <{frame = "loop"}> : (tensor<i32>) -> tensor<i32>
    %i, %from = "dfg.merge"(%in, %next) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %p = "stablehlo.compare"(%i, %i) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = "dfg.loop_cond"(%p) : (tensor<i1>) -> tensor<i1>
    %done, %body = "dfg.switch"(%i, %go) : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>)
    %j = "stablehlo.add"(%body, %body) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = "dfg.next_iteration"(%j) : (tensor<i32>) -> tensor<i32>
    %out = "dfg.exit"(%done) : (tensor<i32>) -> tensor<i32>
    "dfg.fetch"(%out) : (tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()

// In a module, too, the order of ops means nothing.
// CHECK: stablehlo.abs %late
%early = stablehlo.abs %late : tensor<f32>
%late = stablehlo.constant dense<1.0> : tensor<f32>
