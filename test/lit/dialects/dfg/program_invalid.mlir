// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

dfg.program @main () {
  // CHECK: program_invalid.mlir:[[# @LINE + 1]]:3: error: 'dfg.token' op expected only dfg.channel, and dfg.graph or dfg.partition, in a dfg.program, got dfg.token
  %t = dfg.token
}

// -----

dfg.program @main () {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  // CHECK: program_invalid.mlir:[[# @LINE + 1]]:3: error: 'dfg.channel' op expected channel 3 declared once, got it twice
  dfg.channel 3 from "cpu:1" to "cpu:0" : tensor<f32>
}

// -----

dfg.program @main () {
  // CHECK: error: 'dfg.channel' op expected a channel between two devices, got "cpu:0" at both ends
  dfg.channel 3 from "cpu:0" to "cpu:0" : tensor<f32>
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    dfg.fetch
  }
  // CHECK: program_invalid.mlir:[[# @LINE + 1]]:3: error: 'dfg.graph' op expected one graph on "cpu:0", got a second one
  dfg.graph on "cpu:0" () {
    dfg.fetch
  }
}

// -----

// CHECK: error: 'dfg.program' op expected a graph that fetches result 1 of the program, got none
dfg.program @main (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    dfg.fetch %a : tensor<f32>
  }
}

// -----

dfg.program @main (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    dfg.fetch %a : tensor<f32>
  }
  // CHECK: program_invalid.mlir:[[# @LINE + 1]]:3: error: 'dfg.graph' op expected result 0 of the program fetched once, got it from "cpu:0" and "cpu:1"
  dfg.graph on "cpu:1" (%a: tensor<f32>) -> tensor<f32> {
    dfg.fetch %a : tensor<f32>
  }
}

// -----

dfg.program @main (tensor<f32>) {
  // CHECK: error: 'dfg.graph' op expected feed numbers below 1, got 1
  dfg.graph on "cpu:0" (%a: tensor<f32>) feeds [1] {
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  // CHECK: error: 'dfg.graph' op expected a feed number for each argument (1), got 2
  dfg.graph on "cpu:0" (%a: tensor<f32>) feeds [0, 0] {
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  // CHECK: error: 'dfg.graph' op expected argument 0 of type tensor<f32>, that of argument 0 of the program, got tensor<i32>
  dfg.graph on "cpu:0" (%a: tensor<i32>) {
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) -> tensor<i32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    // CHECK: program_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.fetch' op expected operand of dfg.fetch 0 of type tensor<i32>, that of result 0 of the program, got tensor<f32>
    dfg.fetch %a : tensor<f32>
  }
}

// -----

dfg.program @main (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    // CHECK: error: 'dfg.fetch' op expected fetch numbers below 1, got 1
    dfg.fetch %a, %a : tensor<f32>, tensor<f32>
  }
}

// -----

dfg.program @main (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> fetches [0, 0] {
    dfg.fetch %a : tensor<f32>
  }
}
// CHECK: error: 'dfg.graph' op expected result 0 of the program fetched once, got it from "cpu:0" and "cpu:0"

// -----

dfg.program @main (tensor<f32>) -> tensor<f32> {
  // CHECK: program_invalid.mlir:[[# @LINE + 1]]:42: error: expected a dfg.fetch of (tensor<i32>), as declared here, got (tensor<f32>)
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<i32> {
    dfg.fetch %a : tensor<f32>
  }
}

// -----

dfg.program @main () {
  // CHECK: error: 'dfg.graph' op expected a graph to end in dfg.fetch, got dcf.yield
  dfg.graph on "cpu:0" () {
    dcf.yield
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    dfg.fetch
    // CHECK: error: 'dfg.fetch' op 'dfg.fetch' must be the last operation in its parent block
    dfg.fetch
  }
}
// -----

func.func @f(%p: tensor<i1>) {
  dfg.program @main () {
    dfg.graph on "cpu:0" () {
      // CHECK: error: value %p is used by 'dfg.probe' but never defined
      %t = dfg.probe "outside" %p after %s : tensor<i1>
      %s = dfg.token
      dfg.fetch
    }
  }
  func.return
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    // CHECK: program_invalid.mlir:[[# @LINE + 1]]:5: error: 'dcf.while' op expected primitives and plain ops in a graph, got dcf.while: lower the program with convert-dcf-to-dfg
    dcf.while () cond {
      dcf.condition %p
    } do {
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    // CHECK: error: 'dcf.cond' op expected primitives and plain ops in a graph, got dcf.cond: lower the program with convert-dcf-to-dfg
    dcf.cond %p : tensor<i1> then {
      dcf.yield
    } else {
      dcf.yield
    }
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    // CHECK: error: 'stablehlo.if' op expected primitives and plain ops in a graph, got stablehlo.if: lower the program with convert-dcf-to-dfg
    "stablehlo.if"(%p) ({
      "stablehlo.return"() : () -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : (tensor<i1>) -> ()
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    // CHECK: error: 'func.func' op expected primitives and plain ops in a graph, got func.func: lower the program with convert-dcf-to-dfg
    func.func @f() {
      func.return
    }
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<4xf32>, tensor<f32>) {
  dfg.graph on "cpu:0" (%x: tensor<4xf32>, %z: tensor<f32>) {
    %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      // CHECK: program_invalid.mlir:[[# @LINE + 1]]:7: error: 'stablehlo.add' op expected the region of stablehlo.reduce to use only its own values, got operand 1 of stablehlo.add from outside
      %c = stablehlo.add %a, %z : tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    dfg.fetch
    // CHECK: program_invalid.mlir:[[# @LINE + 1]]:5: error: expected device in its own place in dfg.graph, got it as an attribute
  } {device = "cpu:1"}
}

// -----

"dfg.program"() <{sym_name = "main", function_type = () -> ()}> ({
  "dfg.graph"() <{device = "cpu:0", feeds = array<i64>, fetches = array<i64>}> ({
    // CHECK: program_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.enter' op Expected 1 operand, but got 0
    "dfg.enter"() : () -> ()
    "dfg.fetch"() : () -> ()
  }) : () -> ()
}) : () -> ()
