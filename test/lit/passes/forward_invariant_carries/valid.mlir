// RUN: anabranch-opt %s -p forward-invariant-carries --split-input-file | filecheck %s

// What JAX prints: a value carried once for the condition and once for the body.

func.func @captured_twice(%a: tensor<f32>, %x0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:3 = dcf.while "newton" (%a1 = %a, %a2 = %a, %x = %x0 : tensor<f32>, tensor<f32>, tensor<f32>) cond {
    %p = stablehlo.compare GT, %x, %a1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %y = stablehlo.divide %a2, %x : tensor<f32>
    dcf.yield %a1, %a2, %y : tensor<f32>, tensor<f32>, tensor<f32>
  } {kept = 1 : i64, parallel_iterations = 4 : i64}
  func.return %r#0, %r#2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @captured_twice
// CHECK-NEXT:    %[[R:.*]] = dcf.while "newton" (%x = %x0 : tensor<f32>) cond {
// CHECK-NEXT:      stablehlo.compare GT, %x, %a,
// CHECK:         } do {
// CHECK-NEXT:      %y = stablehlo.divide %a, %x
// CHECK-NEXT:      dcf.yield %y : tensor<f32>
// CHECK-NEXT:    } {
// CHECK-DAG:       parallel_iterations = 4 : i64
// CHECK-DAG:       kept = 1 : i64
// CHECK:         return %a, %[[R]]

// -----

// Unchanged only together: through an inner loop, and through both branches of a conditional.

func.func @nest(%a: tensor<f32>, %n: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %r:3 = dcf.while (%x = %a, %i = %n, %y = %a : tensor<f32>, tensor<f32>, tensor<f32>) cond {
    %c = stablehlo.compare GT, %i, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %c
  } do {
    %s:2 = dcf.while (%x1 = %x, %j = %i : tensor<f32>, tensor<f32>) cond {
      %c = stablehlo.compare GT, %j, %x1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      dcf.condition %c
    } do {
      %j1 = stablehlo.subtract %j, %x1 : tensor<f32>
      dcf.yield %x1, %j1 : tensor<f32>, tensor<f32>
    }
    %b = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      dcf.yield %y : tensor<f32>
    } else {
      dcf.yield %s#0 : tensor<f32>
    }
    dcf.yield %s#0, %s#1, %b : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.return %r#1, %r#2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @nest
// CHECK-NEXT:    %[[R:.*]] = dcf.while (%i = %n : tensor<f32>) cond {
// CHECK-NEXT:      compare GT, %i, %a
// CHECK:         } do {
// CHECK-NEXT:      %[[S:.*]] = dcf.while (%j = %i : tensor<f32>) cond {
// CHECK-NEXT:        compare GT, %j, %a
// CHECK:           } do {
// CHECK-NEXT:        %j1 = stablehlo.subtract %j, %a
// CHECK-NEXT:        dcf.yield %j1
// CHECK:           dcf.cond %p : tensor<i1> then {
// CHECK-NEXT:        dcf.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        dcf.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      dcf.yield %[[S]] : tensor<f32>
// CHECK:         return %[[R]], %a

// -----

// Carries that take turns stay, unless they start from one value.

func.func @swap(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %r:4 = dcf.while (%x = %a, %y = %b, %z = %a, %w = %a : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) cond {
    dcf.condition %p
  } do {
    dcf.yield %y, %x, %w, %z : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.return %r#0, %r#2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @swap
// CHECK-NEXT:    %[[R:.*]]:2 = dcf.while (%x = %a, %y = %b : tensor<f32>, tensor<f32>) cond
// CHECK:           dcf.yield %y, %x
// CHECK:         return %[[R]]#0, %a

// -----

// Equal carries are merged: the same start and the same step, or steps that are equal in turn.

func.func @equal(%n: tensor<i32>, %m: tensor<i32>, %p0: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %r:5 = dcf.while (%i = %n, %j = %n, %l = %p0, %u = %m, %v = %m : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) cond {
    %c = stablehlo.compare LT, %j, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %c
  } do {
    %k = stablehlo.add %i, %j : tensor<i32>
    dcf.yield %k, %k, %k, %i, %j : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  func.return %r#0, %r#1, %r#4 : tensor<i32>, tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @equal
// CHECK-NEXT:    %[[R:.*]]:3 = dcf.while (%i = %n, %l = %p0, %u = %m
// CHECK-NEXT:      compare LT, %i, %m
// CHECK:           %k = stablehlo.add %i, %i
// CHECK-NEXT:      dcf.yield %k, %k, %i
// CHECK:         return %[[R]]#0, %[[R]]#0, %[[R]]#2

// -----

// Scans: carries are forwarded, inputs and outputs stay. A case with equal results.

func.func @scan(%a: tensor<f32>, %xs: tensor<5xf32>, %k: tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<5xf32>) {
  %s, %t, %ys = dcf.scan (%u = %a, %v = %a : tensor<f32>, tensor<f32>) ins(%x = %xs : tensor<5xf32>) -> (tensor<f32>, tensor<f32>, tensor<5xf32>) do {
    %c = dcf.case %k : tensor<i32> -> tensor<f32> {
      dcf.yield %u : tensor<f32>
    }, {
      dcf.yield %u : tensor<f32>
    }
    %w = stablehlo.add %v, %x : tensor<f32>
    dcf.yield %c, %w, %u : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.return %s, %t, %ys : tensor<f32>, tensor<f32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    %t, %ys = dcf.scan (%v = %a : tensor<f32>) ins(%x = %xs : tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>)
// CHECK-NEXT:      dcf.case %k : tensor<i32> {
// CHECK:           %w = stablehlo.add %v, %x
// CHECK-NEXT:      dcf.yield %w, %a
// CHECK:         return %a, %t, %ys

// -----

// A value of the only branch of a case is not visible outside it, so it is not forwarded.

func.func @one_branch(%a: tensor<f32>, %k: tensor<i32>) -> tensor<f32> {
  %r = dcf.case %k : tensor<i32> -> tensor<f32> {
    %b = stablehlo.negate %a : tensor<f32>
    dcf.yield %b : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @one_branch
// CHECK-NEXT:    %[[R:.*]] = dcf.case
// CHECK:         return %[[R]]

// -----

// A stack that goes round unchanged is an invariant too; a changed one stays a carry.

func.func @stacks(%a: tensor<f32>, %p: tensor<i1>) -> (!dcf.stack<tensor<f32>>, !dcf.stack<tensor<f32>>) {
  %s0 = dcf.stack_new : !dcf.stack<tensor<f32>>
  %r:2 = dcf.while (%s = %s0, %t = %s0 : !dcf.stack<tensor<f32>>, !dcf.stack<tensor<f32>>) cond {
    dcf.condition %p
  } do {
    %t1 = dcf.stack_push %t, %a : !dcf.stack<tensor<f32>>
    dcf.yield %s, %t1 : !dcf.stack<tensor<f32>>, !dcf.stack<tensor<f32>>
  }
  func.return %r#0, %r#1 : !dcf.stack<tensor<f32>>, !dcf.stack<tensor<f32>>
}

// CHECK-LABEL: func.func @stacks
// CHECK:         %[[R:.*]] = dcf.while (%t = %s0 :
// CHECK:         return %s0, %[[R]]
