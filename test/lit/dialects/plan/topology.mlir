// RUN: %roundtrip %s | filecheck %s

plan.topology @pair {
  plan.device "cpu:0" {memory = "64MiB"}
  plan.device "cpu:1" {thread = "own"}
  plan.device "fast" {kind = "sim", times = {default = "1.5us", stablehlo.dot_general = "5ms"}}
  plan.device "sim:0"
  plan.link "cpu:0" to "cpu:1" {bandwidth = "10GB/s", latency = "5us"}
  plan.link "cpu:1" to "cpu:0" {bandwidth = "1.5MiB/s"}
  plan.link "cpu:0" to "fast"
} {note = "kept"}
// CHECK:      plan.topology @pair {
// CHECK-NEXT:   plan.device "cpu:0" {memory = "64MiB"}
// CHECK-NEXT:   plan.device "cpu:1" {thread = "own"}
// CHECK-NEXT:   plan.device "fast" {kind = "sim", times = {default = "1.5us", stablehlo.dot_general = "5ms"}}
// CHECK-NEXT:   plan.device "sim:0"
// CHECK-NEXT:   plan.link "cpu:0" to "cpu:1" {bandwidth = "10GB/s", latency = "5us"}
// CHECK-NEXT:   plan.link "cpu:1" to "cpu:0" {bandwidth = "1.5MiB/s"}
// CHECK-NEXT:   plan.link "cpu:0" to "fast"
// CHECK-NEXT: } {note = "kept"}
