// RUN: anabranch-opt %s -p 'assign-devices{report=true rules="%S/Inputs/report.txt"}' -o %t.mlir 2>&1 | filecheck %s

func.func @main(%x: tensor<64xf32> {plan.device = "cpu:1"}, %y: tensor<64xf32>) -> tensor<64xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<64xf32>
  %a = stablehlo.multiply %x, %two : tensor<64xf32>
  %b = stablehlo.sine %y {plan.device = "cpu:2"} : tensor<64xf32> loc("jit(step)/sin"("model.py":4:2))
  %c = stablehlo.add %a, %b : tensor<64xf32> loc("jit(step)/layer1/add"("model.py":5:2))
  return %c : tensor<64xf32>
}
// CHECK:      @main
// CHECK-NEXT: what device why where
// CHECK-NEXT: argument 0 cpu:1 given
// CHECK-NEXT: argument 1 cpu:2 users (1 of 1 there)
// CHECK-NEXT: stablehlo.constant cpu:1 users (1 of 1 there) {{.*}}report.mlir:4:3
// CHECK-NEXT: stablehlo.multiply cpu:1 operands (256 of 256 bytes there) {{.*}}report.mlir:5:3
// CHECK-NEXT: stablehlo.sine cpu:2 given model.py:4:2 (jit(step)/sin)
// CHECK-NEXT: stablehlo.add cpu:0 rule layer1 ({{.*}}report.txt:1) model.py:5:2 (jit(step)/layer1/add)
// CHECK-NEXT: result 0 cpu:0
