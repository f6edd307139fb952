// RUN: %roundtrip %s | filecheck %s

// Without values, what follows may begin with names as operands do.

// CHECK-LABEL: func.func @probes
func.func @probes(%a: tensor<f32>, %s: !dcf.stack<tensor<f32>>, %p: tensor<i1>) -> tensor<f32> {
  // CHECK: dcf.probe "one" %a : tensor<f32>
  dcf.probe "one" %a : tensor<f32>
  // CHECK-NEXT: dcf.probe "two \22words\22" %a, %s {note} : tensor<f32>, !dcf.stack<tensor<f32>>
  dcf.probe "two \22words\22" %a, %s {note} : tensor<f32>, !dcf.stack<tensor<f32>>
  // CHECK-NEXT: dcf.probe "none"
  dcf.probe "none"
  // CHECK-NEXT: %r = dcf.stop_gradient %a : tensor<f32>
  %r = dcf.stop_gradient %a : tensor<f32>
  // CHECK-NEXT: dcf.probe "none"
  dcf.probe "none"
  // CHECK-NEXT: %t, %v = dcf.stack_pop %s : !dcf.stack<tensor<f32>>
  %t, %v = dcf.stack_pop %s : !dcf.stack<tensor<f32>>
  // CHECK-NEXT: dcf.probe "none"
  dcf.probe "none"
  // CHECK-NEXT: %w:2 = dcf.cond
  %w:2 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<f32>) then {
    dcf.yield %v, %v : tensor<f32>, tensor<f32>
  } else {
    dcf.yield %v, %v : tensor<f32>, tensor<f32>
  }
  // CHECK: dcf.probe "none" {note}
  dcf.probe "none" {note}
  func.return %r : tensor<f32>
}
