// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

dfg.program @main (tensor<f32>) {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: transfers_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.send' op expected a declared channel, got channel 4
    dfg.send %a to "cpu:1" channel 4 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.send' op expected channel 3 from "cpu:0" to "cpu:1", as declared, got it from "cpu:0" to "cpu:2"
    dfg.send %a to "cpu:2" channel 3 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:2" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.recv' op expected channel 3 from "cpu:0" to "cpu:1", as declared, got it from "cpu:0" to "cpu:2"
    %b = dfg.recv from "cpu:0" channel 3 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i32>) {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:0" (%a: tensor<i32>) {
    // CHECK: error: 'dfg.send' op expected a value of type tensor<f32> on channel 3, as declared, got tensor<i32>
    dfg.send %a to "cpu:1" channel 3 : tensor<i32>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:1" () {
    // CHECK: error: 'dfg.recv' op expected a value of type tensor<f32> on channel 3, as declared, got tensor<f64>
    %b = dfg.recv from "cpu:0" channel 3 : tensor<f64>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    // CHECK: transfers_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.send' op expected one dfg.send on channel 3, got a second
    dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: value %a has type tensor<f32>, but is used with type !dfg.token
    %b = dfg.recv from "cpu:0" channel 3 after %a : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    %t = dfg.token
    %s = dfg.stack_new after %t : !dcf.stack<tensor<f32>>
    // CHECK: error: 'dfg.send' op expected a tensor or a token to cross a channel, got !dcf.stack<tensor<f32>>
    dfg.send %s to "cpu:1" channel 3 : !dcf.stack<tensor<f32>>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    // CHECK: error: 'dfg.recv' op expected a tensor or a token to cross a channel, got !dcf.array<tensor<f32>>
    %a = dfg.recv from "cpu:1" channel 3 : !dcf.array<tensor<f32>>
    dfg.fetch
  }
  dfg.graph on "cpu:1" () {
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  // CHECK: error: 'dfg.channel' op expected a tensor or a token to cross a channel, got !dcf.stack<tensor<f32>>
  dfg.channel 3 from "cpu:0" to "cpu:1" : !dcf.stack<tensor<f32>>
}

// -----

// Nothing is declared: the other device must be there all the same.

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: transfers_invalid.mlir:[[# @LINE + 1]]:5: error: 'dfg.send' op expected a graph on "cpu:1", the other end of channel 3, got none in the program
    dfg.send %a to "cpu:1" channel 3 : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.partition on "cpu:0" (%p: tensor<i1>) {
    dcf.cond %p : tensor<i1> then {
      // CHECK: transfers_invalid.mlir:[[# @LINE + 1]]:7: error: 'dfg.recv' op expected a partition on "cpu:1", the other end of channel 3, got none in the program
      %a = dfg.recv from "cpu:1" channel 3 : tensor<f32>
      dcf.yield
    } else {
      dcf.yield
    }
    dfg.fetch
  }
}
