// RUN: %roundtrip %s | filecheck %s

// compare keeps its type; select and clamp print short when types agree.

// CHECK: func.func @compare
func.func @compare(%x: tensor<2xf32>, %i: tensor<i32>, %b: tensor<i1>) {
  // CHECK: stablehlo.compare LT, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %0 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare EQ, %x, %x, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.compare EQ, %x, %x, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare GE, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.compare GE, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: stablehlo.compare NE, %b, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %3 = stablehlo.compare NE, %b, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // CHECK: stablehlo.compare LE, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %4 = stablehlo.compare LE, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare GT, %x, %x {a = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %5 = stablehlo.compare GT, %x, %x {a = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return
}

// CHECK: func.func @select
func.func @select(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.select %p, %x, %x : tensor<i1>, tensor<2xf32>
  %0 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<2xf32>
  // CHECK: stablehlo.select %q, %x, %x : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %q, %x, %x : tensor<2xi1>, tensor<2xf32>
  // CHECK: stablehlo.select %q, %x, %d : (tensor<2xi1>, tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  %2 = stablehlo.select %q, %x, %d : (tensor<2xi1>, tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  func.return
}

// CHECK: func.func @clamp
func.func @clamp(%l: tensor<f32>, %x: tensor<2xf32>) {
  // CHECK: stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: stablehlo.clamp %x, %x, %x : tensor<2xf32>
  %1 = stablehlo.clamp %x, %x, %x : tensor<2xf32>
  func.return
}
