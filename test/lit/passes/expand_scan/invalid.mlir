// RUN: anabranch-opt %s -p expand-scan --split-input-file --verify-diagnostics | filecheck %s

func.func @buffer(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %ys = dcf.scan () ins(%x = %xs : tensor<?xf32>) -> tensor<?xf32> do {
    dcf.yield %x : tensor<f32>
  }
  func.return %ys : tensor<?xf32>
}
// CHECK: expected a buffer (outs) or a static length for output 0 of the scan, got neither

// -----

func.func @row(%a: tensor<?xf32>, %xs: tensor<3x?xf32>) -> tensor<?xf32> {
  %r = dcf.scan (%b = %a : tensor<?xf32>) ins(%x = %xs : tensor<3x?xf32>) -> tensor<?xf32> do {
    dcf.yield %x : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
// CHECK: expected rows of static shape for input 0 of the scan, got tensor<?xf32>
