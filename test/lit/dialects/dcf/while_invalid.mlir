// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @yield_type(%p: tensor<i1>, %x: tensor<f32>, %i: tensor<i32>) {
  %r:2 = dcf.while (%a = %x, %n = %i : tensor<f32>, tensor<i32>) cond {
    dcf.condition %p
  } do {
    // CHECK: while_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.yield' op expected carried value 1 of type tensor<i32>, got a yielded tensor<f32>
    dcf.yield %a, %a : tensor<f32>, tensor<f32>
  }
  func.return
}

// -----

func.func @yield_shape(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) {
  %r = dcf.while (%a = %x : tensor<4xf32>) cond {
    dcf.condition %p
  } do {
    // CHECK: error: 'dcf.yield' op expected carried value 0 of type tensor<4xf32>, got a yielded tensor<5xf32>; declare a dimension that changes from trip to trip dynamic (`?`)
    dcf.yield %y : tensor<5xf32>
  }
  func.return
}

// -----

func.func @yield_count(%p: tensor<i1>, %x: tensor<f32>) {
  %r = dcf.while (%a = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    // CHECK: error: 'dcf.yield' op expected 1 yielded value, got 2
    dcf.yield %a, %a : tensor<f32>, tensor<f32>
  }
  func.return
}

// -----

func.func @result_type(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: error: 'dcf.while' op expected result 0 of type tensor<f32>, that of the initial value, got tensor<i32>
  %r = "dcf.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%b: tensor<f32>):
    "dcf.yield"(%b) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<i32>
  func.return
}

// -----

func.func @result_count(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: error: 'dcf.while' op expected 1 result, got 0
  "dcf.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%b: tensor<f32>):
    "dcf.yield"(%b) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> ()
  func.return
}

// -----

func.func @condition_argument(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: error: 'dcf.while' op expected condition argument 0 of type tensor<f32>, that of the initial value, got tensor<f64>
  %r = "dcf.while"(%x) ({
  ^bb0(%a: tensor<f64>):
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%b: tensor<f32>):
    "dcf.yield"(%b) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func @body_argument_count(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: error: 'dcf.while' op expected 1 body argument, got 2
  %r = "dcf.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    "dcf.yield"(%b) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func @predicate(%x: tensor<i32>) {
  dcf.while () cond {
    // CHECK: while_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.condition' op expected a condition of type tensor<i1>, got tensor<i32>
    dcf.condition %x : tensor<i32>
  } do {
    dcf.yield
  }
  func.return
}

// -----

func.func @wrong_terminators(%p: tensor<i1>) {
  dcf.while () cond {
    // CHECK: error: 'dcf.yield' op expected the condition region to end in dcf.condition, got dcf.yield
    dcf.yield
  } do {
    dcf.yield
  }
  func.return
}

// -----

func.func @wrong_body_terminator(%p: tensor<i1>) {
  dcf.while () cond {
    dcf.condition %p
  } do {
    // CHECK: error: 'dcf.condition' op expected the body region to end in dcf.yield, got dcf.condition
    dcf.condition %p
  }
  func.return
}

// -----

func.func @no_terminator(%p: tensor<i1>) {
  // CHECK: error: 'dcf.while' op expected its region to end in a terminator, got an empty block
  dcf.while () cond {
    dcf.condition %p
  } do {
  }
  func.return
}

// -----

func.func @yield_outside(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: error: 'dcf.yield' op expected to end a region of dcf.while, dcf.scan, dcf.cond or dcf.case, got one of func.func
  dcf.yield %x : tensor<f32>
}

// -----

func.func @condition_outside(%p: tensor<i1>) {
  // CHECK: error: 'dcf.condition' op expected to end a region of dcf.while, got one of func.func
  dcf.condition %p
}

// -----

func.func @window(%p: tensor<i1>) {
  // CHECK: error: 'dcf.while' op parallel_iterations must be at least 1, got 0
  dcf.while () cond {
    dcf.condition %p
  } do {
    dcf.yield
  } {parallel_iterations = 0 : i64}
  func.return
}

// -----

func.func @bound(%p: tensor<i1>) {
  // CHECK: error: 'dcf.while' op trip_bound must be at least 0, got -1
  dcf.while () cond {
    dcf.condition %p
  } do {
    dcf.yield
  } {trip_bound = -1 : i64}
  func.return
}

// -----

func.func @policy(%p: tensor<i1>) {
  // CHECK: error: 'dcf.while' op expected residual_policy to be save, recompute, sqrt or treeverse:C with C >= 1, got "treeverse:0"
  dcf.while () cond {
    dcf.condition %p
  } do {
    dcf.yield
  } {residual_policy = "treeverse:0"}
  func.return
}

// -----

func.func @carried_kind(%p: tensor<i1>, %x: f32) {
  // CHECK: error: 'dcf.while' op expected carried value 0 to be a tensor, a stack or an array, got f32
  %r = dcf.while (%a = %x : f32) cond {
    dcf.condition %p
  } do {
    dcf.yield %a : f32
  }
  func.return
}

// -----

func.func @names_and_values(%p: tensor<i1>, %x: tensor<f32>) {
  // CHECK: error: expected '{{.*}}', got ')'
  %r = dcf.while (%a = %x, %b = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    dcf.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @name_twice(%p: tensor<i1>) {
  dcf.while "a" () cond {
    dcf.condition %p
  } do {
    dcf.yield
    // CHECK: error: expected loop_name in its own place in dcf.while, got it as an attribute
  } {loop_name = "b"}
  func.return
}
