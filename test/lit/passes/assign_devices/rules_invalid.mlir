// RUN: not anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/no_arrow.txt"}' 2>&1 | filecheck %s --check-prefix=ARROW
// RUN: not anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/no_device.txt"}' 2>&1 | filecheck %s --check-prefix=DEVICE
// RUN: not anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/no_match.txt"}' 2>&1 | filecheck %s --check-prefix=MATCH
// RUN: not anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/no_match.txt" devices="cpu:0"}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not anabranch-opt %s -p 'assign-devices{rules="%S/Inputs/no_file.txt"}' 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not anabranch-opt %S/scopes.mlir -p 'assign-devices{rules="%S/Inputs/no_match.txt" function=bare}' 2>&1 | filecheck %s --check-prefix=BARE
// RUN: not anabranch-opt %s -p 'assign-devices{rules="a" random=1}' 2>&1 | filecheck %s --check-prefix=BOTH

// ARROW: no_arrow.txt:2: error: expected a rule "pattern -> device", got "layer1 cpu:1"
// DEVICE: no_device.txt:1: error: expected the name of a device after the arrow, got "cpu 1"
// MATCH: no_match.txt:3: error: expected an op named or placed like "layer2", the program has none (`?->` instead of `->` allows that)
// BARE: no_match.txt:{{[0-9]+}}: error: expected an op named or placed like "layer1", the program has none: it has no debug locations to name its ops
// UNKNOWN: no_match.txt:2: error: expected one of the devices cpu:0, got cpu:1
// FILE: no_file.txt: error: cannot read the rules: No such file or directory
// BOTH: expected random or rules, got both
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x : tensor<f32> loc("jit(step)/layer1/sin")
  return %a : tensor<f32>
}
