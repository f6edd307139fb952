// RUN: anabranch-opt %s -p verify-channels | filecheck %s
// RUN: anabranch-opt %s -p expand-scan,convert-dcf-to-dfg,verify-channels

// Programs whose channels are right: nothing is reported, and nothing changes.

// Both devices send before they receive. No channel is declared.

// CHECK-LABEL: dfg.program @exchange
dfg.program @exchange (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  dfg.partition on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    // CHECK: dfg.send %a to "cpu:1" channel 0
    dfg.send %a to "cpu:1" channel 0 : tensor<f32>
    %b = dfg.recv from "cpu:1" channel 1 : tensor<f32>
    dfg.fetch %b : tensor<f32>
  }
  dfg.partition on "cpu:1" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [1] {
    dfg.send %b to "cpu:0" channel 1 : tensor<f32>
    %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch %a : tensor<f32>
  }
}

// One sends first, the other receives first.

// CHECK-LABEL: dfg.program @there_and_back
dfg.program @there_and_back (tensor<f32>) -> tensor<f32> {
  dfg.partition on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    dfg.send %a to "cpu:1" channel 0 : tensor<f32>
    %b = dfg.recv from "cpu:1" channel 1 : tensor<f32>
    dfg.fetch %b : tensor<f32>
  }
  dfg.partition on "cpu:1" () {
    %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    %b = stablehlo.add %a, %a : tensor<f32>
    dfg.send %b to "cpu:0" channel 1 : tensor<f32>
    dfg.fetch
  }
}

// Two messages that cross: received in another order than sent.

// CHECK-LABEL: dfg.program @crossing
dfg.program @crossing (tensor<f32>, tensor<f32>) -> tensor<f32> {
  dfg.partition on "cpu:0" (%a: tensor<f32>, %b: tensor<f32>) {
    dfg.send %a to "cpu:1" channel 0 : tensor<f32>
    dfg.send %b to "cpu:1" channel 1 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () -> tensor<f32> {
    %b = dfg.recv from "cpu:0" channel 1 : tensor<f32>
    %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    %r = stablehlo.subtract %a, %b : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }
}

// The first device's value skips the second: y = f2(f1(f0 x)) + f0 x.

// CHECK-LABEL: dfg.program @skip
dfg.program @skip (tensor<f32>) -> tensor<f32> {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    %f0 = stablehlo.sine %x : tensor<f32>
    dfg.send %f0 to "cpu:1" channel 0 : tensor<f32>
    dfg.send %f0 to "cpu:2" channel 1 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" () {
    %f0 = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    %f1 = stablehlo.cosine %f0 : tensor<f32>
    dfg.send %f1 to "cpu:2" channel 2 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:2" () -> tensor<f32> {
    %f0 = dfg.recv from "cpu:0" channel 1 : tensor<f32>
    %f1 = dfg.recv from "cpu:1" channel 2 : tensor<f32>
    %f2 = stablehlo.tanh %f1 : tensor<f32>
    %y = stablehlo.add %f2, %f0 : tensor<f32>
    dfg.fetch %y : tensor<f32>
  }
}

// Messages in branches that exclude each other, in opposite directions: the predicate is the
// argument of both, and sent to the third.

// CHECK-LABEL: dfg.program @branches
dfg.program @branches (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
    dfg.send %p to "cpu:2" channel 2 : tensor<i1>
    %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      dfg.send %a to "cpu:1" channel 0 : tensor<f32>
      dcf.yield %a : tensor<f32>
    } else {
      %b = dfg.recv from "cpu:1" channel 1 : tensor<f32>
      dfg.send %b to "cpu:2" channel 3 : tensor<f32>
      dcf.yield %b : tensor<f32>
    }
    dfg.fetch %r : tensor<f32>
  }
  dfg.partition on "cpu:1" (%b: tensor<f32>, %p: tensor<i1>) -> tensor<f32> feeds [2, 0] fetches [1] {
    // A branch of its own, before.
    %c = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      dcf.yield %b : tensor<f32>
    } else {
      %n = stablehlo.negate %b : tensor<f32>
      dcf.yield %n : tensor<f32>
    }
    %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield %a : tensor<f32>
    } else {
      dfg.send %c to "cpu:0" channel 1 : tensor<f32>
      dcf.yield %c : tensor<f32>
    }
    dfg.fetch %r : tensor<f32>
  }
  dfg.partition on "cpu:2" () -> tensor<f32> fetches [2] {
    %p = dfg.recv from "cpu:0" channel 2 : tensor<i1>
    %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      dcf.yield %c : tensor<f32>
    } else {
      %b = dfg.recv from "cpu:0" channel 3 : tensor<f32>
      dcf.yield %b : tensor<f32>
    }
    dfg.fetch %r : tensor<f32>
  }
}

// If `%p`, cpu:0 sends first and cpu:1 after it, else the other way round: what one branch would
// close as a circle, the other excludes.

