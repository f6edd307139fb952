// Prints what it reads; from a file, or from standard input.
// RUN: anabranch-opt %s | filecheck %s
// RUN: anabranch-opt - < %s | filecheck %s
// RUN: anabranch-opt < %s | filecheck %s
// RUN: anabranch-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: anabranch-opt %s --print-debuginfo | filecheck %s --check-prefix DEBUG
// RUN: anabranch-opt %s --print-debuginfo | anabranch-opt --print-debuginfo | filecheck %s --check-prefix DEBUG

// CHECK:      module {
// CHECK-NEXT:   func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %cst = stablehlo.constant dense<[0xFF800000, 1.000000e-01]> : tensor<2xf32>
// CHECK-NEXT:     %0:2 = call @two(%cst) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK-NEXT:     return %0#1 : tensor<2xf32>
// CHECK-NEXT:   }

// GENERIC:      "builtin.module"() ({
// GENERIC-NEXT:   "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
// GENERIC-NEXT:   ^bb0(%x: tensor<2xf32>):
// GENERIC-NEXT:     %cst = "stablehlo.constant"() <{value = dense<[0xFF800000, 1.000000e-01]> : tensor<2xf32>}> : () -> tensor<2xf32>

// DEBUG:        func.func @main(%x: tensor<2xf32> loc("argument")) -> tensor<2xf32> {
// DEBUG-NEXT:     %cst = stablehlo.constant dense<[0xFF800000, 1.000000e-01]> : tensor<2xf32> loc(#loc{{[0-9]+}})
// DEBUG:      loc("f.py":3:4 to :9)

func.func @main(%x: tensor<2xf32> loc("argument")) -> tensor<2xf32> {
  %cst = stablehlo.constant dense<[0xFF800000, 0.1]> : tensor<2xf32> loc(#late)
  %0:2 = call @two(%cst) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
func.func private @two(%y: tensor<2xf32> loc("y")) -> (tensor<2xf32>, tensor<2xf32>) {
  return %y, %y : tensor<2xf32>, tensor<2xf32>
}
#late = loc("f.py":3:4 to :9)
