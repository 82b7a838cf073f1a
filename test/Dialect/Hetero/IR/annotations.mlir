// Attributes of users, as they are printed.
// RUN: hetero-opt %s --verify-roundtrip | FileCheck %s

// CHECK: module attributes {hetero.conflict = #hetero.conflict<warn>}
module attributes {hetero.conflict = #hetero.conflict<warn>} {
  // CHECK: @f(%{{.*}}: tensor<4xf32> {hetero.conflict = #hetero.conflict<replicate>, hetero.memory = #hetero.memory<unified>}) attributes {hetero.conflict = #hetero.conflict<error>}
  func.func @f(%x: tensor<4xf32> {hetero.conflict = #hetero.conflict<replicate>, hetero.memory = #hetero.memory<unified>})
      attributes {hetero.conflict = #hetero.conflict<error>} {
    // CHECK: math.exp %{{.*}} {hetero.conflict = #hetero.conflict<copy>, hetero.memory = #hetero.memory<device>}
    %0 = math.exp %x {hetero.conflict = #hetero.conflict<copy>, hetero.memory = #hetero.memory<device>} : tensor<4xf32>
    return
  }
}
