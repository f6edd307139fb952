// RUN: anabranch-opt %s -p inline-calls --split-input-file --verify-diagnostics | filecheck %s

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @main(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
// CHECK: expected calls without recursion, got @main -> @main

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @g(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
// CHECK: expected calls without recursion, got @f -> @g -> @f

// -----

func.func private @outside(tensor<f32>) -> tensor<f32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @outside(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
// CHECK: expected a call of a function with a body, got the declaration @outside
