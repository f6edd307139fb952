// RUN: anabranch-opt %s -p 'inline-calls{function=main}' | filecheck %s

// With `function`, calls in other functions that it does not call stay.

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @twice(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func @other(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @twice(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @twice(%y: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %y, %y : tensor<f32>
  func.return %s : tensor<f32>
}

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    stablehlo.add %x, %x
// CHECK-LABEL: func.func @other
// CHECK-NEXT:    call @twice(%x)
// CHECK-LABEL: func.func private @twice
