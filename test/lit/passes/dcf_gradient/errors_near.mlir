// RUN: not anabranch-opt %s -p 'dcf-gradient{function=function}' 2>&1 | filecheck %s

// An op of a library has no line of the user's program, but what uses its result has. What a lambda
// is called says nothing to its author.

// CHECK: errors_near.mlir:8:3: error: 'chlo.next_after' has no derivative: a step to the next float has no useful slope; its derivative is needed on the path argument 0 (%x) -> chlo.next_after -> stablehlo.sine -> result 0, near model.py:3:4 (sin) [next_after]
func.func @function(%x: tensor<f32>) -> tensor<f32> {
  %0 = chlo.next_after %x, %x : tensor<f32>, tensor<f32> -> tensor<f32> loc("next_after")
  %1 = stablehlo.sine %0 : tensor<f32> loc("sin"("model.py":3:4))
  return %1 : tensor<f32>
}
