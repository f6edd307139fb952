// RUN: anabranch-opt %s -p convert-dcf-to-dfg --split-input-file | filecheck %s

// Probes keep their order through a token, which loops carry and branches merge.
func.func @order(%p: tensor<i1>, %n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  dcf.probe "before"
  %r = dcf.while "w" (%i = %zero : tensor<i32>) cond {
    %q = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.probe "test" %i : tensor<i32>
    dcf.condition %q
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    dcf.cond %p : tensor<i1> then {
      dcf.probe "yes" %j : tensor<i32>
      dcf.yield
    } else {
      dcf.yield
    }
    dcf.yield %j : tensor<i32>
  }
  dcf.probe "after"
  return %r : tensor<i32>
}
// CHECK-LABEL: dfg.program @order
// CHECK:         %start = dfg.token
// CHECK:         %[[BEFORE:.*]] = dfg.probe "before" after %start
// CHECK:         %[[IN:.*]] = dfg.enter %[[BEFORE]] in "w" : !dfg.token
// CHECK:         %[[TOKEN:.*]], %{{.*}} = dfg.merge %[[IN]], %[[NEXT:.*]] : !dfg.token
// CHECK:         %[[TEST:.*]] = dfg.probe "test" %i after %[[TOKEN]] : tensor<i32>
// CHECK:         %[[DONE:.*]], %[[BODY:.*]] = dfg.switch %[[TEST]], %go : !dfg.token
// CHECK:         %[[NO:.*]], %[[YES:.*]] = dfg.switch %[[BODY]], %{{.*}} : !dfg.token
// CHECK:         %[[PROBED:.*]] = dfg.probe "yes" %j after %[[YES]] : tensor<i32>
// CHECK:         %[[BOTH:.*]], %{{.*}} = dfg.merge %[[PROBED]], %[[NO]] : !dfg.token
// CHECK:         %[[NEXT]] = dfg.next_iteration %[[BOTH]] : !dfg.token
// CHECK:         %[[EXIT:.*]] = dfg.exit %[[DONE]] : !dfg.token
// CHECK:         dfg.probe "after" after %[[EXIT]]
