// RUN: anabranch-opt %s -p assign-devices --split-input-file --verify-diagnostics | filecheck %s

func.func @split(%x: tensor<f32>) -> tensor<f32> {
  %s = dcf.stack_new {plan.device = "cpu:0"} : !dcf.stack<tensor<f32>>
  // CHECK: invalid.mlir:[[# @LINE + 1]]:3: error: expected all that handles one stack on one device, got 'dcf.stack_push' ({{.*}}:[[# @LINE + 1]]:3) on "cpu:1" and 'dcf.stack_new' ({{.*}}:[[# @LINE - 1]]:3) on "cpu:0"
  %t = dcf.stack_push %s, %x {plan.device = "cpu:1"} : !dcf.stack<tensor<f32>>
  %r, %y = dcf.stack_pop %t : !dcf.stack<tensor<f32>>
  return %y : tensor<f32>
}

// -----

func.func @argument(%a: !dcf.array<tensor<f32>> {plan.device = "cpu:0"}) -> (!dcf.array<tensor<f32>> {plan.device = "cpu:1"}) {
  // CHECK: error: expected all that handles one array on one device, got result 0 on "cpu:1" and argument 0 on "cpu:0"
  return %a : !dcf.array<tensor<f32>>
}

// -----

plan.topology @one { plan.device "cpu:0" }
func.func @unknown(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: invalid.mlir:[[# @LINE + 1]]:3: error: expected one of the devices "cpu:0", got "cpu:1"
  %y = stablehlo.sine %x {plan.device = "cpu:1"} : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @number(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: invalid.mlir:[[# @LINE + 1]]:3: error: expected plan.device to be the name of a device such as "cpu:1", got 1 : i64
  %y = stablehlo.sine %x {plan.device = 1 : i64} : tensor<f32>
  return %y : tensor<f32>
}

// -----

plan.topology @one { plan.device "cpu:0" }
// CHECK: error: expected one plan.topology in a module, got 2
plan.topology @two { plan.device "cpu:0" }

// -----

func.func @source(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // CHECK: error: expected a structured program (dcf) to place, got 'stablehlo.if': run convert-stablehlo-to-dcf first
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
