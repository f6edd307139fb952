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
