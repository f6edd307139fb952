// RUN: %roundtrip %s | filecheck %s

// Meshes, shardings and per-device computations stay as they are.

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
// CHECK: sdy.mesh @one = <[], device_ids=[3]>
sdy.mesh @one = <[], device_ids=[3]>
// CHECK: sdy.mesh @order = <["a"=2], device_ids=[1, 0]>
sdy.mesh @order = <["a"=2], device_ids=[1, 0]>

// CHECK: func.func @shardings
func.func @shardings(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: sdy.sharding_constraint %x <@mesh, [{"x", ?}, {?}]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{"x", ?}, {?}]> : tensor<8x8xf32>
  // CHECK: sdy.reshard %x <@mesh, [{"y":(1)2, "x"}p1, {}], replicated={"y":(2)2}> : tensor<8x8xf32>
  %1 = sdy.reshard %x <@mesh, [{"y":(1)2, "x"}p1, {}], replicated={"y":(2)2}> : tensor<8x8xf32>
  // CHECK: sdy.reshard %x <mesh<["x"=2]>, [{"x"}, {}], unreduced=max{"y"}> : tensor<8x8xf32>
  %2 = sdy.reshard %x <mesh<["x"=2]>, [{"x"}, {}], unreduced=max{"y"}> : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %x group_id=7 : tensor<8x8xf32>
  sdy.sharding_group %x group_id=7 : tensor<8x8xf32>
  // CHECK: stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %3 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK: stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij], []) {i=8, j=8} reduction={j}, custom>} : (tensor<8x8xf32>) -> tensor<64xf32>
  %4 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij], []) {i=8, j=8} reduction={j}, custom>} : (tensor<8x8xf32>) -> tensor<64xf32>
  func.return
}

// CHECK: func.func @per_device
func.func @per_device(%x: tensor<8x8xf32>) {
  // CHECK: sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%y: tensor<4x2xf32>) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%y: tensor<4x2xf32>) {
    // CHECK: sdy.return %y : tensor<4x2xf32>
    sdy.return %y : tensor<4x2xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    // CHECK: sdy.return
    sdy.return
  } : () -> ()
  func.return
}
