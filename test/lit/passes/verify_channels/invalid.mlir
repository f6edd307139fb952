// RUN: anabranch-opt %s -p verify-channels --split-input-file --verify-diagnostics | filecheck %s

// Each way for a channel to be wrong, with both ends and where they are.

// One device sends, the other does not receive.

dfg.program @main (tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected a dfg.recv on "cpu:1" (dfg.partition at {{.*}}invalid.mlir:[[# @LINE + 4]]:3) for this dfg.send on "cpu:0", got none
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    dfg.fetch
  }
}

// -----

// The same with the channel declared.

dfg.program @main (tensor<f32>) {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected a dfg.send on "cpu:0" (dfg.partition at {{.*}}invalid.mlir:[[# @LINE - 4]]:3) for this dfg.recv on "cpu:1", got none
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  // CHECK: invalid.mlir:[[# @LINE + 1]]:3: error: channel 7: expected a dfg.send on "cpu:0" (which has no dfg.partition) and a dfg.recv on "cpu:1" (dfg.partition at {{.*}}invalid.mlir:[[# @LINE + 2]]:3), got neither
  dfg.channel 7 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.partition on "cpu:1" () {
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected one dfg.send, got this one and the dfg.send on "cpu:0" at {{.*}}invalid.mlir:[[# @LINE - 1]]:5
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

// Sent to one device, received on another.

dfg.program @main (tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends from one device to another, got this one from "cpu:0" to "cpu:1", and the dfg.recv on "cpu:2" at {{.*}}invalid.mlir:[[# @LINE + 8]]:5 from "cpu:0"
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    dfg.fetch
  }
  dfg.partition on "cpu:2" () {
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected two devices, got "cpu:0" at both ends: here and the dfg.recv on "cpu:0" at {{.*}}invalid.mlir:[[# @LINE + 2]]:5
    dfg.send %x to "cpu:0" channel 0 : tensor<f32>
    %y = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected one type at both ends, got tensor<f32> here and tensor<f64> for the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 5]]:5
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f64>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%x: tensor<f32>) {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected ship_dead at both ends or at none, got it at one: here and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 5]]:5
    dfg.send %x to "cpu:1" channel 0 {ship_dead} : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

// Sent in every trip, received once.

dfg.program @main (tensor<i32>) {
  dfg.partition on "cpu:0" (%n: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = dcf.while "loop" (%i = %zero : tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the body of loop "loop" at {{.*}}invalid.mlir:[[# @LINE - 4]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 8]]:5 in no loop or branch
      dfg.send %i to "cpu:1" channel 0 : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %j : tensor<i32>
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    %i = dfg.recv from "cpu:0" channel 0 : tensor<i32>
    dfg.fetch
  }
}

// -----

// Loops of different names.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "a" () cond {
      dcf.condition %p
    } do {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the body of loop "a" at {{.*}}invalid.mlir:[[# @LINE - 3]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 10]]:7 in the body of loop "b" at {{.*}}invalid.mlir:[[# @LINE + 7]]:5
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.while "b" () cond {
      dcf.condition %p
    } do {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Sent by the condition, once more than the body receives.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "a" () cond {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the condition of loop "a" at {{.*}}invalid.mlir:[[# @LINE - 1]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 12]]:7 in the body of loop "a" at {{.*}}invalid.mlir:[[# @LINE + 9]]:5
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.condition %p
    } do {
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.while "a" () cond {
      dcf.condition %p
    } do {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Loops that count differently.

dfg.program @main (tensor<i32>, tensor<i32>) {
  dfg.partition on "cpu:0" (%n: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = dcf.while "loop" (%i = %zero : tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the body of loop "loop" at {{.*}}invalid.mlir:[[# @LINE - 4]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 14]]:7 in the body of loop "loop" at {{.*}}invalid.mlir:[[# @LINE + 10]]:5, which cannot be shown to go on under one condition
      dfg.send %i to "cpu:1" channel 0 : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %j : tensor<i32>
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%n: tensor<i32>) feeds [1] {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = dcf.while "loop" (%i = %zero : tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      %other = dfg.recv from "cpu:0" channel 0 : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %j : tensor<i32>
    }
    dfg.fetch
  }
}

// -----

// Which loops are one is not known without names.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while () cond {
      dcf.condition %p
    } do {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place of loops with a name, got this dfg.send in the body of the dcf.while at {{.*}}invalid.mlir:[[# @LINE - 3]]:5 without one, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 10]]:7
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.while () cond {
      dcf.condition %p
    } do {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// One name for two loops.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "a" () cond {
      dcf.condition %p
    } do {
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    }
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: expected one loop "a" on "cpu:0", got a second one with dfg.send in it: the first is at {{.*}}invalid.mlir:[[# @LINE - 6]]:5
    dcf.while "a" () cond {
      dcf.condition %p
    } do {
      dfg.send %x to "cpu:1" channel 1 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.while "a" () cond {
      dcf.condition %p
    } do {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      %y = dfg.recv from "cpu:0" channel 1 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Sent in one branch, received in the other.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.cond %p : tensor<i1> then {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the then branch of the dcf.cond at {{.*}}invalid.mlir:[[# @LINE - 1]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 12]]:7 in the else branch of the dcf.cond at {{.*}}invalid.mlir:[[# @LINE + 9]]:5
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    } else {
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Branches on different values.

dfg.program @main (tensor<i32>, tensor<f32>) {
  dfg.partition on "cpu:0" (%k: tensor<i32>, %x: tensor<f32>) {
    dcf.case %k : tensor<i32> {
      dcf.yield
    }, {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in branch 1 of the dcf.case at {{.*}}invalid.mlir:[[# @LINE - 3]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 11]]:7 in branch 1 of the dcf.case at {{.*}}invalid.mlir:[[# @LINE + 8]]:5, which cannot be shown to branch on one value
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%k: tensor<i32>) {
    %l = stablehlo.negate %k : tensor<i32>
    dcf.case %l : tensor<i32> {
      dcf.yield
    }, {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Copies of different ops.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.cond %p : tensor<i1> then {
      // CHECK: invalid.mlir:[[# @LINE + 1]]:7: error: channel 0: expected both ends at the same place, got this dfg.send in the then branch of the dcf.cond at {{.*}}invalid.mlir:[[# @LINE - 1]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 10]]:7 in the then branch of the dcf.cond at {{.*}}invalid.mlir:[[# @LINE + 9]]:5, which are copies of two ops (dfg.region_id 0 and 1)
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    } else {
      dcf.yield
    } {dfg.region_id = 0 : i64}
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>) {
    dcf.cond %p : tensor<i1> then {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield
    } else {
      dcf.yield
    } {dfg.region_id = 1 : i64}
    dfg.fetch
  }
}

// -----

// Frames of graphs.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    %y = dfg.enter constant %x in "loop" : tensor<f32>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends in one loop, got this dfg.send in loop "loop", and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 10]]:5 in root
    dfg.send %y to "cpu:1" channel 0 : tensor<f32>
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

// Sides of switches.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    %no, %yes = dfg.switch %x, %p : tensor<f32>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends in the same branch, got this dfg.send on the true side of the dfg.switch at {{.*}}invalid.mlir:[[# @LINE - 1]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 7]]:5 on the false side of the dfg.switch at {{.*}}invalid.mlir:[[# @LINE + 6]]:5
    dfg.send %yes to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" (%p: tensor<i1>) {
    %t = dfg.token
    %no, %yes = dfg.switch %t, %p : !dfg.token
    %x = dfg.recv from "cpu:0" channel 0 after %no : tensor<f32>
    dfg.fetch
  }
}

// -----

// Sent on one side of a switch, received always.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) {
    %no, %yes = dfg.switch %x, %p : tensor<f32>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends in the same branches, got this dfg.send on the true side of the dfg.switch at {{.*}}invalid.mlir:[[# @LINE - 1]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 6]]:5 on no side of one that is shown to be alike
    dfg.send %yes to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    %t = dfg.token
    %x = dfg.recv from "cpu:0" channel 0 after %t : tensor<f32>
    dfg.fetch
  }
}

// -----

// Sent always, received on one side of a switch.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.graph on "cpu:0" (%x: tensor<f32>) feeds [1] {
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends in the same branches, got this dfg.send on no side of one that is shown to be alike, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 7]]:5 on the false side of the dfg.switch at {{.*}}invalid.mlir:[[# @LINE + 6]]:5
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" (%p: tensor<i1>) {
    %t = dfg.token
    %no, %yes = dfg.switch %t, %p : !dfg.token
    %x = dfg.recv from "cpu:0" channel 0 after %no : tensor<f32>
    dfg.fetch
  }
}

// -----

// Loops of one name that go on under conditions of their own.

dfg.program @main (tensor<i1>, tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends in loops that go on under one condition, got this dfg.send in loop "loop" with the dfg.loop_cond at {{.*}}invalid.mlir:[[# @LINE - 2]]:5, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 11]]:5 in one with that at {{.*}}invalid.mlir:[[# @LINE + 8]]:5, which cannot be shown to be the same
    dfg.send %in to "cpu:1" channel 0 : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    dfg.fetch
  }
  dfg.graph on "cpu:1" (%p: tensor<i1>) feeds [1] {
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    %x = dfg.recv from "cpu:0" channel 0 after %in_t : tensor<i1>
    %t = dfg.token
    %s = dfg.enter %t in "loop" : !dfg.token
    %u, %l = dfg.merge %s, %v : !dfg.token
    %out_t, %in_t = dfg.switch %u, %g : !dfg.token
    %v = dfg.next_iteration %in_t : !dfg.token
    dfg.fetch
  }
}

// -----

// In a loop's condition, and in its body.

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    // CHECK: invalid.mlir:[[# @LINE + 1]]:5: error: channel 0: expected both ends on one side of the condition of loop "loop", got this dfg.send before it, and the dfg.recv on "cpu:1" at {{.*}}invalid.mlir:[[# @LINE + 14]]:5 behind it
    dfg.send %m to "cpu:1" channel 0 : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    dfg.fetch
  }
  dfg.graph on "cpu:1" (%p: tensor<i1>) {
    %t = dfg.token
    %q = dfg.enter %p in "loop" : tensor<i1>
    %m, %k = dfg.merge %q, %n : tensor<i1>
    %g = dfg.loop_cond %m
    %out, %in = dfg.switch %m, %g : tensor<i1>
    %n = dfg.next_iteration %in : tensor<i1>
    %x = dfg.recv from "cpu:0" channel 0 after %in_t : tensor<i1>
    %s = dfg.enter %t in "loop" : !dfg.token
    %u, %l = dfg.merge %s, %v : !dfg.token
    %out_t, %in_t = dfg.switch %u, %g : !dfg.token
    %v = dfg.next_iteration %in_t : !dfg.token
    dfg.fetch
  }
}
