// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected each of index in [0, 1), got 1 (get_tuple_element_c1)
func.func @invalid(%t: tuple<tensor<f32>>) {
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  func.return
}

// -----

// CHECK: expected result of type tensor<f32>, got tensor<i32> (get_tuple_element_c2)
func.func @invalid(%t: tuple<tensor<f32>>) {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>>) -> tensor<i32>
  func.return
}

// -----

// CHECK: expected result of type tuple<tensor<f32>>, got tuple<tensor<i32>> (tuple_c1)
func.func @invalid(%x: tensor<f32>) {
  %0 = "stablehlo.tuple"(%x) : (tensor<f32>) -> tuple<tensor<i32>>
  func.return
}
