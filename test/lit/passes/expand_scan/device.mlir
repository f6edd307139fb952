// RUN: anabranch-opt %s -p expand-scan | filecheck %s

// What the loop of a placed scan needs is where the scan was.
func.func @main(%x: tensor<f32>, %xs: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %r, %ys = dcf.scan (%c = %x : tensor<f32>) ins(%e = %xs : tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) do {
    %d = stablehlo.add %c, %e {plan.device = "cpu:2"} : tensor<f32>
    dcf.yield %d, %c : tensor<f32>, tensor<f32>
  } {plan.device = "cpu:1"}
  return %r, %ys : tensor<f32>, tensor<4xf32>
}
// CHECK:      stablehlo.broadcast_in_dim {{.*}} {plan.device = "cpu:1"}
// CHECK:      dcf.while
// CHECK-NEXT:   stablehlo.compare {{.*}} {plan.device = "cpu:1"}
// CHECK-NEXT:   dcf.condition {{%[0-9a-z]+}}{{$}}
// CHECK:        stablehlo.dynamic_slice {{.*}} {plan.device = "cpu:1"}
// CHECK:        stablehlo.add %c, %e {plan.device = "cpu:2"}
// CHECK:        stablehlo.dynamic_update_slice {{.*}} {plan.device = "cpu:1"}
// CHECK:      } {plan.device = "cpu:1"}
