// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

dfg.program @main (tensor<f32>, tensor<i32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i32>) {
    // CHECK: error: 'dfg.switch' op expected a predicate of type tensor<i1>, got tensor<i32>
    %no, %yes = dfg.switch %a, %p : tensor<f32>, tensor<i32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<2xi1>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<2xi1>) {
    // CHECK: error: 'dfg.switch' op expected a predicate of type tensor<i1>, got tensor<2xi1>
    %no, %yes = dfg.switch %a, %p : tensor<f32>, tensor<2xi1>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<i1>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i1>) {
    // CHECK: error: 'dfg.switch' op expected a true output of type tensor<f32>, got tensor<f64>
    %no, %yes = "dfg.switch"(%a, %p) : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f64>)
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<i1>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i1>) {
    // CHECK: error: 'dfg.switch' op expected a false output of type tensor<f32>, got tensor<f64>
    %no, %yes = "dfg.switch"(%a, %p) : (tensor<f32>, tensor<i1>) -> (tensor<f64>, tensor<f32>)
    dfg.fetch
  }
}

// -----

dfg.program @main () {
  dfg.graph on "cpu:0" () {
    // CHECK: error: 'dfg.merge' op expected at least one input, got none
    %m, %from = "dfg.merge"() : () -> (tensor<f32>, tensor<i32>)
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<f64>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %b: tensor<f64>) {
    // CHECK: error: 'dfg.merge' op expected inputs of one type, up to dimensions that differ, got (tensor<f32>, tensor<f64>)
    %m, %from = dfg.merge %a, %b : tensor<f32>, tensor<f64> -> tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<3xf32>, tensor<4xf32>) {
  dfg.graph on "cpu:0" (%a: tensor<3xf32>, %b: tensor<4xf32>) {
    // CHECK: error: 'dfg.merge' op expected an output of type tensor<?xf32>, the join of the inputs, got tensor<3xf32>
    %m, %from = dfg.merge %a, %b : tensor<3xf32>, tensor<4xf32> -> tensor<3xf32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.merge' op expected an index of type tensor<i32>, got tensor<i64>
    %m, %from = "dfg.merge"(%a, %a) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i64>)
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter constant %a in "loop" : tensor<f32>
    // CHECK: error: 'dfg.merge' op expected inputs that come once, got a constant dfg.enter for input 0 in frame "loop": it delivers to every iteration
    %m, %from = dfg.merge %in, %in : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<i1>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i1>) {
    %p_in = dfg.enter constant %p in "loop" : tensor<i1>
    %in = dfg.enter %a in "loop" : tensor<f32>
    // CHECK: error: 'dfg.merge' op expected a dfg.enter and a dfg.next_iteration as the inputs of a loop's merge, got dfg.enter, dfg.enter, dfg.next_iteration
    %m, %from = dfg.merge %in, %in, %next : tensor<f32>
    %go = dfg.loop_cond %p_in
    %done, %body = dfg.switch %m, %go : tensor<f32>
    %next = dfg.next_iteration %body : tensor<f32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    // CHECK: error: 'dfg.enter' op expected an output of type tensor<f32>, got tensor<f64>
    %in = "dfg.enter"(%a) <{frame = "loop"}> : (tensor<f32>) -> tensor<f64>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>) {
    %in = dfg.enter %a in "loop" : tensor<f32>
    // CHECK: error: 'dfg.exit' op expected an output of type tensor<f32>, got tensor<f64>
    %out = "dfg.exit"(%in) : (tensor<f32>) -> tensor<f64>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<f32>, tensor<i1>) {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %p: tensor<i1>) {
    %p_in = dfg.enter constant %p in "loop" : tensor<i1>
    %go = dfg.loop_cond %p_in
    %in = dfg.enter %a in "loop" : tensor<f32>
    %done, %body = dfg.switch %in, %go : tensor<f32>
    // CHECK: error: 'dfg.next_iteration' op expected an output of type tensor<f32>, got tensor<f64>
    %next = "dfg.next_iteration"(%body) : (tensor<f32>) -> tensor<f64>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i32>) {
  dfg.graph on "cpu:0" (%p: tensor<i32>) {
    %p_in = dfg.enter %p in "loop" : tensor<i32>
    // CHECK: error: 'dfg.loop_cond' op expected a predicate of type tensor<i1>, got tensor<i32>
    %go = dfg.loop_cond %p_in : tensor<i32>
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    %p_in = dfg.enter %p in "loop" : tensor<i1>
    // CHECK: error: 'dfg.loop_cond' op parallel_iterations must be at least 1, got 0
    %go = dfg.loop_cond %p_in {parallel_iterations = 0 : i64}
    dfg.fetch
  }
}

// -----

dfg.program @main (tensor<i1>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>) {
    %p_in = dfg.enter %p in "loop" : tensor<i1>
    // CHECK: error: 'dfg.loop_cond' op trip_bound must be at least 0, got -1
    %go = dfg.loop_cond %p_in {trip_bound = -1 : i64}
    dfg.fetch
  }
}
