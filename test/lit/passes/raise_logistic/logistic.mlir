// RUN: anabranch-opt %s -p raise-logistic,remove-dead-code --split-input-file | filecheck %s

// As JAX prints a sigmoid of a matrix.
func.func @sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.negate %x : tensor<2x3xf32>
  %1 = stablehlo.exponential %0 : tensor<2x3xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.add %2, %1 : tensor<2x3xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<2x3xf32>
  %4 = stablehlo.divide %cst_0, %3 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @sigmoid
// CHECK-NEXT:    %[[Y:.*]] = stablehlo.logistic %x : tensor<2x3xf32>
// CHECK-NEXT:    return %[[Y]]

// -----

// Not that function: another constant, no minus, a type whose rounding would change.
func.func @others(%x: tensor<f32>, %h: tensor<f16>) -> (tensor<f32>, tensor<f32>, tensor<f16>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %n = stablehlo.negate %x : tensor<f32>
  %e = stablehlo.exponential %n : tensor<f32>
  %s = stablehlo.add %e, %two : tensor<f32>
  %a = stablehlo.divide %one, %s : tensor<f32>
  %f = stablehlo.exponential %x : tensor<f32>
  %t = stablehlo.add %f, %one : tensor<f32>
  %b = stablehlo.divide %one, %t : tensor<f32>
  %half_one = stablehlo.constant dense<1.0> : tensor<f16>
  %m = stablehlo.negate %h : tensor<f16>
  %g = stablehlo.exponential %m : tensor<f16>
  %u = stablehlo.add %g, %half_one : tensor<f16>
  %c = stablehlo.divide %half_one, %u : tensor<f16>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f16>
}
// CHECK-LABEL: func.func @others
// CHECK-NOT:     stablehlo.logistic
