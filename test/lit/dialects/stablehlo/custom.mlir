// RUN: %roundtrip %s | filecheck %s

// Custom calls, composites and tuples.

// CHECK: func.func @calls
func.func @calls(%x: tensor<2xf32>) {
  // CHECK: stablehlo.custom_call @target(%x) {backend_config = "", has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.custom_call @target(%x) {backend_config = "", has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.custom_call @"not-an-id"(%x, %x) {api_version = 4 : i32, backend_config = {a = 1 : i64}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @"not-an-id"(%x, %x) {api_version = 4 : i32, backend_config = {a = 1 : i64}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)
  // CHECK: stablehlo.custom_call @nothing() : () -> ()
  stablehlo.custom_call @nothing() : () -> ()
  // CHECK: stablehlo.composite "my.sine" %x {composite_attributes = {a = 1 : i32}, decomposition = @sine, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.composite "my.sine" %x {composite_attributes = {a = 1 : i32}, decomposition = @sine, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// CHECK: func.func private @sine
func.func private @sine(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.sine %x : tensor<2xf32>
  %0 = stablehlo.sine %x : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: func.func @tuples
func.func @tuples(%x: tensor<2xf32>, %i: tensor<i32>) {
  // CHECK: stablehlo.tuple %x, %i : tuple<tensor<2xf32>, tensor<i32>>
  %0 = stablehlo.tuple %x, %i : tuple<tensor<2xf32>, tensor<i32>>
  // CHECK: stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: stablehlo.tuple : tuple<>
  %2 = stablehlo.tuple : tuple<>
  func.return
}
