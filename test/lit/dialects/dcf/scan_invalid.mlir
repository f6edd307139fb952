// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @leading_dimensions(%xs: tensor<9xf32>, %ys: tensor<8xf32>) {
  // CHECK: error: 'dcf.scan' op expected a leading dimension of 9 for input 1, as the first that is known, got tensor<8xf32>
  dcf.scan () ins(%x = %xs, %y = %ys : tensor<9xf32>, tensor<8xf32>) do {
    dcf.yield
  }
  func.return
}

// -----

func.func @scalar_input(%x: tensor<f32>) {
  // CHECK: error: expected a tensor with a leading dimension to scan, got tensor<f32>
  dcf.scan () ins(%row = %x : tensor<f32>) do {
    dcf.yield
  }
  func.return
}

// -----

func.func @scalar_buffer(%xs: tensor<9xf32>, %y: tensor<f32>) {
  // CHECK: error: 'dcf.scan' op expected buffer 0 to be a tensor with a leading dimension, got tensor<f32>
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%y : tensor<f32>) -> tensor<f32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @buffer_rows(%xs: tensor<9xf32>, %ys: tensor<8xf32>) {
  // CHECK: error: 'dcf.scan' op expected a leading dimension of 9 for buffer 0, as the first that is known, got tensor<8xf32>
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys : tensor<8xf32>) -> tensor<8xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @output_rows(%xs: tensor<9xf32>) {
  // CHECK: error: 'dcf.scan' op expected a leading dimension of 9, the number of trips, for output 0, got tensor<8xf32>
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) -> tensor<8xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @dynamic_output_rows(%xs: tensor<?xf32>) {
  // CHECK: error: 'dcf.scan' op expected a leading dimension of ?, the number of trips, for output 0, got tensor<8xf32>
  %r = dcf.scan () ins(%x = %xs : tensor<?xf32>) -> tensor<8xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @row_type(%xs: tensor<9xf32>) {
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) -> tensor<9x2xf32> do {
    // CHECK: scan_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.yield' op expected rows of type tensor<2xf32> for output 0 of type tensor<9x2xf32>, got a yielded tensor<f32>
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @output_is_its_buffer(%xs: tensor<9xf32>, %ys: tensor<9xi32>) {
  // CHECK: error: 'dcf.scan' op expected output 0 of type tensor<9xi32>, that of its buffer, got tensor<9xf32>
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys : tensor<9xi32>) -> tensor<9xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @buffer_count(%xs: tensor<9xf32>, %ys: tensor<9xf32>) {
  // CHECK: error: 'dcf.scan' op expected 1 output, got 2
  %r:2 = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys : tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) do {
    dcf.yield %x, %x : tensor<f32>, tensor<f32>
  }
  func.return
}

// -----

func.func @carry(%zero: tensor<f32>, %i: tensor<i32>) {
  %r = dcf.scan (%acc = %zero : tensor<f32>) length 3 -> tensor<f32> do {
    // CHECK: error: 'dcf.yield' op expected carried value 0 of type tensor<f32>, got a yielded tensor<i32>
    dcf.yield %i : tensor<i32>
  }
  func.return
}

// -----

func.func @carry_result(%zero: tensor<f32>) {
  // CHECK: error: 'dcf.scan' op expected result 0 of type tensor<f32>, that of the initial value, got tensor<f64>
  %r = dcf.scan (%acc = %zero : tensor<f32>) length 3 -> tensor<f64> do {
    dcf.yield %acc : tensor<f32>
  }
  func.return
}

// -----

func.func @too_few_results(%zero: tensor<f32>) {
  // CHECK: error: 'dcf.scan' op expected at least 1 results, one per carried value, got 0
  dcf.scan (%acc = %zero : tensor<f32>) length 3 do {
    dcf.yield %acc : tensor<f32>
  }
  func.return
}

// -----

func.func @yield_count(%zero: tensor<f32>) {
  %r = dcf.scan (%acc = %zero : tensor<f32>) length 3 -> tensor<f32> do {
    // CHECK: error: 'dcf.yield' op expected 1 yielded values, one per result, got 2
    dcf.yield %acc, %acc : tensor<f32>, tensor<f32>
  }
  func.return
}

// -----

func.func @body_argument(%xs: tensor<9xf32>) {
  // CHECK: error: 'dcf.scan' op expected body argument 0 of type tensor<f32>, that of the initial value or of a row of the input, got tensor<9xf32>
  "dcf.scan"(%xs) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({
  ^bb0(%x: tensor<9xf32>):
    "dcf.yield"() : () -> ()
  }) : (tensor<9xf32>) -> ()
  func.return
}

// -----

func.func @no_length(%zero: tensor<f32>) {
  // CHECK: error: 'dcf.scan' op expected inputs or a length, got neither
  %r = dcf.scan (%acc = %zero : tensor<f32>) -> tensor<f32> do {
    dcf.yield %acc : tensor<f32>
  }
  func.return
}

// -----

func.func @two_lengths(%n: tensor<i32>) {
  // CHECK: error: 'dcf.scan' op expected one length, got an operand and static_length
  dcf.scan () length %n : tensor<i32> do {
    dcf.yield
  } {static_length = 3 : i64}
  func.return
}

// -----

func.func @length_type(%n: tensor<2xi32>) {
  // CHECK: error: 'dcf.scan' op expected the length to be a scalar integer tensor, got tensor<2xi32>
  dcf.scan () length %n : tensor<2xi32> do {
    dcf.yield
  }
  func.return
}

// -----

func.func @length_needs_buffers(%n: tensor<i32>, %xs: tensor<9xf32>) {
  // CHECK: error: 'dcf.scan' op expected buffers (outs) for the outputs of a scan with a run-time length, got none
  %r = dcf.scan () ins(%x = %xs : tensor<9xf32>) length %n : tensor<i32> -> tensor<9xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return
}

// -----

func.func @negative_length() {
  // CHECK: error: 'dcf.scan' op static_length must be at least 0, got -1
  dcf.scan () length -1 do {
    dcf.yield
  }
  func.return
}

// -----

func.func @length_beyond_rows(%xs: tensor<9xf32>) {
  // CHECK: error: 'dcf.scan' op expected a length of at most 9, the rows there are, got 10
  dcf.scan () ins(%x = %xs : tensor<9xf32>) length 10 do {
    dcf.yield
  }
  func.return
}

// -----

func.func @window() {
  // CHECK: error: 'dcf.scan' op parallel_iterations must be at least 1, got 0
  dcf.scan () length 3 do {
    dcf.yield
  } {parallel_iterations = 0 : i64}
  func.return
}

// -----

func.func @policy() {
  // CHECK: error: 'dcf.scan' op expected residual_policy to be save, recompute, sqrt or treeverse:C with C >= 1, got "all"
  dcf.scan () length 3 do {
    dcf.yield
  } {residual_policy = "all"}
  func.return
}

// -----

func.func @terminator(%p: tensor<i1>) {
  dcf.scan () length 3 do {
    // CHECK: error: 'dcf.condition' op expected the body region to end in dcf.yield, got dcf.condition
    dcf.condition %p
  }
  func.return
}
