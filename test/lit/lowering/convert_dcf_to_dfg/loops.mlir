// RUN: anabranch-opt %s -p convert-dcf-to-dfg --split-input-file | filecheck %s

// A carry is entered, merged, switched and sent to the next iteration; a captured value and a constant are
// entered once for all iterations.
func.func @count(%n: tensor<i32>, %i0: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = dcf.while "count" (%i = %i0 : tensor<i32>) cond {
    %less = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %less
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %j : tensor<i32>
  } {parallel_iterations = 4 : i64, trip_bound = 100 : i64}
  return %r : tensor<i32>
}
// CHECK:      dfg.program @count (tensor<i32>, tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:   dfg.graph on "cpu:0" (%n: tensor<i32>, %i0: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %one = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:     %i0_in = dfg.enter %i0 in "count" : tensor<i32>
// CHECK-NEXT:     %n_in = dfg.enter constant %n in "count" : tensor<i32>
// CHECK-NEXT:     %one_in = dfg.enter constant %one in "count" : tensor<i32>
// CHECK-NEXT:     %i, %i_from = dfg.merge %i0_in, %i_next : tensor<i32>
// CHECK-NEXT:     %less = stablehlo.compare LT, %i, %n_in, SIGNED
// CHECK-NEXT:     %go = dfg.loop_cond %less {parallel_iterations = 4 : i64, trip_bound = 100 : i64}
// CHECK-NEXT:     %i_done, %i_body = dfg.switch %i, %go{{.*}} : tensor<i32>
// CHECK-NEXT:     %j = stablehlo.add %i_body, %one_in : tensor<i32>
// CHECK-NEXT:     %i_next = dfg.next_iteration %j : tensor<i32>
// CHECK-NEXT:     %r = dfg.exit %i_done : tensor<i32>
// CHECK-NEXT:     dfg.fetch %r : tensor<i32>

// -----

// A loop inside a loop: its frame is inside the other's, and outer captures are entered twice.
func.func @nest(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = dcf.while "outer" (%i = %zero : tensor<i32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %s = dcf.while "inner" (%k = %i : tensor<i32>) cond {
      %q = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %q
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      dcf.yield %k1 : tensor<i32>
    }
    dcf.yield %s : tensor<i32>
  }
  return %r : tensor<i32>
}
// CHECK-LABEL: dfg.program @nest
// CHECK:         %n_in = dfg.enter constant %n in "outer" : tensor<i32>
// CHECK:         %i, %i_from = dfg.merge
// CHECK:         %go = dfg.loop_cond
// CHECK:         %i_done, %i_body = dfg.switch %i, %go
// CHECK:         %i_in = dfg.enter %i_body in "inner" : tensor<i32>
// What an inner loop captures is switched on the outer predicate before it is entered.
// CHECK:         %n_done, %n_body = dfg.switch %n_in, %go
// CHECK-NEXT:    dfg.enter constant %n_body in "inner" : tensor<i32>
// CHECK:         %k, %k_from = dfg.merge %i_in, %k_next : tensor<i32>
// CHECK:         dfg.exit
// CHECK:         %i_next = dfg.next_iteration

// -----

// Two loops of one name in a graph get frames of their own.
func.func @twice(%p: tensor<i1>) {
  dcf.while "w" () cond { dcf.condition %p } do { dcf.yield }
  dcf.while "w" () cond { dcf.condition %p } do { dcf.yield }
  return
}
// CHECK-LABEL: dfg.program @twice
// CHECK:         dfg.enter %start in "w" : !dfg.token
// CHECK:         dfg.enter %start in "w_1" : !dfg.token

// -----

// The result of a loop that nobody reads has no exit.
func.func @unread(%p: tensor<i1>, %x: tensor<f32>) {
  %r = dcf.while "w" (%a = %x : tensor<f32>) cond { dcf.condition %p } do { dcf.yield %a : tensor<f32> }
  return
}
// CHECK-LABEL: dfg.program @unread
// CHECK-NOT:     dfg.exit
