// RUN: %roundtrip %s | filecheck %s

// A loop: values are used before they are defined, through the next_iteration.

// CHECK-LABEL: dfg.program @newton
dfg.program @newton (tensor<f32>, tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32>, %x0: tensor<f32>) -> tensor<f32> {
    // CHECK: %a_in = dfg.enter constant %a in "newton" : tensor<f32>
    %a_in = dfg.enter constant %a in "newton" : tensor<f32>
    // CHECK-NEXT: %x_in = dfg.enter %x0 in "newton" {note} : tensor<f32>
    %x_in = dfg.enter %x0 in "newton" {note} : tensor<f32>
    // CHECK-NEXT: %x, %x_from = dfg.merge %x_in, %x_next : tensor<f32>
    %x, %x_from = dfg.merge %x_in, %x_next : tensor<f32>
    %far = stablehlo.compare LT, %x, %a_in : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: %go = dfg.loop_cond %far {parallel_iterations = 8 : i64, trip_bound = 100 : i64}
    %go = dfg.loop_cond %far {parallel_iterations = 8 : i64, trip_bound = 100 : i64}
    // CHECK-NEXT: %x_done, %x_body = dfg.switch %x, %go : tensor<f32>
    %x_done, %x_body = dfg.switch %x, %go : tensor<f32>
    %x1 = stablehlo.add %x_body, %a_in : tensor<f32>
    // CHECK: %x_next = dfg.next_iteration %x1 : tensor<f32>
    %x_next = dfg.next_iteration %x1 : tensor<f32>
    // CHECK-NEXT: %r = dfg.exit %x_done : tensor<f32>
    %r = dfg.exit %x_done : tensor<f32>
    // CHECK-NEXT: dfg.fetch %r : tensor<f32>
    dfg.fetch %r : tensor<f32>
  }
}

// A branch; behaviour 28: a merge's shape joins those of its inputs.

// CHECK-LABEL: dfg.program @branch
dfg.program @branch (tensor<i1>, tensor<2x3xf32>, tensor<2x4xf32>) -> (tensor<2x?xf32>, tensor<i32>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<2x?xf32>, tensor<i32>) {
    // CHECK: %a_no, %a_yes = dfg.switch %a, %p {note} : tensor<2x3xf32>
    %a_no, %a_yes = dfg.switch %a, %p {note} : tensor<2x3xf32>
    %b_no, %b_yes = dfg.switch %b, %p : tensor<2x4xf32>
    // CHECK: %m, %from = dfg.merge %a_no, %b_yes {note} : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x?xf32>
    %m, %from = dfg.merge %a_no, %b_yes {note} : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x?xf32>
    dfg.fetch %m, %from : tensor<2x?xf32>, tensor<i32>
  }
}

// The output's type may leave open what the inputs fix; any number of inputs.

// CHECK-LABEL: dfg.program @wide
dfg.program @wide (tensor<i1>, tensor<3xf32>) -> tensor<?xf32> {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %a: tensor<3xf32>) -> tensor<?xf32> {
    // CHECK: %m, %from = dfg.merge %a : tensor<3xf32> -> tensor<?xf32>
    %m, %from = dfg.merge %a : tensor<3xf32> -> tensor<?xf32>
    // CHECK-NEXT: %n, %n_from = dfg.merge %m, %m, %m : tensor<?xf32>
    %n, %n_from = dfg.merge %m, %m, %m : tensor<?xf32>
    dfg.fetch %n : tensor<?xf32>
  }
}

// Behaviour 29: any element type, tokens and stacks.

// CHECK-LABEL: dfg.program @types
dfg.program @types (tensor<i1>, tensor<ui64>) {
  dfg.graph on "cpu:0" (%p: tensor<i1>, %u: tensor<ui64>) {
    %t = dfg.token
    %s = dfg.stack_new after %t : !dcf.stack<tensor<f32>>
    // CHECK: dfg.switch %u, %p : tensor<ui64>
    %u_no, %u_yes = dfg.switch %u, %p : tensor<ui64>
    // CHECK: dfg.switch %t, %p : !dfg.token
    %t_no, %t_yes = dfg.switch %t, %p : !dfg.token
    // CHECK: dfg.switch %s, %p : !dcf.stack<tensor<f32>>
    %s_no, %s_yes = dfg.switch %s, %p : !dcf.stack<tensor<f32>>
    // CHECK: dfg.merge %t_no, %t_yes : !dfg.token
    %m, %from = dfg.merge %t_no, %t_yes : !dfg.token
    dfg.fetch
  }
}
