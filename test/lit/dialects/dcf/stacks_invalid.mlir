// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @push_value(%s: !dcf.stack<tensor<f32>>, %v: tensor<f64>) {
  // CHECK: error: 'dcf.stack_push' op expected a value of type tensor<f32>, got tensor<f64>
  %r = "dcf.stack_push"(%s, %v) : (!dcf.stack<tensor<f32>>, tensor<f64>) -> !dcf.stack<tensor<f32>>
  func.return
}

// -----

func.func @push_result(%s: !dcf.stack<tensor<f32>>, %v: tensor<f32>) {
  // CHECK: error: 'dcf.stack_push' op expected a result of type !dcf.stack<tensor<f32>>, got !dcf.stack<tensor<f64>>
  %r = "dcf.stack_push"(%s, %v) : (!dcf.stack<tensor<f32>>, tensor<f32>) -> !dcf.stack<tensor<f64>>
  func.return
}

// -----

func.func @push_is_static(%s: !dcf.stack<tensor<?xf32>>, %v: tensor<4xf32>) {
  // CHECK: error: value %v has type tensor<4xf32>, but is used with type tensor<?xf32>
  %r = dcf.stack_push %s, %v : !dcf.stack<tensor<?xf32>>
  func.return
}

// -----

func.func @not_a_stack(%v: tensor<f32>) {
  // CHECK: error: expected a !dcf.stack type, got tensor<f32>
  %r = dcf.stack_push %v, %v : tensor<f32>
  func.return
}

// -----

// CHECK: error: expected a tensor type for the elements, got f32
func.func private @elements(!dcf.stack<f32>)

// -----

func.func @pop_value(%s: !dcf.stack<tensor<f32>>) {
  // CHECK: error: 'dcf.stack_pop' op expected a second result of type tensor<f32>, got tensor<i32>
  %r, %v = "dcf.stack_pop"(%s) : (!dcf.stack<tensor<f32>>) -> (!dcf.stack<tensor<f32>>, tensor<i32>)
  func.return
}

// -----

func.func @pop_rest(%s: !dcf.stack<tensor<f32>>) {
  // CHECK: error: 'dcf.stack_pop' op expected a first result of type !dcf.stack<tensor<f32>>, got !dcf.stack<tensor<i32>>
  %r, %v = "dcf.stack_pop"(%s) : (!dcf.stack<tensor<f32>>) -> (!dcf.stack<tensor<i32>>, tensor<f32>)
  func.return
}

// -----

func.func @zero_without_shape(%s: !dcf.stack<tensor<?xf32>>) {
  // CHECK: error: 'dcf.stack_pop' op expected a shape operand (like) for zeros of the dynamic type tensor<?xf32>, got none
  %r, %v = dcf.stack_pop %s {or_zero} : !dcf.stack<tensor<?xf32>>
  func.return
}

// -----

func.func @shape_without_zero(%s: !dcf.stack<tensor<?xf32>>, %x: tensor<?xf32>) {
  // CHECK: error: 'dcf.stack_pop' op expected or_zero with a shape operand (like), got it alone
  %r, %v = dcf.stack_pop %s like %x : !dcf.stack<tensor<?xf32>>, tensor<?xf32>
  func.return
}

// -----

func.func @other_rank(%s: !dcf.stack<tensor<?xf32>>, %x: tensor<2x?xf32>) {
  // CHECK: error: 'dcf.stack_pop' op expected the shape operand (like) to have the shape of tensor<?xf32>, got tensor<2x?xf32>
  %r, %v = dcf.stack_pop %s like %x {or_zero} : !dcf.stack<tensor<?xf32>>, tensor<2x?xf32>
  func.return
}

// -----

func.func @other_shape(%s: !dcf.stack<tensor<?x3xf32>>, %x: tensor<?x2xf32>) {
  // CHECK: error: 'dcf.stack_pop' op expected the shape operand (like) to have the shape of tensor<?x3xf32>, got tensor<?x2xf32>
  %r, %v = dcf.stack_pop %s like %x {or_zero} : !dcf.stack<tensor<?x3xf32>>, tensor<?x2xf32>
  func.return
}

// -----

func.func @add(%s: !dcf.stack<tensor<f32>>, %t: !dcf.stack<tensor<f64>>) {
  // CHECK: error: 'dcf.stack_add' op expected a second operand of type !dcf.stack<tensor<f32>>, got !dcf.stack<tensor<f64>>
  %r = "dcf.stack_add"(%s, %t) : (!dcf.stack<tensor<f32>>, !dcf.stack<tensor<f64>>) -> !dcf.stack<tensor<f32>>
  func.return
}

// -----

func.func @captured_push(%p: tensor<i1>, %s: !dcf.stack<tensor<f32>>, %v: tensor<f32>) {
  dcf.while () cond {
    dcf.condition %p
  } do {
    // CHECK: stacks_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.stack_push' op expected dcf.stack_push to change a stack that dcf.while carries, got one captured from outside the loop
    %s1 = dcf.stack_push %s, %v : !dcf.stack<tensor<f32>>
    dcf.yield
  }
  func.return
}

// -----

func.func @captured_pop_in_branch(%p: tensor<i1>, %s: !dcf.stack<tensor<f32>>) {
  dcf.scan () length 3 do {
    dcf.cond %p : tensor<i1> then {
      // CHECK: error: 'dcf.stack_pop' op expected dcf.stack_pop to change a stack that dcf.scan carries, got one captured from outside the loop
      %s1, %v = dcf.stack_pop %s : !dcf.stack<tensor<f32>>
      dcf.yield
    } else {
      dcf.yield
    }
    dcf.yield
  }
  func.return
}

// -----

func.func @captured_from_outer_loop(%p: tensor<i1>, %s: !dcf.stack<tensor<f32>>) {
  %r = dcf.while (%t = %s : !dcf.stack<tensor<f32>>) cond {
    dcf.condition %p
  } do {
    dcf.while () cond {
      dcf.condition %p
    } do {
      // CHECK: error: 'dcf.stack_add' op expected dcf.stack_add to change a stack that dcf.while carries, got one captured from outside the loop
      %u = dcf.stack_add %t, %t : !dcf.stack<tensor<f32>>
      dcf.yield
    }
    dcf.yield %t : !dcf.stack<tensor<f32>>
  }
  func.return
}
