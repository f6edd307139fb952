// RUN: anabranch-opt %s -p print-channels 2>&1 >/dev/null | filecheck %s
// RUN: anabranch-opt %s -p print-channels 2>/dev/null | filecheck %s --check-prefix SAME

// The table goes to standard error; the program is printed as it was.

// SAME: dfg.program @none () {

// CHECK: channels of @none: none
dfg.program @none () {
}

// Trips that are known multiply; conditions run once more than bodies.

// CHECK-NEXT: channels of @nest: 6 channels
// CHECK-NEXT: channel value type bytes from to loops per trip per run at
// CHECK-NEXT: 0 %x tensor<4x?xf64> ? cpu:0 cpu:1 - 1 1 {{.*}}table.mlir:[[# @LINE + 14]]:5
// CHECK-NEXT: 1 an argument tensor<1000xf32> 4,000 cpu:0 cpu:1 - 1 1 {{.*}}table.mlir:[[# @LINE + 14]]:5
// CHECK-NEXT: 2 %i tensor<i32> 4 cpu:0 cpu:1 outer (condition) 1 11 {{.*}}table.mlir:[[# @LINE + 19]]:7
// CHECK-NEXT: 3 %j tensor<i32> 4 cpu:0 cpu:1 outer/inner 1 1,000 {{.*}}table.mlir:[[# @LINE + 26]]:9
// CHECK-NEXT: 4 a result of stablehlo.compare tensor<i1> 1 cpu:0 cpu:1 outer/inner at most 1 at most 1,000 {{.*}}table.mlir:[[# @LINE + 30]]:11
// CHECK-NEXT: 5 %m tensor<i32> 4 cpu:0 cpu:1 outer/data (condition) 1 ? {{.*}}table.mlir:[[# @LINE + 37]]:9
dfg.program @nest (tensor<4x?xf64>, tensor<1000xf32>, tensor<i1>) {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<4x?xf64>
  dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<1000xf32>
  dfg.channel 2 from "cpu:0" to "cpu:1" : tensor<i32>
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<i32>
  dfg.channel 4 from "cpu:0" to "cpu:1" : tensor<i1>
  dfg.channel 5 from "cpu:0" to "cpu:1" : tensor<i32>
  dfg.partition on "cpu:0" (%x: tensor<4x?xf64>, %0: tensor<1000xf32>, %p: tensor<i1>) {
    dfg.send %x to "cpu:1" channel 0 : tensor<4x?xf64>
    dfg.send %0 to "cpu:1" channel 1 : tensor<1000xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %hundred = stablehlo.constant dense<100> : tensor<i32>
    %k = dcf.while "outer" (%i = %zero : tensor<i32>) cond {
      dfg.send %i to "cpu:1" channel 2 : tensor<i32>
      %go = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      %l = dcf.while "inner" (%j = %zero : tensor<i32>) cond {
        %go = stablehlo.compare LT, %j, %hundred : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        dfg.send %j to "cpu:1" channel 3 : tensor<i32>
        dcf.cond %p : tensor<i1> then {
          dcf.yield
        } else {
          %1 = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          dfg.send %1 to "cpu:1" channel 4 : tensor<i1>
          dcf.yield
        }
        %next = stablehlo.add %j, %one : tensor<i32>
        dcf.yield %next : tensor<i32>
      }
      %next = stablehlo.add %i, %one : tensor<i32>
      %c = dcf.while "data" (%m = %l : tensor<i32>) cond {
        dfg.send %m to "cpu:1" channel 5 : tensor<i32>
        dcf.condition %p
      } do {
        dcf.yield %m : tensor<i32>
      }
      dcf.yield %next : tensor<i32>
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    dfg.fetch
  }
}

// Of graphs, numbers of trips are not known. A channel without ends is a row too.

// CHECK-NEXT: channels of @graph: 4 channels
// CHECK-NEXT: channel value type bytes from to loops per trip per run at
// CHECK-NEXT: 1 - tensor<f32> 4 a b - 0 0 {{.*}}table.mlir:[[# @LINE + 5]]:3
// CHECK-NEXT: 2 %m tensor<i1> 1 a b loop (condition) 1 ? {{.*}}table.mlir:[[# @LINE + 11]]:5
// CHECK-NEXT: 3 %yes tensor<i1> 1 a b loop at most 1 ? {{.*}}table.mlir:[[# @LINE + 14]]:5
// CHECK-NEXT: 4 %in tensor<i1> 1 a b loop 1 ? {{.*}}table.mlir:[[# @LINE + 14]]:5
dfg.program @graph (tensor<i1>) {
  dfg.channel 1 from "a" to "b" : tensor<f32>
  dfg.channel 2 from "a" to "b" : tensor<i1>
  dfg.channel 3 from "a" to "b" : tensor<i1>
  dfg.channel 4 from "a" to "b" : tensor<i1>
  dfg.graph on "a" (%p: tensor<i1>) {
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    dfg.send %m to "b" channel 2 : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    %no, %yes = dfg.switch %in, %in : tensor<i1>
    dfg.send %yes to "b" channel 3 : tensor<i1>
    dfg.send %in to "b" channel 4 : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    dfg.fetch
  }
  dfg.graph on "b" () {
    dfg.fetch
  }
}
