// RUN: anabranch-opt %s -p verify-dominance --split-input-file --verify-diagnostics | filecheck %s

func.func @use_before_definition(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: invalid.mlir:5:3: error: 'stablehlo.add' op operand #1 uses value %late, but its definition at {{.*}}invalid.mlir:6:3 does not come before this use
  %0 = stablehlo.add %x, %late : tensor<f32>
  %late = stablehlo.abs %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A value without a name is told by the op that makes it.
func.func @itself(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: invalid.mlir:{{[0-9]+}}:3: error: 'stablehlo.add' op operand #1 uses result #0 of 'stablehlo.add', but its definition at
  %0 = stablehlo.add %x, %0 : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// An op's results do not exist yet in its own regions.
func.func @own_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %own = "stablehlo.if"(%p) ({
    // CHECK: error: 'stablehlo.return' op operand #0 uses value %own, but its definition at {{.*}}:{{[0-9]+}}:3 does not come before this use
    stablehlo.return %own : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %own : tensor<f32>
}

// -----

// Nor does a later value of an enclosing region.
func.func @later_outside(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    // CHECK: error: 'stablehlo.return' op operand #0 uses value %later, but its definition at {{.*}}:{{[0-9]+}}:3 does not come before this use
    stablehlo.return %later : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %later = stablehlo.abs %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The names of a region end with it.
func.func @after_its_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %inner = stablehlo.abs %x : tensor<f32>
    stablehlo.return %inner : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: invalid.mlir:{{[0-9]+}}:10: error: value %inner is used by 'func.return' but never defined
  return %inner : tensor<f32>
}

// -----

// In a graph order does not matter, but a value must be of the same graph.
"dfg.program"() <{sym_name = "two", function_type = () -> ()}> ({
  "dfg.graph"() <{device = "cpu:0", feeds = array<i64>, fetches = array<i64>}> ({
    %here = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    "dfg.fetch"() : () -> ()
  }) : () -> ()
  "dfg.graph"() <{device = "cpu:1", feeds = array<i64>, fetches = array<i64>}> ({
    // CHECK: error: value %here is used by 'stablehlo.abs' but never defined
    %0 = "stablehlo.abs"(%here) : (tensor<f32>) -> tensor<f32>
    "dfg.fetch"() : () -> ()
  }) : () -> ()
}) : () -> ()
