// RUN: anabranch-opt %s -p partition-devices --split-input-file --verify-diagnostics | filecheck %s

func.func @unplaced(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: expected a device on every op, got none on 'stablehlo.sine': run assign-devices first
  %y = stablehlo.sine %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @split_stack(%x: tensor<f32>) -> (tensor<f32> {plan.device = "cpu:0"}) {
  %s = dcf.stack_new {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  // CHECK: expected all ops of one stack on one device, got 'dcf.stack_push' on "cpu:0" and 'dcf.stack_new' ({{.*}}invalid.mlir:{{[0-9]+}}:3) on "cpu:1"
  %t = dcf.stack_push %s, %x {plan.device = "cpu:0"} : !dcf.stack<tensor<f32>>
  %u, %y = dcf.stack_pop %t {plan.device = "cpu:0"} : !dcf.stack<tensor<f32>>
  return %y : tensor<f32>
}

// -----

func.func @scan(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: expected loops in while form to split over devices, got 'dcf.scan': run expand-scan first
  %y = dcf.scan () ins(%row = %x : tensor<3xf32>) -> tensor<3xf32> do {
    dcf.yield %row : tensor<f32>
  }
  return %y : tensor<3xf32>
}
