// RUN: anabranch-opt %s -p convert-stablehlo-to-dcf,name-frames | filecheck %s

// Loops without a name are named after the function of the user's program that their location tells.

func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %a = stablehlo.while(%i = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.while(%j = %i) : tensor<f32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %j : tensor<f32>
    } loc(#inner)
    %c = stablehlo.while(%j = %b) : tensor<f32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %j : tensor<f32>
    } loc(fused["jit(newton_fn)/while"(#inner), "x.py":2:3])
    stablehlo.return %c : tensor<f32>
  } loc(#outer)
  %d = stablehlo.while(%i = %a) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<f32>
  } loc("jit(f)/while"("./cases.py":1:2))
  func.return %d : tensor<f32>
}
#line = loc("./cases.py":92:11 to :45)
#main = loc("<module>"("./cases.py":200:4))
#newton = loc(callsite("newton_fn"(#line) at #main))
#body = loc(callsite("newton_fn.<locals>.body.<locals>.<lambda>"("./cases.py":93:4) at #newton))
#outer = loc("jit(newton_fn)/while"(#newton))
#inner = loc("jit(newton_fn)/while/body/while"(#body))

// CHECK:       dcf.while "newton_fn"
// CHECK:         dcf.while "newton_fn.body"
// CHECK:         dcf.while "newton_fn.body_1"
// CHECK:       dcf.while "while"
