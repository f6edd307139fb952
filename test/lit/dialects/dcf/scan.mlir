// RUN: %roundtrip %s | filecheck %s

// CHECK-LABEL: func.func @carry_input_output
func.func @carry_input_output(%zero: tensor<f32>, %xs: tensor<9x2xf32>) -> (tensor<f32>, tensor<9x2xf32>) {
  // CHECK: %sum, %ys = dcf.scan "s" (%acc = %zero : tensor<f32>) ins(%x = %xs : tensor<9x2xf32>) -> (tensor<f32>, tensor<9x2xf32>) do {
  // CHECK-NEXT: dcf.yield %acc, %x : tensor<f32>, tensor<2xf32>
  // CHECK-NEXT: } {note, parallel_iterations = 4 : i64, residual_policy = "sqrt", reverse}
  %sum, %ys = dcf.scan "s" (%acc = %zero : tensor<f32>) ins(%x = %xs : tensor<9x2xf32>) -> (tensor<f32>, tensor<9x2xf32>) do {
    dcf.yield %acc, %x : tensor<f32>, tensor<2xf32>
  } {note, parallel_iterations = 4 : i64, residual_policy = "sqrt", reverse}
  func.return %sum, %ys : tensor<f32>, tensor<9x2xf32>
}

// CHECK-LABEL: func.func @run_time_length
func.func @run_time_length(%xs: tensor<9xf32>, %ys0: tensor<9xf32>, %zs0: tensor<9xi32>, %n: tensor<i32>) {
  // CHECK: %ys, %zs = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys0, %zs0 : tensor<9xf32>, tensor<9xi32>) length %n : tensor<i32> -> (tensor<9xf32>, tensor<9xi32>) do {
  %ys, %zs = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys0, %zs0 : tensor<9xf32>, tensor<9xi32>) length %n : tensor<i32> -> (tensor<9xf32>, tensor<9xi32>) do {
    dcf.yield %x, %n : tensor<f32>, tensor<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @static_length
func.func @static_length(%zero: tensor<f32>, %ys0: tensor<9xf32>) {
  // CHECK: %last = dcf.scan (%acc = %zero : tensor<f32>) length 5 -> tensor<f32> do {
  %last = dcf.scan (%acc = %zero : tensor<f32>) length 5 -> tensor<f32> do {
    dcf.yield %acc : tensor<f32>
  }
  // CHECK: dcf.scan () length 5 -> tensor<5xf32> do {
  %map = dcf.scan () length 5 -> tensor<5xf32> do {
    dcf.yield %zero : tensor<f32>
  }
  // Rows that no trip writes keep the buffer's.
  // CHECK: dcf.scan () outs(%ys0 : tensor<9xf32>) length 5 -> tensor<9xf32> do {
  %part = dcf.scan () outs(%ys0 : tensor<9xf32>) length 5 -> tensor<9xf32> do {
    dcf.yield %zero : tensor<f32>
  }
  // CHECK: dcf.scan () length 0 do {
  dcf.scan () length 0 do {
    dcf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @dynamic_rows
func.func @dynamic_rows(%xs: tensor<?x2xf32>, %ys: tensor<?xf32>) {
  // CHECK: dcf.scan () ins(%x = %xs, %y = %ys : tensor<?x2xf32>, tensor<?xf32>) -> tensor<?x2xf32> do {
  %r = dcf.scan () ins(%x = %xs, %y = %ys : tensor<?x2xf32>, tensor<?xf32>) -> tensor<?x2xf32> do {
    dcf.yield %x : tensor<2xf32>
  }
  func.return
}
