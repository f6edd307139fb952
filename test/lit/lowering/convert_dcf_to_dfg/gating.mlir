// RUN: anabranch-opt %s -p convert-dcf-to-dfg --split-input-file | filecheck %s

// A constant that the body yields passes a switch on the loop's predicate: the loop ends.
func.func @constant_yield(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %zero, %c = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %c1 = stablehlo.constant dense<3.0> : tensor<f32>
    dcf.yield %j, %c1 : tensor<i32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
// CHECK-LABEL: dfg.program @constant_yield
// CHECK:         %c1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         %c1_in = dfg.enter constant %c1 in "w" : tensor<f32>
// CHECK:         %c1_done, %c1_body = dfg.switch %c1_in, %go : tensor<f32>
// CHECK:         %c_next = dfg.next_iteration %c1_body : tensor<f32>

// -----

// Constant branches: each constant passes a switch, so only one reaches the merge.
func.func @constant_branches(%p: tensor<i1>) -> tensor<i32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<i32> then {
    %a = stablehlo.constant dense<1> : tensor<i32>
    dcf.yield %a : tensor<i32>
  } else {
    %b = stablehlo.constant dense<2> : tensor<i32>
    dcf.yield %b : tensor<i32>
  }
  return %r : tensor<i32>
}
// CHECK-LABEL: dfg.program @constant_branches
// CHECK:         %a_no, %a_yes = dfg.switch %a, %p : tensor<i32>
// CHECK:         %b_no, %b_yes = dfg.switch %b, %p : tensor<i32>
// CHECK:         dfg.merge %a_yes, %b_no : tensor<i32>

// -----

// An op of captures only is gated through its first operand.
func.func @captures_only(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %zero, %a = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.multiply %x, %y : tensor<f32>
    dcf.yield %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
// CHECK-LABEL: dfg.program @captures_only
// CHECK:         %x_done, %x_body = dfg.switch
// CHECK-NEXT:    %b = stablehlo.multiply %x_body, %y_in : tensor<f32>

// -----

// A stack made inside an inner loop is made once per iteration, when its token comes.
func.func @inner_stack(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %zero, %a = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = dcf.stack_new : !dcf.stack<tensor<f32>>
    %s1 = dcf.stack_push %s, %a : !dcf.stack<tensor<f32>>
    %s2, %b = dcf.stack_pop %s1 : !dcf.stack<tensor<f32>>
    dcf.yield %j, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
// CHECK-LABEL: dfg.program @inner_stack
// CHECK:         %start = dfg.token
// CHECK:         %start_in = dfg.enter constant %start in "w" : !dfg.token
// CHECK:         %start_done, %start_body = dfg.switch %start_in, %go : !dfg.token
// CHECK:         %s = dfg.stack_new after %start_body : !dcf.stack<tensor<f32>>

// -----

// A loop without carries carries a token.
func.func @no_carries(%p: tensor<i1>) {
  dcf.while "w" () cond { dcf.condition %p } do { dcf.yield }
  return
}
// CHECK-LABEL: dfg.program @no_carries
// CHECK:         %start = dfg.token
// CHECK:         %start_in = dfg.enter %start in "w" : !dfg.token
// CHECK:         dfg.merge %start_in, %{{.*}} : !dfg.token
// CHECK:         dfg.next_iteration %{{.*}} : !dfg.token

// -----

// A loop in a branch: its carry and what it captures pass the branch's switch first.
func.func @loop_in_branch(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %s = dcf.while "w" (%a = %x : tensor<f32>) cond { dcf.condition %q } do {
      dcf.yield %a : tensor<f32>
    }
    dcf.yield %s : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: dfg.program @loop_in_branch
// CHECK:         %x_no, %x_yes = dfg.switch %x, %p : tensor<f32>
// CHECK:         dfg.enter %x_yes in "w" : tensor<f32>
// CHECK:         %q_no, %q_yes = dfg.switch %q, %p : tensor<i1>
// CHECK-NEXT:    dfg.enter constant %q_yes in "w" : tensor<i1>
