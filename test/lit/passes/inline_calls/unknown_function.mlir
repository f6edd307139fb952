// RUN: anabranch-opt %s -p 'inline-calls{function=mian}' --verify-diagnostics | filecheck %s

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  func.return %x : tensor<f32>
}
// CHECK: inline-calls: expected the name of a function of the module, got 'mian' (functions: @main)