// CHECK-LABEL: dfg.program @turns
dfg.program @turns (tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
    %a = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield %x : tensor<f32>
    } else {
      %y = dfg.recv from "cpu:1" channel 1 : tensor<f32>
      dcf.yield %y : tensor<f32>
    }
    %b = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %y = dfg.recv from "cpu:1" channel 2 : tensor<f32>
      dcf.yield %y : tensor<f32>
    } else {
      dfg.send %a to "cpu:1" channel 3 : tensor<f32>
      dcf.yield %a : tensor<f32>
    }
    dfg.fetch %b : tensor<f32>
  }
  dfg.partition on "cpu:1" (%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> fetches [1] {
    // Both orders in one op here: its branches exclude those of both ops of the other device.
    %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %y = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dfg.send %y to "cpu:0" channel 2 : tensor<f32>
      dcf.yield %y : tensor<f32>
    } else {
      dfg.send %x to "cpu:0" channel 1 : tensor<f32>
      %y = dfg.recv from "cpu:0" channel 3 : tensor<f32>
      dcf.yield %y : tensor<f32>
    }
    dfg.fetch %r : tensor<f32>
  }
}

// What only a program with `%p` both true and false would close: "a" waits in its then branch for
// "c", which is behind an else branch that waits for "b", which is behind the first device.

// CHECK-LABEL: dfg.program @excluded_circle
dfg.program @excluded_circle (tensor<i1>, tensor<f32>) -> tensor<f32> {
  dfg.partition on "a" (%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
    %y = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      %y = dfg.recv from "c" channel 0 : tensor<f32>
      dcf.yield %y : tensor<f32>
    } else {
      dcf.yield %x : tensor<f32>
    }
    dfg.send %x to "b" channel 1 : tensor<f32>
    dfg.fetch %y : tensor<f32>
  }
  dfg.partition on "b" (%p: tensor<i1>) {
    %x = dfg.recv from "a" channel 1 : tensor<f32>
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      dfg.send %x to "c" channel 2 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "c" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      %y = dfg.recv from "b" channel 2 : tensor<f32>
      dcf.yield
    }
    dcf.cond %p : tensor<i1> then {
      dfg.send %x to "a" channel 0 : tensor<f32>
      dcf.yield
    } else {
      dcf.yield
    }
    dfg.fetch
  }
}

// A loop in a loop. The counters are computed on both devices, the inner condition is sent. A value
// goes to and fro through the trips: next trips do not wait in a circle.

// CHECK-LABEL: dfg.program @nest
dfg.program @nest (tensor<i32>, tensor<f32>) -> tensor<f32> {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<f32>
  dfg.channel 2 from "cpu:0" to "cpu:1" : tensor<i1>
  dfg.partition on "cpu:0" (%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %limit = stablehlo.constant dense<9.0> : tensor<f32>
    %r, %k = dcf.while "outer" (%a = %x, %i = %zero : tensor<f32>, tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      %s = dcf.while "inner" (%b = %a : tensor<f32>) cond {
        %more = stablehlo.compare LT, %b, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
        dfg.send %more to "cpu:1" channel 2 : tensor<i1>
        dcf.condition %more
      } do {
        dfg.send %b to "cpu:1" channel 0 : tensor<f32>
        %c = dfg.recv from "cpu:1" channel 1 : tensor<f32>
        dcf.yield %c : tensor<f32>
      }
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %s, %j : tensor<f32>, tensor<i32>
    }
    dfg.fetch %r : tensor<f32>
  }
  dfg.partition on "cpu:1" (%n: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %k = dcf.while "outer" (%i = %zero : tensor<i32>) cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %go
    } do {
      dcf.while "inner" () cond {
        %more = dfg.recv from "cpu:0" channel 2 : tensor<i1>
        dcf.condition %more
      } do {
        %b = dfg.recv from "cpu:0" channel 0 : tensor<f32>
        %c = stablehlo.multiply %b, %two : tensor<f32>
        dfg.send %c to "cpu:0" channel 1 : tensor<f32>
        dcf.yield
      }
      %j = stablehlo.add %i, %one : tensor<i32>
      dcf.yield %j : tensor<i32>
    }
    dfg.fetch
  }
}

// One value per row: the scans have the same length.

// CHECK-LABEL: dfg.program @rows
dfg.program @rows (tensor<4xf32>) -> tensor<4xf32> {
  dfg.partition on "cpu:0" (%xs: tensor<4xf32>) {
    dcf.scan "s" () ins(%x = %xs : tensor<4xf32>) do {
      dfg.send %x to "cpu:1" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "cpu:1" () -> tensor<4xf32> {
    %ys = dcf.scan "s" () length 4 -> tensor<4xf32> do {
      %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      dcf.yield %x : tensor<f32>
    }
    dfg.fetch %ys : tensor<4xf32>
  }
}

// Graphs: in one frame, and each with its own order, which does not matter.

// CHECK-LABEL: dfg.program @graphs
dfg.program @graphs (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    %b = dfg.recv from "cpu:1" channel 1 : tensor<f32>
    dfg.send %a to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch %b : tensor<f32>
  }
  dfg.graph on "cpu:1" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [1] {
    %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.send %b to "cpu:0" channel 1 : tensor<f32>
    dfg.fetch %a : tensor<f32>
  }
}
