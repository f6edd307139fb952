// Pipelines, and what is told about them.
// RUN: anabranch-opt %s -p remove-dead-code,verify-dominance --print-between-passes | filecheck %s --check-prefix BETWEEN
// RUN: anabranch-opt %s -p remove-dead-code,cse --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix TIME
// RUN: anabranch-opt --list-passes | filecheck %s --check-prefix LIST
// RUN: anabranch-opt --help | filecheck %s --check-prefix HELP
// RUN: anabranch-opt --version | filecheck %s --check-prefix VERSION

// BETWEEN:     // IR after remove-dead-code:
// BETWEEN-NOT: stablehlo.abs
// BETWEEN:     return %x
// BETWEEN-NOT: // IR after
// BETWEEN:     return %x

// TIME: Pass remove-dead-code took 0.{{[0-9]+}} seconds
// TIME: Pass cse took 0.{{[0-9]+}} seconds

// LIST: convert-dcf-to-dfg
// LIST: convert-markers-to-dcf {{.*}} and `.stop_gradient` into what they mean.
// LIST: cse {{ *}}(xDSL) Replaces ops that compute
// LIST: dce {{ *}}(xDSL) Removes ops without effects
// LIST: device-pipeline {{ *}}Source or structured program to a `dfg.program`
// LIST-NEXT: {{ +}}function: a string (default: none)
// LIST-NEXT: {{ +}}devices: one or more strings (default: none)
// LIST: split-vjp
// LIST-NEXT: {{ +}}function: a string (must be given)
// LIST: stack-scan-rows {{.*}} in the opposite order.
// LIST-NEXT: {{ +}}min-bytes: a whole number (default: 0)
// LIST: verify-dominance {{ *}}Check that definitions come before their uses.

// HELP: usage: anabranch-opt
// HELP: examples:
// HELP: anabranch-opt program.mlir -p dcf-to-dfg-pipeline
// HELP: -p 'device-pipeline{devices="cpu:0","cpu:1" random=1}'
// HELP-NEXT: a space between options

// VERSION: anabranch-opt {{[0-9.]+}} (xdsl 0.75.{{[0-9]+}})

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  return %x : tensor<f32>
}
