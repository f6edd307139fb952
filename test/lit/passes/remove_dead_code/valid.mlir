// RUN: anabranch-opt %s -p remove-dead-code --split-input-file | filecheck %s

// Chains of unused ops go, in regions too; arguments stay.

func.func @chains(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %a = stablehlo.add %x, %x : tensor<f32>
  %b = stablehlo.multiply %a, %a : tensor<f32>
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    %c = stablehlo.negate %b : tensor<f32>
    %d = stablehlo.negate %c : tensor<f32>
    dcf.yield %x : tensor<f32>
  } else {
    dcf.yield %x : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @chains(%x: tensor<f32>, %p: tensor<i1>)
// CHECK-NEXT:    dcf.cond %p
// CHECK-NEXT:      dcf.yield %x
// CHECK-NEXT:    } else {
// CHECK-NEXT:      dcf.yield %x
// CHECK-NEXT:    }
// CHECK-NEXT:    return

// -----

// Loops and conditionals go as a whole, unless something in them has an effect.

func.func @regions(%x: tensor<f32>, %p: tensor<i1>) {
  %a = dcf.while (%i = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    %s = dcf.scan (%u = %i : tensor<f32>) length 3 -> tensor<f32> do {
      %v = stablehlo.negate %u : tensor<f32>
      dcf.yield %v : tensor<f32>
    }
    dcf.yield %s : tensor<f32>
  }
  %b = dcf.while (%i = %x : tensor<f32>) cond {
    dcf.condition %p
  } do {
    %s = dcf.scan (%u = %i : tensor<f32>) length 3 -> tensor<f32> do {
      %v = stablehlo.negate %u : tensor<f32>
      %w = stablehlo.negate %u : tensor<f32>
      dcf.probe "v" %v : tensor<f32>
      dcf.yield %v : tensor<f32>
    }
    dcf.yield %i : tensor<f32>
  }
  func.return
}

// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    dcf.while
// CHECK:           dcf.scan
// CHECK-NEXT:        %v = stablehlo.negate
// CHECK-NEXT:        dcf.probe
// CHECK-NOT:     dcf.while
// CHECK:         return

// -----

// A call has the effects of the function; unused private functions go, also in a ring.

func.func public @calls(%x: tensor<f32>) {
  %a = func.call @pure(%x) : (tensor<f32>) -> tensor<f32>
  %b = func.call @probing(%x) : (tensor<f32>) -> tensor<f32>
  func.return
}
func.func private @pure(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.negate %x : tensor<f32>
  func.return %y : tensor<f32>
}
func.func private @probing(%x: tensor<f32>) -> tensor<f32> {
  dcf.probe "x" %x : tensor<f32>
  func.return %x : tensor<f32>
}
func.func private @ring(%x: tensor<f32>) -> tensor<f32> {
  %y = func.call @ring(%x) : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// CHECK-LABEL: func.func public @calls
// CHECK-NEXT:    call @probing
// CHECK-NEXT:    return
// CHECK-NOT:   @pure
// CHECK:       func.func private @probing
// CHECK-NOT:   @ring

// -----

// A custom call stays only when it says that it has an effect.

func.func @custom(%x: tensor<f32>) {
  %a = "stablehlo.custom_call"(%x) <{call_target_name = "quiet"}> : (tensor<f32>) -> tensor<f32>
  %b = "stablehlo.custom_call"(%x) <{call_target_name = "loud", has_side_effect = true}> : (tensor<f32>) -> tensor<f32>
  func.return
}

// CHECK-LABEL: func.func @custom
// CHECK-NOT:     quiet
// CHECK:         loud
