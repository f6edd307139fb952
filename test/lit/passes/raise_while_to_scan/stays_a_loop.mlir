// RUN: anabranch-opt %s -p raise-while-to-scan --split-input-file | filecheck %s

// x[i] = f(x[i - 1]): the written array is read at another row.

func.func @recurrence(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %x = stablehlo.dynamic_slice %y, %j, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @recurrence
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A write to the next row.

func.func @next_row(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %i1 = stablehlo.add %i, %one : tensor<i32>
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i1 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @next_row
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// Steps of two.

func.func @steps_of_two(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %two : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @steps_of_two
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A start other than 0.

func.func @from_one(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %one, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @from_one
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A start that is not a constant.

func.func @from_unknown(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %n, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @from_unknown
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A counter that goes down.

func.func @downwards(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %four, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.subtract %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @downwards
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A condition other than i < n.

func.func @up_to(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LE, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @up_to
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A condition that asks for more.

func.func @conjunction(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %below = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = stablehlo.and %below, %p : tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @conjunction
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// The written array is read as a whole.

func.func @read_elsewhere(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %all = stablehlo.add %y, %ys : tensor<4xf32>
    %v = stablehlo.dynamic_slice %all, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %w = stablehlo.add %x, %v : tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %w, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// The row is read again after the write.

func.func @read_after_write(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y0 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %v = stablehlo.dynamic_slice %y0, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y0, %v, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @read_after_write
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// Two writes per trip.

func.func @two_writes(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y0 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %y1 = stablehlo.dynamic_update_slice %y0, %x, %zero : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @two_writes
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A write on some trips only.

func.func @conditional_write(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = dcf.cond %p : tensor<i1> -> tensor<4xf32> then {
      %y2 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      dcf.yield %y2 : tensor<4xf32>
    } else {
      dcf.yield %y : tensor<4xf32>
    }
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @conditional_write
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A write of two rows.

func.func @two_rows(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @two_rows
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// n - 1 - i where n is not a constant.

func.func @unknown_reverse(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %m = stablehlo.subtract %n, %i : tensor<i32>
    %k = stablehlo.subtract %m, %one : tensor<i32>
    %x = stablehlo.dynamic_slice %xs, %k, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %k : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @unknown_reverse
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// N - 1 - i with fewer trips than N.

func.func @other_reverse(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %m = stablehlo.subtract %four, %i : tensor<i32>
    %k = stablehlo.subtract %m, %one : tensor<i32>
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %k : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @other_reverse
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A scatter that adds to what is there.

func.func @adding_scatter(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %v = stablehlo.reshape %x : (tensor<1xf32>) -> tensor<f32>
    %k = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %y1 = "stablehlo.scatter"(%y, %k, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      %sum = stablehlo.add %old, %new : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  }
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @adding_scatter
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A promise about the trips that the loop has to check.

func.func @promise(%n: tensor<i32>, %p: tensor<i1>, %xs: tensor<4xf32>, %ys: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %y = %ys : tensor<i32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1 : tensor<i32>, tensor<4xf32>
  } {trip_bound = 3 : i64}
  func.return %r#1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @promise
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// Carries that change places: each is written into the other's.

func.func @swapped(%as: tensor<4xf32>, %bs: tensor<4xf32>, %x: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = dcf.while (%i = %zero, %a = %as, %b = %bs : tensor<i32>, tensor<4xf32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %a1 = stablehlo.dynamic_update_slice %a, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %b1 = stablehlo.dynamic_update_slice %b, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %b1, %a1 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  func.return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @swapped
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// Aliasing carries: the written array is also carried on in a second place.

func.func @aliased(%as: tensor<4xf32>, %x: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = dcf.while (%i = %zero, %a = %as, %b = %as : tensor<i32>, tensor<4xf32>, tensor<4xf32>) cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %a1 = stablehlo.dynamic_update_slice %a, %x, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %a1, %a : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  func.return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @aliased
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A bound that changes from trip to trip.

func.func @moving_bound(%n: tensor<i32>, %xs: tensor<4xf32>, %a: tensor<1xf32>) -> tensor<1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = dcf.while (%i = %zero, %m = %n, %b = %a : tensor<i32>, tensor<i32>, tensor<1xf32>) cond {
    %more = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %x = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %m1 = stablehlo.minimum %m, %four : tensor<i32>
    %b1 = stablehlo.add %b, %x : tensor<1xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %m1, %b1 : tensor<i32>, tensor<i32>, tensor<1xf32>
  }
  func.return %r#2 : tensor<1xf32>
}
// CHECK-LABEL: func.func @moving_bound
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan

// -----

// A run-time number of trips and no array that bounds it.

func.func @unbounded(%n: tensor<i32>, %a: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = dcf.while (%i = %zero, %b = %a : tensor<i32>, tensor<f32>) cond {
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %b1 = stablehlo.add %b, %b : tensor<f32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %b1 : tensor<i32>, tensor<f32>
  }
  func.return %r#1 : tensor<f32>
}
// CHECK-LABEL: func.func @unbounded
// CHECK-NOT:     dcf.scan
// CHECK:         dcf.while
// CHECK-NOT:     dcf.scan
