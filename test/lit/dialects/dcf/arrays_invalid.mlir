// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @size(%n: tensor<f32>) {
  // CHECK: error: 'dcf.array_new' op expected the size to be a scalar integer tensor, got tensor<f32>
  %a = dcf.array_new %n : tensor<f32> -> !dcf.array<tensor<f32>>
  func.return
}

// -----

func.func @write_index(%a: !dcf.array<tensor<f32>>, %i: tensor<1xi32>, %v: tensor<f32>) {
  // CHECK: error: 'dcf.array_write' op expected the index to be a scalar integer tensor, got tensor<1xi32>
  %r = dcf.array_write %a, %i, %v : !dcf.array<tensor<f32>>, tensor<1xi32>
  func.return
}

// -----

func.func @read_index(%a: !dcf.array<tensor<f32>>, %i: tensor<i1>) {
  // CHECK: error: 'dcf.array_read' op expected the index to be a scalar integer tensor, got tensor<i1>
  %r = dcf.array_read %a, %i : !dcf.array<tensor<f32>>, tensor<i1>
  func.return
}

// -----

func.func @write_value(%a: !dcf.array<tensor<f32>>, %i: tensor<i32>, %v: tensor<f64>) {
  // CHECK: error: 'dcf.array_write' op expected a value of type tensor<f32>, got tensor<f64>
  %r = "dcf.array_write"(%a, %i, %v) : (!dcf.array<tensor<f32>>, tensor<i32>, tensor<f64>) -> !dcf.array<tensor<f32>>
  func.return
}

// -----

func.func @write_result(%a: !dcf.array<tensor<f32>>, %i: tensor<i32>, %v: tensor<f32>) {
  // CHECK: error: 'dcf.array_write' op expected a result of type !dcf.array<tensor<f32>>, got !dcf.array<tensor<f32>, grad>
  %r = "dcf.array_write"(%a, %i, %v) : (!dcf.array<tensor<f32>>, tensor<i32>, tensor<f32>) -> !dcf.array<tensor<f32>, grad>
  func.return
}

// -----

func.func @read_result(%a: !dcf.array<tensor<f32>>, %i: tensor<i32>) {
  // CHECK: error: 'dcf.array_read' op expected a result of type tensor<f32>, got tensor<2xf32>
  %r = "dcf.array_read"(%a, %i) : (!dcf.array<tensor<f32>>, tensor<i32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @stack_result(%a: !dcf.array<tensor<2xf32>>) {
  // CHECK: error: 'dcf.array_stack' op expected a result of rows tensor<2xf32> along a leading dimension, got tensor<?xf32>
  %r = dcf.array_stack %a : !dcf.array<tensor<2xf32>> -> tensor<?xf32>
  func.return
}

// -----

func.func @unstack_scalar(%t: tensor<f32>) {
  // CHECK: error: 'dcf.array_unstack' op expected a tensor of rows tensor<f32> along a leading dimension, got tensor<f32>
  %r = dcf.array_unstack %t : tensor<f32> -> !dcf.array<tensor<f32>>
  func.return
}

// -----

func.func @unstack_rows(%t: tensor<9x2xf32>) {
  // CHECK: error: 'dcf.array_unstack' op expected a tensor of rows tensor<3xf32> along a leading dimension, got tensor<9x2xf32>
  %r = dcf.array_unstack %t : tensor<9x2xf32> -> !dcf.array<tensor<3xf32>>
  func.return
}

// -----

func.func @not_an_array(%t: tensor<9xf32>) {
  // CHECK: error: expected a !dcf.array type, got tensor<f32>
  %r = dcf.array_unstack %t : tensor<9xf32> -> tensor<f32>
  func.return
}

// -----

func.func @size_type(%a: !dcf.array<tensor<f32>>) {
  // CHECK: error: 'dcf.array_size' op expected a result of type tensor<i32>, got tensor<i64>
  %r = dcf.array_size %a : !dcf.array<tensor<f32>> -> tensor<i64>
  func.return
}

// -----

func.func @zeros_without_shape(%a: !dcf.array<tensor<?xf32>, grad>, %i: tensor<i32>) {
  // CHECK: error: 'dcf.array_read' op expected a gradient array with elements of static shape to read zeros, got !dcf.array<tensor<?xf32>, grad>
  %r = dcf.array_read %a, %i : !dcf.array<tensor<?xf32>, grad>, tensor<i32>
  func.return
}

// -----

func.func @stacked_zeros_without_shape(%a: !dcf.array<tensor<?xf32>, grad>) {
  // CHECK: error: 'dcf.array_stack' op expected a gradient array with elements of static shape to read zeros, got !dcf.array<tensor<?xf32>, grad>
  %r = dcf.array_stack %a : !dcf.array<tensor<?xf32>, grad> -> tensor<?x?xf32>
  func.return
}

// -----

// CHECK: error: expected floating-point elements in a gradient array, got tensor<i32>
func.func private @integers(!dcf.array<tensor<i32>, grad>)

// -----

// CHECK: error: expected a tensor type for the elements, got f32
func.func private @elements(!dcf.array<f32>)

// -----

func.func @captured_write(%p: tensor<i1>, %a: !dcf.array<tensor<f32>>, %i: tensor<i32>, %v: tensor<f32>) {
  dcf.while () cond {
    dcf.condition %p
  } do {
    // CHECK: error: 'dcf.array_write' op expected dcf.array_write to change an array that dcf.while carries, got one captured from outside the loop
    %r = dcf.array_write %a, %i, %v : !dcf.array<tensor<f32>>, tensor<i32>
    dcf.yield
  }
  func.return
}
