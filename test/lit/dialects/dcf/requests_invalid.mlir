// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected @f to be a function of this module, got no such symbol
  %g = dcf.gradient @f(%a) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected 1 argument, got 2
  %g = dcf.gradient @f(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f64>) -> tensor<f64>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected argument 0 of type tensor<f64>, that of the function, got tensor<f32>
  %g = dcf.gradient @f(%a) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected the numbers of arguments, below 1, in wrt, got 1
  %g = dcf.gradient @f(%a) wrt [1] : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected each argument once in wrt, got 0 twice
  %g:2 = dcf.gradient @f(%a) wrt [0, 0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  func.return
}

// -----

func.func private @f(tensor<i32>) -> tensor<f32>
func.func @main(%a: tensor<i32>) {
  // CHECK: error: 'dcf.gradient' op expected argument 0 to be floating-point to differentiate by it, got tensor<i32>
  %g = dcf.gradient @f(%a) wrt [0] : (tensor<i32>) -> tensor<i32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected the number of a result, below 1, in of, got 1
  %g = dcf.gradient @f(%a) of 1 : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<i32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected result 0 to be a real floating-point tensor, got tensor<i32>
  %g = dcf.gradient @f(%a) of 0 : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<i32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected a floating-point result to differentiate, got (tensor<i32>)
  %g = dcf.gradient @f(%a) : (tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected gradient 0 of type tensor<f32>, that of its argument, got tensor<f64>
  %g = dcf.gradient @f(%a) : (tensor<f32>) -> tensor<f64>
  func.return
}

// -----

func.func private @f(tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.gradient' op expected 2 gradients, got 1
  %g = dcf.gradient @f(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>) -> (tensor<f32>, tensor<i32>)
func.func @main(%a: tensor<f32>, %i: tensor<i32>) {
  // CHECK: error: 'dcf.vjp' op expected 1 cotangent, got 2
  %r:3 = dcf.vjp @f(%a) cotangents(%a, %i) : (tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>, tensor<f32>)
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>, %b: tensor<f64>) {
  // CHECK: error: 'dcf.vjp' op expected cotangent 0 of type tensor<f32>, that of the result, got tensor<f64>
  %r:2 = dcf.vjp @f(%a) cotangents(%b) : (tensor<f32>, tensor<f64>) -> (tensor<f32>, tensor<f32>)
  func.return
}

// -----

func.func private @f(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.vjp' op expected 2 results, got 1
  %r = dcf.vjp @f(%a) cotangents(%a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func private @f(tensor<f32>, tensor<i32>) -> tensor<f32>
func.func @main(%a: tensor<f32>, %i: tensor<i32>) {
  // CHECK: error: 'dcf.jvp' op expected 1 tangent, got 2
  %r:2 = dcf.jvp @f(%a, %i) tangents(%a, %i) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<f32>)
  func.return
}

// -----

func.func private @f(tensor<f32>) -> (tensor<f32>, tensor<i32>)
func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.jvp' op expected result 2 of type tensor<f32>, got tensor<i32>
  %r:3 = dcf.jvp @f(%a) tangents(%a) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, tensor<i32>)
  func.return
}

// -----

func.func @main(%a: tensor<f32>) {
  // CHECK: error: 'dcf.stop_gradient' op expected a result of type tensor<f32>, got tensor<f64>
  %r = "dcf.stop_gradient"(%a) : (tensor<f32>) -> tensor<f64>
  func.return
}
