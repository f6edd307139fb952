// RUN: anabranch-opt %s | filecheck %s
// RUN: anabranch-opt %s | anabranch-opt | filecheck %s

// The regions' arguments have other names in the generic form: the text takes those of the first.

// CHECK-LABEL: func.func @generic
func.func @generic(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // CHECK: %r = dcf.while (%first = %x : tensor<f32>) cond {
  // CHECK-NEXT: dcf.probe "c" %first : tensor<f32>
  // CHECK: dcf.yield %first : tensor<f32>
  %r = "dcf.while"(%x) ({
  ^bb0(%first: tensor<f32>):
    "dcf.probe"(%first) <{label = "c"}> : (tensor<f32>) -> ()
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%second: tensor<f32>):
    "dcf.yield"(%second) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  // CHECK: dcf.while (%named = %x : tensor<f32>) cond {
  %s = "dcf.while"(%x) ({
  ^bb0(%0: tensor<f32>):
    "dcf.condition"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%named: tensor<f32>):
    "dcf.yield"(%named) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
