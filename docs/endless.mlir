// i = i + i from 0 never reaches 10.
func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %r = dcf.while "doubling" (%i = %zero : tensor<i32>) cond {
    %p = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.add %i, %i : tensor<i32>
    dcf.yield %i1 : tensor<i32>
  }
  return %r : tensor<i32>
}
