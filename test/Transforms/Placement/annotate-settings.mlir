// Rules without a device set what they have, and do not compete with those that
// place: of either sort the first that matches holds. What the program says
// stays.
//
// DEFINE: %{rules} = rules={conflict: warn, rules: [{op: math.exp, nth: 1, conflict: error, memory: unified}, {op: "math.*", conflict: replicate, allow_tf32: false}, {op: math.exp, conflict: copy}, {op: math.exp, device: gpu:0}, {op: scf.for, device: gpu:1, conflict: error}]}
// RUN: hetero-opt %s --hetero-annotate='%{rules}' 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=IDLE < %t.txt
// RUN: hetero-opt %s --hetero-annotate='%{rules}' 2>/dev/null > %t.once.mlir
// RUN: hetero-opt %t.once.mlir --hetero-annotate='%{rules}' 2>/dev/null | diff %t.once.mlir -
// RUN: sed 's/^module {/module attributes {hetero.conflict = #hetero.conflict<copy>} {/' %s | hetero-opt --hetero-annotate='%{rules}' 2>/dev/null | FileCheck %s --check-prefix=OWN
// RUN: not hetero-opt %s --hetero-annotate='rules={[{op: math.exp, conflict: maybe}]}' 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not hetero-opt %s --hetero-annotate='rules={[{op: math.exp, memory: shared}]}' 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not hetero-opt %s --hetero-annotate='rules={[{op: math.exp, conflict: copy, unit: a}]}' 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not hetero-opt %s --hetero-annotate='rules={conflict: none}' 2>&1 | FileCheck %s --check-prefix=FILE

// IDLE: warning: rule 3 sets nothing: earlier rules without a device match all that it matches; move it up or remove it
// IDLE-NOT: warning:
// OWN: hetero.conflict = #hetero.conflict<copy>
// MODE: <rules>:1:{{[0-9]+}}: error: expected conflict to be copy, replicate, warn or error, got 'maybe'
// MEMORY: <rules>:1:{{[0-9]+}}: error: expected memory to be device or unified, got 'shared'
// UNIT: <rules>:1:{{[0-9]+}}: error: expected a device in rule 1
// FILE: <rules>:1:{{[0-9]+}}: error: expected conflict to be copy, replicate, warn or error, got 'none'

// CHECK: module attributes {hetero.conflict = #hetero.conflict<warn>
module {
  // CHECK-LABEL: @f
  func.func @f(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
    // CHECK: math.exp {{.*}} {hetero.allow_tf32 = false, hetero.conflict = #hetero.conflict<replicate>, hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 4"}
    %0 = math.exp %x : tensor<4xf32>
    // CHECK: math.exp {{.*}} {hetero.conflict = #hetero.conflict<error>, hetero.device = #hetero.device<gpu:0>, hetero.memory = #hetero.memory<unified>, hetero.origin = "rule 4"}
    %1 = math.exp %0 : tensor<4xf32>
    // CHECK: math.sin {{.*}} {hetero.allow_tf32 = false, hetero.conflict = #hetero.conflict<copy>, hetero.device = #hetero.device<cpu>}
    %2 = math.sin %1 {hetero.conflict = #hetero.conflict<copy>, hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    // CHECK: arith.negf %{{.*}} : tensor
    %3 = arith.negf %2 : tensor<4xf32>
    %4 = scf.for %i = %n to %n step %n iter_args(%a = %3) -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    // CHECK: } {hetero.conflict = #hetero.conflict<error>, hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 5"}
    }
    return %4 : tensor<4xf32>
  }
}
