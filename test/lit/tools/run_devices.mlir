// --devices and --assign place and split a program; results and gradients are the same wherever it runs.
// RUN: %python -c "import numpy as n; n.savez('%t.npz', arg0=n.float32(7), arg1=n.float32(1))"
// RUN: anabranch-run %s --inputs %t.npz --grad | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --devices 1 --assign auto | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --devices 3 | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --devices 3 --assign random:1 | filecheck %s
// RUN: anabranch-run %s --inputs %t.npz --grad --devices 5 --assign random:2 --no-fuse | filecheck %s
// RUN: printf 'layer/div -> cpu:1\narg0 -> cpu:1\n' > %t.rules
// RUN: anabranch-run %s --inputs %t.npz --grad --assign %t.rules --report-devices > %t.out 2> %t.err
// RUN: filecheck %s < %t.out
// RUN: filecheck %s --check-prefix=TABLE < %t.err
// RUN: not anabranch-run %s --inputs %t.npz --devices 1 --assign %t.rules 2>&1 | filecheck %s --check-prefix=FEW
// RUN: not anabranch-run %s --inputs %t.npz --devices 2 --assign no.rules 2>&1 | filecheck %s --check-prefix=FILE

// CHECK:      out0 = 2.6457672 : tensor<f32>
// CHECK-NEXT: grad_arg0 = 0.1889992 : tensor<f32>
// CHECK-NEXT: grad_arg1 = -0.00022200184 : tensor<f32>

// TABLE: @main.grad
// TABLE: argument 0 cpu:1 rule arg0 ({{.*}}.rules:2)
// TABLE: stablehlo.divide cpu:1 rule layer/div ({{.*}}.rules:1)
// TABLE: dcf.stack_push cpu:1 its stack: rule layer/div {{.*}} jit(newton)/while/body/layer/div

// FEW: .rules:1: error: expected one of the devices cpu:0, got cpu:1
// FILE: no.rules: error: cannot read the rules: No such file or directory
func.func @main(%a: tensor<f32>, %x0: tensor<f32> {plan.device = "cpu:0"}) -> tensor<f32> {
  %r = stablehlo.while(%x = %x0) : tensor<f32>
  cond {
    %s = stablehlo.multiply %x, %x : tensor<f32>
    %d = stablehlo.subtract %s, %a : tensor<f32>
    %e = stablehlo.abs %d : tensor<f32>
    %tolerance = stablehlo.constant dense<1.0e-3> : tensor<f32>
    %far = stablehlo.compare GT, %e, %tolerance, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %far : tensor<i1>
  } do {
    %q = stablehlo.divide %a, %x : tensor<f32> loc("jit(newton)/while/body/layer/div")
    %t = stablehlo.add %x, %q : tensor<f32>
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %y = stablehlo.multiply %half, %t : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }
  return %r : tensor<f32>
}
