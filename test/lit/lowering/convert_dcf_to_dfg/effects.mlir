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
// CHECK-NEXT:    %token = dfg.probe "before" after %start
// CHECK:         %token_in = dfg.enter %token in "w" : !dfg.token
// CHECK:         %token_1, %token_from = dfg.merge %token_in, %token_next : !dfg.token
// CHECK:         %token_2 = dfg.probe "test" %i after %token_1 : tensor<i32>
// CHECK:         %token_done, %token_body = dfg.switch %token_2, %go : !dfg.token
// CHECK:         %token_no, %token_yes = dfg.switch %token_body, %p_body : !dfg.token
// CHECK:         %token_3 = dfg.probe "yes" %j after %token_yes : tensor<i32>
// CHECK:         %token_4, %{{.*}} = dfg.merge %token_3, %token_no : !dfg.token
// CHECK:         %token_next = dfg.next_iteration %token_4 : !dfg.token
// CHECK:         %token_5 = dfg.exit %token_done : !dfg.token
// CHECK:         dfg.probe "after" after %token_5
