// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected carry 0 of the condition of type tensor<i32>, got tensor<f32> (while_c1)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %j : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected the condition to have 1 carried values, got 2 (while_c1)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>, %k: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %j : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected the condition to return tensor<i1>, got tensor<i32> (while_c1)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %i : tensor<i32>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %j : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected carry 0 of the body of type tensor<i32>, got tensor<f32> (while_c2)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<f32>):
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected carry 0 of the body's return of type tensor<i32>, got tensor<i1> (while_c2)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected the body's return to have 1 carried values, got 2 (while_c2)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %j, %j : tensor<i32>, tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected carry 0 of the loop's results of type tensor<i32>, got tensor<i64> (while_c3)
func.func @invalid(%n: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %j : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  func.return
}

// -----

// CHECK: expected a scalar tensor of boolean elements, got tensor<2xi1> (if_i1)
func.func @invalid(%p: tensor<2xi1>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xi1>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected the true branch with 0 arguments, got 1 (if_c1)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected value 0 returned by the false branch of type tensor<f32>, got tensor<i32> (if_c2)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %k : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<i32>, got tensor<f32> (if_c3)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %k : tensor<i32>
  }, {
    stablehlo.return %k : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected a scalar tensor of signed integer elements, got tensor<f32> (case_i1)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.case"(%x) ({
    stablehlo.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected at least one branch, got 0 (case_c1)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  "stablehlo.case"(%k) : (tensor<i32>) -> ()
  func.return
}

// -----

// CHECK: expected branch 0 with 0 arguments, got 1 (case_c2)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.case"(%k) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected value 0 returned by branch 1 of type tensor<f32>, got tensor<i32> (case_c3)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.case"(%k) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %k : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<i32>, got tensor<f32> (case_c4)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.case"(%k) ({
    stablehlo.return %k : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<f32>, got tensor<i32> (optimization_barrier_c1)
func.func @invalid(%p: tensor<i1>, %k: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<f32>) -> tensor<i32>
  func.return
}
