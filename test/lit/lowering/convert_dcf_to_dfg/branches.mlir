// RUN: anabranch-opt %s -p convert-dcf-to-dfg --split-input-file | filecheck %s

func.func @cond(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %a = stablehlo.add %x, %y : tensor<f32>
    dcf.yield %a : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
// One operand is enough to gate an op; both branches share the switch.
// CHECK-LABEL: dfg.program @cond
// CHECK:         %x_no, %x_yes = dfg.switch %x, %p : tensor<f32>
// CHECK-NEXT:    %a = stablehlo.add %x_yes, %y : tensor<f32>
// CHECK-NEXT:    %{{.*}}, %{{.*}} = dfg.merge %a, %x_no : tensor<f32>

// -----

// A case is a chain of tests; the last branch takes every other index.
func.func @case(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.case %i : tensor<i32> -> tensor<f32> {
    %a = stablehlo.sine %x : tensor<f32>
    dcf.yield %a : tensor<f32>
  }, {
    %b = stablehlo.cosine %x : tensor<f32>
    dcf.yield %b : tensor<f32>
  }, {
    dcf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: dfg.program @case
// CHECK:         %[[P0:.*]] = stablehlo.compare EQ, %i, %{{.*}}, SIGNED
// CHECK-NEXT:    %i_no, %i_yes = dfg.switch %i, %[[P0]]
// CHECK-NEXT:    %[[P1:.*]] = stablehlo.compare EQ, %i_no, %{{.*}}, SIGNED
// CHECK:         dfg.switch %x, %[[P0]]
// CHECK-NEXT:    %a = stablehlo.sine
// CHECK:         dfg.switch %x, %[[P1]]
// CHECK-NEXT:    %b = stablehlo.cosine
// CHECK-NEXT:    dfg.merge %a, %b, %{{.*}} : tensor<f32>

// -----

// A case of one branch is no choice.
func.func @only(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.case %i : tensor<i32> -> tensor<f32> {
    %a = stablehlo.sine %x : tensor<f32>
    dcf.yield %a : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: dfg.program @only
// CHECK-NEXT:    dfg.graph
// CHECK-NEXT:      %a = stablehlo.sine %x : tensor<f32>
// CHECK-NEXT:      dfg.fetch %a : tensor<f32>

// -----

// An inner predicate from outside is gated by the outer one, or both merges would get live values.
func.func @nested(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %s = dcf.cond %q : tensor<i1> -> tensor<f32> then {
      dcf.yield %x : tensor<f32>
    } else {
      dcf.yield %y : tensor<f32>
    }
    dcf.yield %s : tensor<f32>
  } else {
    dcf.yield %y : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: dfg.program @nested
// CHECK:         %q_no, %q_yes = dfg.switch %q, %p
// CHECK:         dfg.switch %x, %q_yes

// -----

// Branches of different static shapes meet at the declared type.
func.func @shapes(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<?xf32> then {
    %a = stablehlo.custom_call @id(%x) : (tensor<2xf32>) -> tensor<?xf32>
    dcf.yield %a : tensor<?xf32>
  } else {
    %b = stablehlo.custom_call @id(%y) : (tensor<3xf32>) -> tensor<?xf32>
    dcf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// CHECK-LABEL: dfg.program @shapes
// CHECK:         dfg.merge %a, %b : tensor<?xf32>
