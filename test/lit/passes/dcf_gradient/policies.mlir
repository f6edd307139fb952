// What a loop keeps, by its residual policy.
// RUN: anabranch-opt %s -p 'dcf-gradient{residuals=true}' 2>&1 >/dev/null | filecheck %s --check-prefix SAVE
// RUN: anabranch-opt %s -p 'dcf-gradient{policy=recompute}' | filecheck %s --check-prefix RECOMPUTE
// RUN: anabranch-opt %s -p 'dcf-gradient{policy=sqrt}' | filecheck %s --check-prefix SQRT
// RUN: anabranch-opt %s -p 'dcf-gradient{policy=treeverse budget=3}' | filecheck %s --check-prefix TREE
// RUN: anabranch-opt %s -p 'dcf-gradient{policy="treeverse:3" residuals=true}' 2>&1 >/dev/null | filecheck %s --check-prefix STATES
// RUN: anabranch-opt %s -p 'dcf-gradient{policy=recompute residuals=true}' 2>&1 >/dev/null | filecheck %s --check-prefix AGAIN

// SAVE:      residuals of @main.grad: 2 values
// SAVE-NEXT:   value  type           bytes per trip  kept   loop  needed by             at
// SAVE-NEXT:   %b     tensor<4xf32>              16  stack  "w"   stablehlo.sine        {{.*}}policies.mlir:{{[0-9]+}}:5
// SAVE-NEXT:   %a     tensor<4xf32>              16  stack  "w"   stablehlo.multiply    {{.*}}policies.mlir:{{[0-9]+}}:5

// The forward loop keeps the carry; the backward loop runs the body again before it reverses it.
// RECOMPUTE-LABEL: func.func @main.grad
// RECOMPUTE:         dcf.while "w"
// RECOMPUTE:           dcf.stack_push %{{.*}}, %a
// RECOMPUTE-NOT:       dcf.stack_push
// RECOMPUTE:         dcf.while "w.grad"
// RECOMPUTE:           dcf.stack_pop
// RECOMPUTE:           %[[B:.*]] = stablehlo.multiply
// RECOMPUTE-NEXT:      stablehlo.cosine %[[B]]

// AGAIN:      residuals of @main.grad: 1 value
// AGAIN:        %a     tensor<4xf32>              16  stack  "w"   dcf.while  {{.*}}policies.mlir:{{[0-9]+}}:3

// Segments that are recomputed, of trips that are saved.
// SQRT-LABEL: func.func @main.grad
// SQRT:         dcf.while "w"
// SQRT:           dcf.while "w.segment"
// SQRT:           dcf.stack_push %{{.*}}, %a
// SQRT:         dcf.while "w.grad"
// SQRT:           dcf.stack_pop
// SQRT:           dcf.while "w.segment"
// SQRT:             dcf.stack_push
// SQRT:           dcf.while "w.segment.grad"
// SQRT:             dcf.stack_pop

// The forward loop counts its trips and keeps nothing.
// TREE-LABEL: func.func @main.grad
// TREE:         dcf.while "w"
// TREE-NOT:       dcf.stack_push
// TREE:         }
// TREE:         dcf.while "w.grad"
// TREE:           dcf.stack_pop
// TREE:           dcf.while "w.replay"
// TREE:             dcf.stack_push
// TREE:             dcf.while "w.choose"
// TREE:             dcf.while "w.advance"
// TREE:               stablehlo.sine
// TREE:           stablehlo.cosine
// STATES:     %a     tensor<4xf32>              16  state, 3 at most  "w"   dcf.while

func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "w" (%i = %z, %a = %x : tensor<i32>, tensor<4xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %b = stablehlo.multiply %a, %x : tensor<4xf32>
    %c = stablehlo.sine %b : tensor<4xf32>
    dcf.yield %j, %c : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
