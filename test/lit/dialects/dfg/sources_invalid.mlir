// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    %t = dfg.token
    // CHECK: error: 'dfg.constant' op expected a result of type tensor<i32>, got tensor<i64>
    %c = "dfg.constant"(%t) <{value = dense<3> : tensor<i32>}> : (!dfg.token) -> tensor<i64>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    %t = dfg.token
    // CHECK: error: expected a tensor of static shape, got f32
    %c = dfg.constant dense<3.0> after %t : f32
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    %t = dfg.token
    // CHECK: error: expected a tensor of static shape, got tensor<?xf32>
    %c = dfg.constant dense<3.0> after %t : tensor<?xf32>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    %t = dfg.token
    // CHECK: error: expected a !dcf.stack type, got tensor<f32>
    %c = dfg.stack_new after %t : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.kernel' op expected @f to be a function of this module, got no such symbol
    %c = dfg.kernel @f(%a) : (tensor<f32>) -> tensor<f32>
    dfg.fetch
  }
}

// -----

func.func private @f(tensor<i32>) -> tensor<f32>
dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.kernel' op expected argument 0 of type tensor<i32>, that of the function, got tensor<f32>
    %c = dfg.kernel @f(%a) : (tensor<f32>) -> tensor<f32>
    dfg.fetch
  }
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.kernel' op expected 1 result, got 2
    %c:2 = dfg.kernel @f(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    dfg.fetch
  }
}
