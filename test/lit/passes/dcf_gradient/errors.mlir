// What has no derivative is told with its place and with the way from the argument to the result.
// RUN: not anabranch-opt %s -p dcf-gradient 2>&1 | filecheck %s
// RUN: not anabranch-opt %s -p 'dcf-gradient{mode=forward}' 2>&1 | filecheck %s
// RUN: not anabranch-opt %s -p 'dcf-gradient{policy=recompute}' 2>&1 | filecheck %s
// RUN: not anabranch-opt %s -p 'dcf-gradient{wrt=1}' 2>&1 | filecheck %s --check-prefix INTEGER
// RUN: not anabranch-opt %s -p 'dcf-gradient{wrt=0,2}' 2>&1 | filecheck %s --check-prefix ARGUMENT
// RUN: not anabranch-opt %s -p 'dcf-gradient{wrt=0,0}' 2>&1 | filecheck %s --check-prefix TWICE
// RUN: not anabranch-opt %s -p 'dcf-gradient{of=2}' 2>&1 | filecheck %s --check-prefix RESULT
// RUN: not anabranch-opt %s -p 'dcf-gradient{of=1}' 2>&1 | filecheck %s --check-prefix FLOAT
// RUN: not anabranch-opt %s -p 'dcf-gradient{function=f}' 2>&1 | filecheck %s --check-prefix NAME
// RUN: not anabranch-opt %s -p 'dcf-gradient{mode=both}' 2>&1 | filecheck %s --check-prefix MODE
// RUN: not anabranch-opt %s -p 'dcf-gradient{policy=tree}' 2>&1 | filecheck %s --check-prefix POLICY

// CHECK: errors.mlir:{{.*}}:5: error: 'chlo.next_after' has no derivative: a step to the next float has no useful slope; its derivative is needed on the path argument 0 (%x) -> stablehlo.exponential -> dcf.while "w" -> chlo.next_after -> stablehlo.sine -> dcf.while "w" -> result 0 of @main
// INTEGER: errors.mlir:{{.*}}: error: expected argument 1 of @main to be floating-point to differentiate by it, got tensor<i32>
// ARGUMENT: errors.mlir:{{.*}}: error: expected in wrt numbers of arguments of @main, below 2, got 2
// TWICE: errors.mlir:{{.*}}: error: expected each argument once in wrt, got 0 twice
// RESULT: errors.mlir:{{.*}}: error: expected in of the number of a result of @main, below 2, got 2
// FLOAT: errors.mlir:{{.*}}: error: expected result 1 of @main to be a real floating-point tensor to differentiate, got tensor<i32>
// NAME: error: expected a function @f
// MODE: anabranch-opt: error: wrong options for pass 'dcf-gradient': expected mode reverse or forward, got both
// POLICY: anabranch-opt: error: wrong options for pass 'dcf-gradient': expected residual_policy to be save, recompute, sqrt or treeverse:C with C >= 1, got "tree"
func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.exponential %x : tensor<f32>
  %r:2 = dcf.while "w" (%i = %z, %a = %y : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %b = chlo.next_after %a, %one : tensor<f32>, tensor<f32> -> tensor<f32>
    %c = stablehlo.sine %b : tensor<f32>
    dcf.yield %i, %c : tensor<i32>, tensor<f32>
  }
  return %r#1, %n : tensor<f32>, tensor<i32>
}
