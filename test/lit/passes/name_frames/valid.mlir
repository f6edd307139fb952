// RUN: anabranch-opt %s -p name-frames | filecheck %s

// Names that are there stay; a second use gets a number that is free; without one the op's kind is used.

func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %a = dcf.while "w" (%i = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    %b = dcf.while "w" (%j = %i : tensor<f32>) cond {
      dcf.condition %p
    } do {
      dcf.yield %j : tensor<f32>
    }
    %c = dcf.while (%j = %b : tensor<f32>) cond {
      dcf.condition %p
    } do {
      dcf.yield %j : tensor<f32>
    }
    dcf.yield %c : tensor<f32>
  }
  %d = dcf.scan (%u = %a : tensor<f32>) length 3 -> tensor<f32> do {
    dcf.yield %u : tensor<f32>
  }
  %e = dcf.scan "w_1" (%u = %d : tensor<f32>) length 3 -> tensor<f32> do {
    dcf.yield %u : tensor<f32>
  }
  func.return %e : tensor<f32>
}

// Names are unique in the module, not only in a function.

func.func @other(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %a = dcf.while (%i = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    dcf.yield %i : tensor<f32>
  }
  %b = dcf.while "w" (%i = %a : tensor<f32>) cond {
    dcf.condition %p
  } do {
    dcf.yield %i : tensor<f32>
  }
  %c = dcf.scan (%u = %b : tensor<f32>) length 3 -> tensor<f32> do {
    dcf.yield %u : tensor<f32>
  }
  func.return %c : tensor<f32>
}

// CHECK-LABEL: func.func @main
// CHECK:         dcf.while "w"
// CHECK:           dcf.while "w_2"
// CHECK:           dcf.while "while"
// CHECK:         dcf.scan "scan"
// CHECK:         dcf.scan "w_1"
// CHECK-LABEL: func.func @other
// CHECK:         dcf.while "while_1"
// CHECK:         dcf.while "w_3"
// CHECK:         dcf.scan "scan_1"
