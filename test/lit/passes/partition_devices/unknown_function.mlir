// RUN: not anabranch-opt %s -p "partition-devices{function=nope}" 2>&1 | filecheck %s

// CHECK: expected a function @nope, the module has @main
func.func @main() {
  return
}
