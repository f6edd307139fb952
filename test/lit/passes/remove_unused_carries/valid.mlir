// RUN: anabranch-opt %s -p remove-unused-carries --split-input-file | filecheck %s

// A carry that only feeds itself goes, with the op that steps it and what started it; the carry that the
// condition needs stays.

func.func @while(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %unused = stablehlo.negate %x : tensor<f32>
  %r:4 = dcf.while "w" (%i = %n, %a = %unused, %b = %x, %c = %x : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.compare LT, %a, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.add %i, %i : tensor<i32>
    %a1 = stablehlo.add %a, %c : tensor<f32>
    %b1 = stablehlo.multiply %b, %b : tensor<f32>
    %c1 = stablehlo.add %a, %c : tensor<f32>
    dcf.yield %i1, %a1, %b1, %c1 : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  } {kept = 1 : i64}
  func.return %r#2 : tensor<f32>
}

// CHECK-LABEL: func.func @while
// CHECK-NEXT:    %[[R:.*]]:2 = dcf.while "w" (%i = %n, %b = %x : tensor<i32>, tensor<f32>) cond {
// CHECK-NEXT:      %p = stablehlo.compare
// CHECK-NEXT:      dcf.condition %p
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %i1 = stablehlo.add %i, %i
// CHECK-NEXT:      %b1 = stablehlo.multiply %b, %b
// CHECK-NEXT:      dcf.yield %i1, %b1
// CHECK-NEXT:    } {kept = 1 : i64}
// CHECK-NEXT:    return %[[R]]#1

// -----

// A value that only an inner loop's unused carry needs is unused in the outer loop too; so is a result of a
// conditional that only it uses.

func.func @nest(%n: tensor<i32>, %x: tensor<f32>, %q: tensor<i1>) -> tensor<i32> {
  %r:2 = dcf.while (%i = %n, %a = %x : tensor<i32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %c:2 = dcf.cond %q : tensor<i1> -> (tensor<f32>, tensor<i32>) then {
      %a1 = stablehlo.negate %a : tensor<f32>
      dcf.yield %a1, %i : tensor<f32>, tensor<i32>
    } else {
      dcf.yield %a, %n : tensor<f32>, tensor<i32>
    }
    %s:2 = dcf.while (%j = %c#1, %b = %c#0 : tensor<i32>, tensor<f32>) cond {
      %p = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %p
    } do {
      %j1 = stablehlo.add %j, %j : tensor<i32>
      %b1 = stablehlo.multiply %b, %a : tensor<f32>
      dcf.yield %j1, %b1 : tensor<i32>, tensor<f32>
    }
    dcf.yield %s#0, %s#1 : tensor<i32>, tensor<f32>
  }
  func.return %r#0 : tensor<i32>
}

// CHECK-LABEL: func.func @nest
// CHECK-NEXT:    %{{.*}} = dcf.while (%i = %n : tensor<i32>) cond {
// CHECK:         } do {
// CHECK-NEXT:      %{{.*}} = dcf.cond %q : tensor<i1> -> tensor<i32> then {
// CHECK-NEXT:        dcf.yield %i : tensor<i32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        dcf.yield %n : tensor<i32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %{{.*}} = dcf.while (%j = %{{.*}} : tensor<i32>) cond {
// CHECK-NOT:     multiply
// CHECK:         return

// -----

// Probes, and what they need, stay; so does a loop that only probes.

func.func @effects(%n: tensor<i32>, %x: tensor<f32>) {
  %r:3 = dcf.while (%i = %n, %a = %x, %b = %x : tensor<i32>, tensor<f32>, tensor<f32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.add %i, %i : tensor<i32>
    %a1 = stablehlo.negate %a : tensor<f32>
    %b1 = stablehlo.negate %b : tensor<f32>
    dcf.probe "a" %a1 : tensor<f32>
    dcf.yield %i1, %a1, %b1 : tensor<i32>, tensor<f32>, tensor<f32>
  }
  func.return
}

// CHECK-LABEL: func.func @effects
// CHECK-NEXT:    %{{.*}}:2 = dcf.while (%i = %n, %a = %x : tensor<i32>, tensor<f32>)
// CHECK:           %a1 = stablehlo.negate %a
// CHECK-NEXT:      dcf.probe "a" %a1
// CHECK-NEXT:      dcf.yield %i1, %a1

// -----

// A loop that nothing needs goes as a whole.

func.func @whole(%n: tensor<i32>) -> tensor<i32> {
  %r = dcf.while (%i = %n : tensor<i32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %i1 = stablehlo.add %i, %i : tensor<i32>
    dcf.yield %i1 : tensor<i32>
  }
  func.return %n : tensor<i32>
}

// CHECK-LABEL: func.func @whole
// CHECK-NEXT:    return %n

// -----

// Scan: unused carries, inputs and outputs with their buffers; the length follows from what is left.

func.func @scan(%a: tensor<f32>, %xs: tensor<5xf32>, %ws: tensor<5xf32>, %n: tensor<i32>, %o: tensor<5xf32>) -> (tensor<5xf32>, tensor<f32>) {
  %s:4 = dcf.scan (%u = %a, %v = %a : tensor<f32>, tensor<f32>) ins(%x = %xs, %w = %ws : tensor<5xf32>, tensor<5xf32>) outs(%o, %o : tensor<5xf32>, tensor<5xf32>) length %n : tensor<i32> -> (tensor<f32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>) do {
    %v1 = stablehlo.add %v, %w : tensor<f32>
    %y = stablehlo.negate %x : tensor<f32>
    dcf.yield %u, %v1, %v1, %y : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  } {reverse}
  %t = dcf.scan (%u = %a : tensor<f32>) ins(%x = %xs : tensor<5xf32>) -> tensor<f32> do {
    %u1 = stablehlo.add %u, %u : tensor<f32>
    dcf.yield %u1 : tensor<f32>
  }
  func.return %s#3, %t : tensor<5xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    dcf.scan () ins(%x = %xs : tensor<5xf32>) outs(%o : tensor<5xf32>) length %n : tensor<i32> -> tensor<5xf32> do {
// CHECK-NEXT:      %y = stablehlo.negate %x
// CHECK-NEXT:      dcf.yield %y
// CHECK-NEXT:    } {reverse}
// CHECK-NEXT:    dcf.scan (%u = %a : tensor<f32>) length 5 -> tensor<f32> do {
