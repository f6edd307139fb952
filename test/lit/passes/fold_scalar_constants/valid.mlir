// RUN: anabranch-opt %s -p fold-scalar-constants,remove-dead-code --split-input-file | filecheck %s

// Arithmetic on constant scalars, with StableHLO's corner cases: wrap-around, division by zero.

func.func @arithmetic() -> (tensor<i32>, tensor<i32>, tensor<i1>, tensor<ui8>, tensor<f64>, tensor<f32>) {
  %big = stablehlo.constant dense<2147483647> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.add %big, %one : tensor<i32>
  %quotient = stablehlo.divide %one, %zero : tensor<i32>
  %less = stablehlo.compare LT, %sum, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %byte = stablehlo.convert %big : (tensor<i32>) -> tensor<ui8>
  %float = stablehlo.convert %quotient : (tensor<i32>) -> tensor<f64>
  %x = stablehlo.constant dense<1.500000e+00> : tensor<f32>
  %y = stablehlo.constant dense<-2.500000e-01> : tensor<f32>
  %m = stablehlo.multiply %x, %y : tensor<f32>
  func.return %sum, %quotient, %less, %byte, %float, %m : tensor<i32>, tensor<i32>, tensor<i1>, tensor<ui8>, tensor<f64>, tensor<f32>
}

// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT:    stablehlo.constant dense<-2147483648> : tensor<i32>
// CHECK-NEXT:    stablehlo.constant dense<-1> : tensor<i32>
// CHECK-NEXT:    stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT:    stablehlo.constant dense<255> : tensor<ui8>
// CHECK-NEXT:    stablehlo.constant dense<-1.000000e+00> : tensor<f64>
// CHECK-NEXT:    stablehlo.constant dense<-3.750000e-01> : tensor<f32>
// CHECK-NEXT:    return

// -----

// Only scalars, only exact ops, only constants.

func.func @left(%x: tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<1.500000e+00> : tensor<2xf32>
  %b = stablehlo.add %a, %a : tensor<2xf32>
  %c = stablehlo.constant dense<1.500000e+00> : tensor<f32>
  %d = stablehlo.exponential %c : tensor<f32>
  %e = stablehlo.add %c, %x : tensor<f32>
  func.return %b, %d, %e : tensor<2xf32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @left
// CHECK:         stablehlo.add
// CHECK:         stablehlo.exponential
// CHECK:         stablehlo.add

// -----

// Ops that change nothing. This is how JAX prints the conjunction of two conditions.

func.func @identities(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<3xf32>, %d: tensor<?xf32>) -> (tensor<i1>, tensor<3xf32>, tensor<?xf32>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.broadcast_in_dim %false, dims = [] : (tensor<i1>) -> tensor<i1>
  %1 = stablehlo.compare NE, %p, %0, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.convert %1 : tensor<i1>
  %3 = stablehlo.or %0, %q : tensor<i1>
  %4 = stablehlo.and %2, %3 : tensor<i1>
  %5 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<3xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xf32>) -> tensor<3xf32>
  %7 = stablehlo.select %0, %x, %6 : tensor<i1>, tensor<3xf32>
  %8 = stablehlo.reshape %d : (tensor<?xf32>) -> tensor<?xf32>
  func.return %4, %7, %8 : tensor<i1>, tensor<3xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @identities
// CHECK-NEXT:    %[[AND:.*]] = stablehlo.and %p, %q
// CHECK-NEXT:    %[[D:.*]] = stablehlo.reshape %d
// CHECK-NEXT:    return %[[AND]], %x, %[[D]]

// -----

// A transposition and a broadcast that repeat or move elements stay.

func.func @not_identities(%x: tensor<1xf32>, %s: tensor<2x2xf32>) -> (tensor<3xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1xf32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %0, %1 : tensor<3xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @not_identities
// CHECK-NEXT:    stablehlo.broadcast_in_dim
// CHECK-NEXT:    stablehlo.broadcast_in_dim

// -----

// The payload of a NaN is kept.

func.func @nan() -> tensor<f32> {
  %n = stablehlo.constant dense<0x7FC12345> : tensor<f32>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %z = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %m = stablehlo.add %n, %z : tensor<f32>
  %s = stablehlo.select %t, %m, %z : tensor<i1>, tensor<f32>
  func.return %s : tensor<f32>
}

// CHECK-LABEL: func.func @nan
// CHECK-NEXT:    %[[N:.*]] = stablehlo.constant dense<0x7{{[fF][cC]}}12345> : tensor<f32>
// CHECK-NEXT:    return %[[N]]

// -----

// Branches that are decided are put in place, effects in order; what follows from them is folded too.

func.func @branches(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  dcf.probe "before" %x : tensor<f32>
  %r, %k = dcf.cond %t : tensor<i1> -> (tensor<f32>, tensor<i32>) then {
    %a = stablehlo.negate %x : tensor<f32>
    dcf.probe "then" %a : tensor<f32>
    %l = stablehlo.add %one, %one : tensor<i32>
    dcf.yield %a, %l : tensor<f32>, tensor<i32>
  } else {
    dcf.probe "else" %x : tensor<f32>
    dcf.yield %x, %one : tensor<f32>, tensor<i32>
  }
  dcf.probe "after" %x : tensor<f32>
  %c = dcf.case %seven : tensor<i32> -> tensor<f32> {
    dcf.yield %x : tensor<f32>
  }, {
    %b = stablehlo.abs %r : tensor<f32>
    dcf.yield %b : tensor<f32>
  }
  %d = dcf.case %k : tensor<i32> -> tensor<i32> {
    dcf.yield %one : tensor<i32>
  }, {
    dcf.yield %seven : tensor<i32>
  }, {
    %e = stablehlo.add %k, %seven : tensor<i32>
    dcf.yield %e : tensor<i32>
  }
  func.return %c, %d : tensor<f32>, tensor<i32>
}

// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    dcf.probe "before"
// CHECK-NEXT:    %[[A:.*]] = stablehlo.negate %x
// CHECK-NEXT:    dcf.probe "then" %[[A]]
// CHECK-NEXT:    dcf.probe "after"
// CHECK-NEXT:    %[[B:.*]] = stablehlo.abs %[[A]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.constant dense<9> : tensor<i32>
// CHECK-NEXT:    return %[[B]], %[[E]]

// -----

// One branch only always runs.

func.func @one_branch(%x: tensor<f32>, %k: tensor<i32>) -> tensor<f32> {
  %r = dcf.case %k : tensor<i32> -> tensor<f32> {
    %b = stablehlo.negate %x : tensor<f32>
    dcf.yield %b : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @one_branch
// CHECK-NEXT:    %[[B:.*]] = stablehlo.negate %x
// CHECK-NEXT:    return %[[B]]

// -----

// A loop that never runs is its initial values, unless its condition has an effect.

func.func @loops(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r = dcf.while (%a = %x : tensor<f32>) cond {
    %p = stablehlo.compare LT, %three, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    dcf.yield %a : tensor<f32>
  }
  %s = dcf.while (%a = %x : tensor<f32>) cond {
    %p = stablehlo.compare LT, %three, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.probe "once" %a : tensor<f32>
    dcf.condition %p
  } do {
    dcf.yield %a : tensor<f32>
  }
  func.return %r, %s : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    %[[S:.*]] = dcf.while
// CHECK-NEXT:      stablehlo.constant dense<false>
// CHECK-NEXT:      dcf.probe "once"
// CHECK:         return %x, %[[S]]
