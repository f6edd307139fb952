// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected a name such as my_namespace.my_op, got 'op' (composite_c1)
func.func private @f(%y: tensor<2xf32>) -> tensor<2xf32> {
  func.return %y : tensor<2xf32>
}
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.composite "op" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a decomposition, got @f, which is not a function of the module (composite_c2)
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.composite "my.op" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected operand 0 of type tensor<2xf32>, as the decomposition has, got tensor<3xf32> (composite_c3)
func.func private @f(%y: tensor<2xf32>) -> tensor<2xf32> {
  func.return %y : tensor<2xf32>
}
func.func @invalid(%x: tensor<3xf32>) {
  %0 = stablehlo.composite "my.op" %x {decomposition = @f} : (tensor<3xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected 1 operands, as the decomposition has, got 2 (composite_c3)
func.func private @f(%y: tensor<2xf32>) -> tensor<2xf32> {
  func.return %y : tensor<2xf32>
}
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.composite "my.op" %x, %x {decomposition = @f} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result 0 of type tensor<2xf32>, as the decomposition has, got tensor<3xf32> (composite_c4)
func.func private @f(%y: tensor<2xf32>) -> tensor<2xf32> {
  func.return %y : tensor<2xf32>
}
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.composite "my.op" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected layouts for both operands and results, or none, got operand_layouts alone
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected 1 operand layouts, got 0
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected result layout 0 to be a permutation of [0], got [1]
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<1> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected operand layout 0 as a list of dimensions, got 1 : i64
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [1 : i64], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected the operand_index of an alias in [0, 1), got 1
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected each of output_tuple_indices in [0, 0), got 0
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected the aliased part of the output of type tensor<2xf32>, got tensor<3xf32>
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

// CHECK: expected a dictionary as backend_config of this api_version, got ""
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = ""} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

// CHECK: expected a string as backend_config of this api_version, got {}
func.func @invalid(%x: tensor<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) {backend_config = {}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}
