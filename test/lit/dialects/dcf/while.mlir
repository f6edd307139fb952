// RUN: %roundtrip %s | filecheck %s

// Names stand once in the text: both regions have their own arguments, of the same names.

// CHECK-LABEL: func.func @newton
func.func @newton(%a: tensor<f32>, %x0: tensor<f32>, %i0: tensor<i32>, %far: tensor<i1>) -> tensor<f32> {
  // CHECK: %r, %n = dcf.while "newton" (%x = %x0, %i = %i0 : tensor<f32>, tensor<i32>) cond {
  // CHECK-NEXT: %p = dcf.cond %far : tensor<i1> -> tensor<i1> then {
  // CHECK: dcf.condition %p
  // CHECK-NEXT: } do {
  // CHECK-NEXT: dcf.yield %x, %i : tensor<f32>, tensor<i32>
  // CHECK-NEXT: } {note = "kept", parallel_iterations = 8 : i64, residual_policy = "treeverse:20", trip_bound = 100 : i64}
  %r, %n = dcf.while "newton" (%x = %x0, %i = %i0 : tensor<f32>, tensor<i32>) cond {
    %p = dcf.cond %far : tensor<i1> -> tensor<i1> then {
      dcf.yield %far : tensor<i1>
    } else {
      dcf.yield %far : tensor<i1>
    }
    dcf.condition %p
  } do {
    dcf.yield %x, %i : tensor<f32>, tensor<i32>
  } {note = "kept", parallel_iterations = 8 : i64, residual_policy = "treeverse:20", trip_bound = 100 : i64}
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @no_carries_no_name
func.func @no_carries_no_name(%p: tensor<i1>) {
  // CHECK: dcf.while () cond {
  // CHECK-NEXT: dcf.condition %p {mark}
  // CHECK-NEXT: } do {
  // CHECK-NEXT: dcf.yield {mark}
  // CHECK-NEXT: }
  dcf.while () cond {
    dcf.condition %p {mark}
  } do {
    dcf.yield {mark}
  }
  func.return
}

// Dimensions that change from trip to trip are declared dynamic; stacks and arrays are carried.

// CHECK-LABEL: func.func @growing
func.func @growing(%p: tensor<i1>, %x: tensor<?xf32>, %v: tensor<f32>, %i: tensor<i32>) {
  %s0 = dcf.stack_new : !dcf.stack<tensor<f32>>
  %a0 = dcf.array_new %i : tensor<i32> -> !dcf.array<tensor<f32>>
  // CHECK: %r:3 = dcf.while (%y = %x, %s = %s0, %a = %a0 : tensor<?xf32>, !dcf.stack<tensor<f32>>, !dcf.array<tensor<f32>>) cond {
  %r:3 = dcf.while (%y = %x, %s = %s0, %a = %a0 : tensor<?xf32>, !dcf.stack<tensor<f32>>, !dcf.array<tensor<f32>>) cond {
    dcf.condition %p
  } do {
    // CHECK: %[[TOP:.*]] = dcf.cond %p : tensor<i1> -> !dcf.stack<tensor<f32>> then {
    %top = dcf.cond %p : tensor<i1> -> !dcf.stack<tensor<f32>> then {
      %s1 = dcf.stack_push %s, %v : !dcf.stack<tensor<f32>>
      dcf.yield %s1 : !dcf.stack<tensor<f32>>
    } else {
      dcf.yield %s : !dcf.stack<tensor<f32>>
    }
    %a1 = dcf.array_write %a, %i, %v : !dcf.array<tensor<f32>>, tensor<i32>
    dcf.yield %y, %top, %a1 : tensor<?xf32>, !dcf.stack<tensor<f32>>, !dcf.array<tensor<f32>>
  }
  func.return
}
