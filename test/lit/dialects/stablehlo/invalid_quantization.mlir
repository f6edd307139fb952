// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: expected all or none of lhs, rhs and result quantized, got !quant.uniform<i8:f32, 5.000000e-01>, f32, !quant.uniform<i8:f32, 5.000000e-01> (add_c2)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x3xf32>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs stored as i8, got i16 (add_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x3x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x3x!quant.uniform<i16:f32, 5.000000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs that expresses f32, got f64 (add_c4)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x3x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x3x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result quantized per-axis if and only if an operand is, got !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}> (add_c5)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected result quantized along dimension 1, got 0 (add_c6)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %y: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected result quantized along dimension 1, got 0 (add_c7)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %y: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected result of !quant.uniform<i8:f32, 5.000000e-01> elements, got !quant.uniform<i8:f32, 2.500000e-01> (broadcast_in_dim_c1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x3x!quant.uniform<i8:f32, 2.500000e-01>>
  func.return
}

// -----

// CHECK: expected operand and result both quantized per-axis or neither, got !quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}> (broadcast_in_dim_c1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected result quantized along the dimension that the operand's becomes, got 1 (broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<2x3x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected scales and zero points [(0.5, 0), (0.25, 0), (0.1, 0)], got [(0.5, 0), (0.25, 0), (0.2, 0)] (broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<2x3x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,2.000000e-01}>>
  func.return
}

// -----

// CHECK: expected scales and zero points [(0.5, 0), (0.5, 0), (0.5, 0)], got [(0.5, 0), (0.25, 0), (0.1, 0)] (broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x1x!quant.uniform<i8:f32:1, {5.000000e-01}>>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x1x!quant.uniform<i8:f32:1, {5.000000e-01}>>) -> tensor<2x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected result of !quant.uniform<i8:f32, 5.000000e-01> elements, got !quant.uniform<i8:f32, 2.500000e-01> (dynamic_broadcast_in_dim_c1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3xi32>) -> tensor<2x2x3x!quant.uniform<i8:f32, 2.500000e-01>>
  func.return
}

// -----

// CHECK: expected operand and result both quantized per-axis or neither, got !quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}> (dynamic_broadcast_in_dim_c1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3xi32>) -> tensor<2x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected result quantized along the dimension that the operand's becomes, got 1 (dynamic_broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<3xi32>) -> tensor<2x3x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected scales and zero points [(0.5, 0), (0.25, 0), (0.1, 0)], got [(0.5, 0), (0.25, 0), (0.2, 0)] (dynamic_broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<3xi32>) -> tensor<2x3x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,2.000000e-01}>>
  func.return
}

// -----

// CHECK: expected scales and zero points [(0.5, 0), (0.5, 0), (0.5, 0)], got [(0.5, 0), (0.25, 0), (0.1, 0)] (dynamic_broadcast_in_dim_c6)
func.func @invalid(%x: tensor<2x1x!quant.uniform<i8:f32:1, {5.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<2x1x!quant.uniform<i8:f32:1, {5.000000e-01}>>, tensor<3xi32>) -> tensor<2x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected sizes before the quantized dimension of 2 elements, got 1 (reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<3x2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected sizes before the quantized dimension of 2 elements, got 3 (reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<3x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected operand and result both quantized per-axis or neither, got !quant.uniform<i8:f32, 5.000000e-01> (reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<2x3x1x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected sizes before the quantized dimension of 2 elements, got 1 (dynamic_reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<3xi32>) -> tensor<3x2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected sizes before the quantized dimension of 2 elements, got 3 (dynamic_reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<3xi32>) -> tensor<3x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected operand and result both quantized per-axis or neither, got !quant.uniform<i8:f32, 5.000000e-01> (dynamic_reshape_c3)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, %s: tensor<3xi32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>, tensor<3xi32>) -> tensor<2x3x1x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected operand quantized along dimension 0, got 1 (transpose_c4)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [3, 2] (uniform_quantize_c1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result that expresses f32, got f64 (uniform_quantize_c2)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f64, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result that expresses f32, got f64 (uniform_quantize_c2)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x3x!quant.uniform<i8:f64, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected a tensor of float or quantized or per-axis quantized elements, got tensor<2x3xi32> (uniform_quantize_i1)
func.func @invalid(%x: tensor<2x3xi32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xi32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result of shape [2, 3], got [3, 2] (uniform_dequantize_c1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3x2xf32>
  func.return
}

// -----

// CHECK: expected result of f32 elements, got f64 (uniform_dequantize_c2)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x3xf64>
  func.return
}

// -----

// CHECK: expected a tensor of quantized or per-axis quantized elements, got tensor<2x3xf32> (uniform_dequantize_i1)
func.func @invalid(%x: tensor<2x3xf32>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a tensor of boolean or signed integer or unsigned integer or float or complex elements, got tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>> (convert_i1)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.convert %x : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected value of i8 elements, got i16 (constant_c1)
func.func @invalid() {
  %0 = stablehlo.constant() <{value = dense<1> : tensor<i16>}> : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected a quantized dimension in [0, 2), got 2 (quantized_tensor_type_c12)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:2, {5.000000e-01}>>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i8:f32:2, {5.000000e-01}>>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected dimension 1 of size 1, one for each scale, got 3 (quantized_tensor_type_c13)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01}>>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01}>>) -> tensor<2x3xf32>
  func.return
}

// -----

// CHECK: expected a tensor, got tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.multiply %x, %x : tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e-01}>>
  func.return
}

// -----

// CHECK: expected rhs quantized, and lhs quantized if and only if the result is, got tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2xf32> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>> (dot_general_c14)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs quantized, and lhs quantized if and only if the result is, got tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>> and tensor<2x2xf32> (dot_general_c14)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected zero points 0 of rhs, got (3,) (dot_general_c15)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs quantized along a dimension that is not contracted, got 0 (dot_general_c16)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e-01}>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01,1.000000e-01}>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs stored as i8, got i16 (dot_general_c17)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i16:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected rhs and result that express f32, got f64 and f32 (dot_general_c18)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return
}

// -----

// CHECK: expected result quantized per-tensor, as rhs is, got !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}> (dot_general_c19)
func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  func.return
}

// -----

// CHECK: expected lhs and result of f32 elements, as rhs expresses, got f64 and f64 (dot_general_c20)
func.func @invalid(%x: tensor<2x3xf64>, %w: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2xf64>
  func.return
}

// -----

// CHECK: expected precisions DEFAULT, as there is an algorithm, got HIGH (dot_general_c21)
func.func @invalid(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected lhs_component_count of at least 1, got 0 (dot_general_c22)
func.func @invalid(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected rhs_component_count of at least 1, got 0 (dot_general_c23)
func.func @invalid(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return
}

// -----

// CHECK: expected num_primitive_operations of at least 1, got 0 (dot_general_c24)
func.func @invalid(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return
}
