// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Behaviours 26 and 27: values of different frames do not meet.

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "a" : tensor<f32>
    // CHECK: frames_invalid.mlir:[[# @LINE + 1]]:5: error: 'stablehlo.add' op expected operands of stablehlo.add from one frame, got operand 0 (%in, dfg.enter) from loop "a" and operand 1 (%a, an argument) from root; a value enters a loop through dfg.enter and leaves it through dfg.exit
    %sum = stablehlo.add %in, %a : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "a" : tensor<f32>
    %in2 = dfg.enter %a in "b" : tensor<f32>
    // CHECK: error: 'stablehlo.add' op expected operands of stablehlo.add from one frame, got operand 0 (%in, dfg.enter) from loop "a" and operand 1 (%in2, dfg.enter) from loop "b"
    %sum = stablehlo.add %in, %in2 : tensor<f32>
    dfg.fetch
  }
}

// -----

// A constant of the root does not gate or feed a loop by itself.

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "a" : tensor<f32>
    %inner = dfg.enter %in in "b" : tensor<f32>
    %c = stablehlo.constant dense<1.0> : tensor<f32>
    // CHECK: error: 'stablehlo.add' op expected operands of stablehlo.add from one frame, got operand 0 (%inner, dfg.enter) from loop "b" in loop "a" and operand 1 (%c, stablehlo.constant) from root
    %sum = stablehlo.add %inner, %c : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
    %in = dfg.enter %a in "a" : tensor<f32>
    // CHECK: frames_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.fetch' op expected operands of dfg.fetch from root, got operand 0 (%in, dfg.enter) from loop "a"; a value leaves a loop through dfg.exit
    dfg.fetch %in : tensor<f32>
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.exit' op expected a value of a loop for dfg.exit, got one of root
    %out = dfg.exit %a : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.next_iteration' op expected a value of a loop for dfg.next_iteration, got one of root
    %next = dfg.next_iteration %a : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    // CHECK: error: 'dfg.loop_cond' op expected a value of a loop for dfg.loop_cond, got one of root
    %go = dfg.loop_cond %p
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "a" : tensor<f32>
    %b = dfg.enter %a in "b" : tensor<f32>
    // CHECK: frames_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.enter' op expected all enters of loop "b" in root, as the first, got one in loop "a"
    %inner = dfg.enter %in in "b" : tensor<f32>
    dfg.fetch
  }
}

// -----

// A next_iteration that nothing enters.

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    // CHECK: error: 'stablehlo.negate' op expected stablehlo.negate to be reached from a feed, a constant or a token of the graph, got only operands from a cycle that nothing enters
    %b = stablehlo.negate %next : tensor<f32>
    %next = dfg.next_iteration %b : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: frames_invalid.mlir:[[# @LINE + 1]]:5: error: 'stablehlo.add' op expected every cycle to pass a dfg.next_iteration, got one of stablehlo.add, stablehlo.negate
    %b = stablehlo.add %a, %c : tensor<f32>
    %c = stablehlo.negate %b : tensor<f32>
    %d = stablehlo.negate %c : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'stablehlo.negate' op expected every cycle to pass a dfg.next_iteration, got one of stablehlo.negate
    %b = stablehlo.negate %b : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "a" : tensor<f32>
    // CHECK: error: 'dfg.merge' op expected every cycle to pass a dfg.next_iteration, got one of dfg.merge, stablehlo.negate
    %m, %from = dfg.merge %in, %b : tensor<f32>
    %b = stablehlo.negate %m : tensor<f32>
    dfg.fetch
  }
}
