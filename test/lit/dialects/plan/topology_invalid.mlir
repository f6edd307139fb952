// RUN: anabranch-opt %s --split-input-file --verify-diagnostics | filecheck %s

plan.topology @empty {}
// CHECK: expected at least one device, got none

// -----

plan.topology @twice {
  plan.device "cpu:0"
  plan.device "cpu:0"
}
// CHECK: expected each device once, got "cpu:0" again

// -----

plan.topology @strange {
  plan.device "cpu:0"
  %c = stablehlo.constant dense<1> : tensor<i32>
}
// CHECK: expected plan.device or plan.link, got stablehlo.constant

// -----

plan.topology @far {
  plan.device "cpu:0"
  plan.device "cpu:1"
  plan.link "cpu:0" to "cpu:2"
}
// CHECK: expected a device of the topology ("cpu:0", "cpu:1"), got "cpu:2"

// -----

plan.topology @two_links {
  plan.device "cpu:0"
  plan.device "cpu:1"
  plan.link "cpu:0" to "cpu:1"
  plan.link "cpu:0" to "cpu:1" {latency = "1us"}
}
// CHECK: expected one link from "cpu:0" to "cpu:1", got another

// -----

plan.topology @loop {
  plan.device "cpu:0"
  plan.link "cpu:0" to "cpu:0"
}
// CHECK: expected a link between two devices, got "cpu:0" at both ends

// -----

plan.topology @memory {
  plan.device "cpu:0" {memory = "lots"}
}
// CHECK: expected an amount of memory such as "64MiB" (in B, kB, MB, GB, TB, KiB, MiB, GiB or TiB), got "lots"

// -----

plan.topology @no_memory {
  plan.device "cpu:0" {memory = "0B"}
}
// CHECK: expected memory of at least 1 byte, got "0B"

// -----

plan.topology @thread {
  plan.device "cpu:0" {thread = "shared"}
}
// CHECK: expected thread = "own", got "shared"

// -----

plan.topology @times {
  plan.device "cpu:0" {times = {default = "1us"}}
}
// CHECK: expected times only of a device of kind "sim", got kind "cpu"

// -----

plan.topology @time {
  plan.device "sim:0" {times = {stablehlo.add = "1 hour"}}
}
// CHECK: expected a time of stablehlo.add such as "5us" (in s, ms, us or ns), got "1 hour"

// -----

plan.topology @number {
  plan.device "sim:0" {times = {stablehlo.add = 5 : i64}}
}
// CHECK: expected a time of stablehlo.add such as "5us", got 5 : i64

// -----

plan.topology @bandwidth {
  plan.device "cpu:0"
  plan.device "cpu:1"
  plan.link "cpu:0" to "cpu:1" {bandwidth = "10GB"}
}
// CHECK: expected a bandwidth above zero such as "10GB/s" (in B, kB, MB, GB, TB, KiB, MiB, GiB or TiB per s), got "10GB"

// -----

plan.topology @latency {
  plan.device "cpu:0"
  plan.device "cpu:1"
  plan.link "cpu:0" to "cpu:1" {latency = "-5us"}
}
// CHECK: expected a latency such as "5us" (in s, ms, us or ns), got "-5us"

// -----

plan.topology @nameless {
  plan.device ""
}
// CHECK: expected the name of a device such as "cpu:1", got ""

// -----

plan.device "cpu:0"
// CHECK: 'plan.device' expects parent op 'plan.topology'

// -----

plan.topology @misspelt {
  plan.device "cpu:0" {memry = "64MiB"}
}
// CHECK: expected kind, memory, thread or times as an attribute of plan.device, got memry; did you mean 'memory'?

// -----

plan.topology @misspelt {
  plan.device "cpu:0" {kind = "simm"}
}
// CHECK: expected kind to be "cpu" or "sim", got "simm"; did you mean 'sim'?

// -----

plan.topology @misspelt {
  plan.device "sim:0" {times = {stablehlo.sin = "1us"}}
}
// CHECK: times: expected the name of an op of stablehlo, got "stablehlo.sin"; did you mean 'stablehlo.sine'?

// -----

plan.topology @misspelt {
  plan.device "cpu:0"
  plan.device "cpu:1"
  plan.link "cpu:0" to "cpu:1" {latncy = "5us"}
}
// CHECK: expected bandwidth or latency as an attribute of plan.link, got latncy; did you mean 'latency'?
