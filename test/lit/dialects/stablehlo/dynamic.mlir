// RUN: %roundtrip %s | filecheck %s

// Ops whose shapes are computed at run time.

// CHECK: func.func @dynamic
func.func @dynamic(%x: tensor<?xf32>, %s: tensor<2xi32>, %one: tensor<1xindex>, %n: tensor<i32>, %v: tensor<f32>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_iota %one, dim = 0 : (tensor<1xindex>) -> tensor<?xi32>
  %1 = stablehlo.dynamic_iota %one, dim = 0 : (tensor<1xindex>) -> tensor<?xi32>
  // CHECK: stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_pad %x, %v, %one, %one, %one : (tensor<?xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  %3 = stablehlo.dynamic_pad %x, %v, %one, %one, %one : (tensor<?xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  // CHECK: stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %4 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  // CHECK: stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %5 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  // CHECK: stablehlo.real_dynamic_slice %x, %one, %one, %one : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  %6 = stablehlo.real_dynamic_slice %x, %one, %one, %one : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  func.return
}

// CHECK: func.func @gather
func.func @gather(%x: tensor<?x3xf32>, %i: tensor<2x1xi32>, %s: tensor<2xi32>) {
  // CHECK: "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  func.return
}
