// RUN: %roundtrip %s | filecheck %s

// CHECK-LABEL: func.func @arrays
func.func @arrays(%n: tensor<i32>, %i: tensor<i64>, %v: tensor<2xf32>, %t: tensor<9x2xf32>) -> tensor<i32> {
  // CHECK: %a0 = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<2xf32>>
  %a0 = dcf.array_new %n : tensor<i32> -> !dcf.array<tensor<2xf32>>
  // CHECK: %a1 = dcf.array_write %a0, %i, %v : !dcf.array<tensor<2xf32>>, tensor<i64>
  %a1 = dcf.array_write %a0, %i, %v : !dcf.array<tensor<2xf32>>, tensor<i64>
  // CHECK: %w = dcf.array_read %a1, %i : !dcf.array<tensor<2xf32>>, tensor<i64>
  %w = dcf.array_read %a1, %i : !dcf.array<tensor<2xf32>>, tensor<i64>
  // CHECK: %all = dcf.array_stack %a1 : !dcf.array<tensor<2xf32>> -> tensor<?x2xf32>
  %all = dcf.array_stack %a1 : !dcf.array<tensor<2xf32>> -> tensor<?x2xf32>
  // CHECK: %nine = dcf.array_stack %a1 {note} : !dcf.array<tensor<2xf32>> -> tensor<9x2xf32>
  %nine = dcf.array_stack %a1 {note} : !dcf.array<tensor<2xf32>> -> tensor<9x2xf32>
  // CHECK: %rows = dcf.array_unstack %t : tensor<9x2xf32> -> !dcf.array<tensor<2xf32>>
  %rows = dcf.array_unstack %t : tensor<9x2xf32> -> !dcf.array<tensor<2xf32>>
  // CHECK: %size = dcf.array_size %a1 : !dcf.array<tensor<2xf32>> -> tensor<i32>
  %size = dcf.array_size %a1 : !dcf.array<tensor<2xf32>> -> tensor<i32>
  func.return %size : tensor<i32>
}

// CHECK-LABEL: func.func @gradient_array
// CHECK-SAME: !dcf.array<tensor<2xf32>, grad>
func.func @gradient_array(%a: !dcf.array<tensor<2xf32>, grad>, %i: tensor<i32>) -> tensor<2xf32> {
  // CHECK: dcf.array_read %a, %i {note} : !dcf.array<tensor<2xf32>, grad>, tensor<i32>
  %v = dcf.array_read %a, %i {note} : !dcf.array<tensor<2xf32>, grad>, tensor<i32>
  func.return %v : tensor<2xf32>
}
