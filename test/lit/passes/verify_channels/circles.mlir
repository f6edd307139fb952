// RUN: anabranch-opt %s -p verify-channels --split-input-file --verify-diagnostics | filecheck %s

// Devices that wait for each other.

// Each sends only when it has received.

dfg.program @main (tensor<f32>, tensor<f32>) {
  dfg.partition on "cpu:0" (%x: tensor<f32>) {
    // CHECK: circles.mlir:[[# @LINE + 1]]:5: error: expected no circle of devices that wait for each other, got "cpu:0" receives channel 1 from "cpu:1" at {{.*}}circles.mlir:[[# @LINE + 1]]:5 before it sends channel 0 at {{.*}}circles.mlir:[[# @LINE + 2]]:5; "cpu:1" receives channel 0 from "cpu:0" at {{.*}}circles.mlir:[[# @LINE + 6]]:5 before it sends channel 1 at {{.*}}circles.mlir:[[# @LINE + 7]]:5; "cpu:0" may send channel 0 first, which does not use channel 1
    %y = dfg.recv from "cpu:1" channel 1 : tensor<f32>
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "cpu:1" (%x: tensor<f32>) feeds [1] {
    %y = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.send %x to "cpu:0" channel 1 : tensor<f32>
    dfg.fetch
  }
}

// -----

// Three in a circle, in a trip of a loop.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "a" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "loop" () cond {
      dcf.condition %p
    } do {
      // CHECK: error: expected no circle of devices that wait for each other, got "a" receives channel 2 from "c" at {{.*}}circles.mlir:[[# @LINE + 1]]:7 before it sends channel 0 at {{.*}}circles.mlir:[[# @LINE + 2]]:7; "b" receives channel 0 from "a" at {{.*}}circles.mlir:[[# @LINE + 11]]:7 before it sends channel 1 at {{.*}}circles.mlir:[[# @LINE + 12]]:7; "c" receives channel 1 from "b" at {{.*}}circles.mlir:[[# @LINE + 21]]:7 before it sends channel 2 at {{.*}}circles.mlir:[[# @LINE + 22]]:7{{$}}
      %z = dfg.recv from "c" channel 2 : tensor<f32>
      dfg.send %z to "b" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "b" (%p: tensor<i1>) {
    dcf.while "loop" () cond {
      dcf.condition %p
    } do {
      %x = dfg.recv from "a" channel 0 : tensor<f32>
      dfg.send %x to "c" channel 1 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "c" (%p: tensor<i1>) {
    dcf.while "loop" () cond {
      dcf.condition %p
    } do {
      %y = dfg.recv from "b" channel 1 : tensor<f32>
      dfg.send %y to "a" channel 2 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// One waits for what the other sends behind the loop, before the loop in which the other waits for it.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "a" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "loop" () cond {
      dcf.condition %p
    } do {
      // CHECK: error: expected no circle of devices that wait for each other, got "a" receives channel 0 from "b" at {{.*}} before it sends channel 1 at {{.*}}; "b" receives channel 1 from "a" at {{.*}} before it sends channel 0 at
      %y = dfg.recv from "b" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.send %x to "b" channel 1 : tensor<f32>
    dfg.fetch
  }
  dfg.partition on "b" (%p: tensor<i1>) {
    %x = dfg.recv from "a" channel 1 : tensor<f32>
    dcf.while "loop" () cond {
      dcf.condition %p
    } do {
      dfg.send %x to "a" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// Two loops in the wrong order on one device: nothing outside of them takes part.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "a" (%p: tensor<i1>, %x: tensor<f32>) {
    // CHECK: error: expected no circle of devices that wait for each other, got "a" receives channel 0 from "b" at {{.*}} before it sends channel 1 at {{.*}}; "b" receives channel 1 from "a" at {{.*}} before it sends channel 0 at
    dcf.while "one" () cond {
      dcf.condition %p
    } do {
      %y = dfg.recv from "b" channel 0 : tensor<f32>
      dcf.yield
    }
    dcf.while "two" () cond {
      dcf.condition %p
    } do {
      dfg.send %x to "b" channel 1 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "b" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.while "two" () cond {
      dcf.condition %p
    } do {
      %y = dfg.recv from "a" channel 1 : tensor<f32>
      dcf.yield
    }
    dcf.while "one" () cond {
      dcf.condition %p
    } do {
      dfg.send %x to "a" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// In one branch, of two ops that branch on the same value.

dfg.program @main (tensor<i1>, tensor<f32>) {
  dfg.partition on "a" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      // CHECK: circles.mlir:[[# @LINE + 1]]:7: error: expected no circle of devices that wait for each other, got "a" receives channel 0
      %y = dfg.recv from "b" channel 0 : tensor<f32>
      dcf.yield
    }
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      dfg.send %x to "b" channel 1 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
  dfg.partition on "b" (%p: tensor<i1>, %x: tensor<f32>) {
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      %y = dfg.recv from "a" channel 1 : tensor<f32>
      dfg.send %x to "a" channel 0 : tensor<f32>
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

// In a graph only data make an op wait.

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    // CHECK: circles.mlir:[[# @LINE + 1]]:5: error: expected no circle of devices that wait for each other, got "cpu:0" needs channel 1 from "cpu:1" at {{.*}}circles.mlir:[[# @LINE + 1]]:5 for what it sends on channel 0 at {{.*}}circles.mlir:[[# @LINE + 3]]:5; "cpu:1" needs channel 0 from "cpu:0" at {{.*}}circles.mlir:[[# @LINE + 8]]:5 for what it sends on channel 1 at {{.*}}circles.mlir:[[# @LINE + 7]]:5
    %y = dfg.recv from "cpu:1" channel 1 : tensor<f32>
    %x = stablehlo.negate %y : tensor<f32>
    dfg.send %x to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    dfg.send %x to "cpu:0" channel 1 : tensor<f32>
    %x = dfg.recv from "cpu:0" channel 0 : tensor<f32>
    dfg.fetch
  }
}

// -----

// What leaves a loop waits for all that the loop receives, whether it needs it or not: with a window
// of one trip, and in a loop run as one function, it would.

dfg.program @main (tensor<i32>, tensor<f32>) -> (tensor<f32>) {
  dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.channel 1 from "cpu:1" to "cpu:0" : tensor<f32>
  dfg.graph on "cpu:0" (%n: tensor<i32>, %x: tensor<f32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero_in = dfg.enter %zero in "loop" : tensor<i32>
    %x_in = dfg.enter %x in "loop" : tensor<f32>
    %n_in = dfg.enter constant %n in "loop" : tensor<i32>
    %one_in = dfg.enter constant %one in "loop" : tensor<i32>
    %start = dfg.token
    %start_in = dfg.enter constant %start in "loop" : !dfg.token
    %k, %k_from = dfg.merge %zero_in, %k_next : tensor<i32>
    %v, %v_from = dfg.merge %x_in, %v_next : tensor<f32>
    %less = stablehlo.compare LT, %k, %n_in : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %k_done, %k_body = dfg.switch %k, %go : tensor<i32>
    %v_done, %v_body = dfg.switch %v, %go : tensor<f32>
    %t_done, %t_body = dfg.switch %start_in, %go : !dfg.token
    // CHECK: error: expected no circle of devices that wait for each other, got "cpu:0" needs channel 1 from "cpu:1" at {{.*}}circles.mlir:[[# @LINE + 1]]:5 for what it sends on channel 0 at {{.*}}circles.mlir:[[# @LINE + 6]]:5; "cpu:1" needs channel 0
    %w = dfg.recv from "cpu:1" channel 1 after %t_body : tensor<f32>
    %j = stablehlo.add %k_body, %one_in : tensor<i32>
    %k_next = dfg.next_iteration %j : tensor<i32>
    %v_next = dfg.next_iteration %v_body : tensor<f32>
    %out = dfg.exit %v_done : tensor<f32>
    dfg.send %out to "cpu:1" channel 0 : tensor<f32>
    dfg.fetch
  }
  dfg.graph on "cpu:1" (%n: tensor<i32>) -> tensor<f32> feeds [0] {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %start = dfg.token
    %y = dfg.recv from "cpu:0" channel 0 after %start : tensor<f32>
    %zero_in = dfg.enter %zero in "loop" : tensor<i32>
    %y_in = dfg.enter %y in "loop" : tensor<f32>
    %n_in = dfg.enter constant %n in "loop" : tensor<i32>
    %one_in = dfg.enter constant %one in "loop" : tensor<i32>
    %k, %k_from = dfg.merge %zero_in, %k_next : tensor<i32>
    %v, %v_from = dfg.merge %y_in, %v_next : tensor<f32>
    %less = stablehlo.compare LT, %k, %n_in : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %less
    %k_done, %k_body = dfg.switch %k, %go : tensor<i32>
    %v_done, %v_body = dfg.switch %v, %go : tensor<f32>
    dfg.send %v_body to "cpu:0" channel 1 : tensor<f32>
    %j = stablehlo.add %k_body, %one_in : tensor<i32>
    %k_next = dfg.next_iteration %j : tensor<i32>
    %v_next = dfg.next_iteration %v_body : tensor<f32>
    %r = dfg.exit %v_done : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }
}
