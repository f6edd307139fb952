// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @cond_types(%p: tensor<i1>, %a: tensor<f32>, %b: tensor<i32>) {
  %r:2 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<i32>) then {
    dcf.yield %a, %b : tensor<f32>, tensor<i32>
  } else {
    // CHECK: branches_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.yield' op expected the else branch to yield (tensor<f32>, tensor<i32>), the types of the results of dcf.cond, got (tensor<i32>, tensor<f32>)
    dcf.yield %b, %a : tensor<i32>, tensor<f32>
  }
  func.return
}

// -----

func.func @cond_count(%p: tensor<i1>, %a: tensor<f32>) {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    // CHECK: error: 'dcf.yield' op expected the then branch to yield (tensor<f32>), the types of the results of dcf.cond, got ()
    dcf.yield
  } else {
    dcf.yield %a : tensor<f32>
  }
  func.return
}

// -----

func.func @cond_predicate(%p: tensor<i32>) {
  // CHECK: error: 'dcf.cond' op expected a predicate of type tensor<i1>, got tensor<i32>
  dcf.cond %p : tensor<i32> then {
    dcf.yield
  } else {
    dcf.yield
  }
  func.return
}

// -----

func.func @cond_predicate_is_scalar(%p: tensor<2xi1>) {
  // CHECK: error: 'dcf.cond' op expected a predicate of type tensor<i1>, got tensor<2xi1>
  dcf.cond %p : tensor<2xi1> then {
    dcf.yield
  } else {
    dcf.yield
  }
  func.return
}

// -----

func.func @cond_arguments(%p: tensor<i1>) {
  // CHECK: error: 'dcf.cond' op expected the then branch without arguments, got 1
  "dcf.cond"(%p) ({
  ^bb0(%x: tensor<f32>):
    "dcf.yield"() : () -> ()
  }, {
    "dcf.yield"() : () -> ()
  }) : (tensor<i1>) -> ()
  func.return
}

// -----

func.func @cond_terminator(%p: tensor<i1>) {
  dcf.while () cond {
    dcf.cond %p : tensor<i1> then {
      // CHECK: error: 'dcf.condition' op expected the then branch to end in dcf.yield, got dcf.condition
      dcf.condition %p
    } else {
      dcf.yield
    }
    dcf.condition %p
  } do {
    dcf.yield
  }
  func.return
}

// -----

func.func @case_types(%i: tensor<i32>, %a: tensor<f32>) {
  %r = dcf.case %i : tensor<i32> -> tensor<f32> {
    dcf.yield %a : tensor<f32>
  }, {
    // CHECK: branches_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.yield' op expected branch 1 to yield (tensor<f32>), the types of the results of dcf.case, got (tensor<i32>)
    dcf.yield %i : tensor<i32>
  }
  func.return
}

// -----

func.func @case_index(%i: tensor<i64>) {
  // CHECK: error: 'dcf.case' op expected an index of type tensor<i32>, got tensor<i64>
  dcf.case %i : tensor<i64> {
    dcf.yield
  }
  func.return
}

// -----

func.func @case_without_branches(%i: tensor<i32>) {
  // CHECK: error: 'dcf.case' op expected at least one branch, got none
  "dcf.case"(%i) : (tensor<i32>) -> ()
  func.return
}

// -----

func.func @case_arguments(%i: tensor<i32>) {
  // CHECK: error: 'dcf.case' op expected branch 0 without arguments, got 1
  "dcf.case"(%i) ({
  ^bb0(%x: tensor<f32>):
    "dcf.yield"() : () -> ()
  }) : (tensor<i32>) -> ()
  func.return
}
