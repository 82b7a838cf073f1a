// RUN: hetero-opt %s --hetero-annotate='rules={rules: [{op: linalg.exp, device: gpu:0}, {op: func.call, device: gpu:1}, {op: scf.for, device: gpu:1}]}' 2>&1 | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate='rules=[{op: linalg.exp, device: gpu:0}]' --hetero-annotate='rules=[{op: linalg.exp, device: gpu:1}]' | FileCheck %s --check-prefix=AGAIN

// Calls are the host's and are not matched, so their rule matches nothing.
// CHECK: <rules>:1:{{[0-9]+}}: warning: rule 2 matches no operation

// Already done: what an earlier run annotated is an annotation, and stands.
// AGAIN-LABEL: func.func @acts
// AGAIN: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// AGAIN-NOT: gpu:1

// Acts: what a rule matches gets the device and the number of the rule; nothing
// else about it changes, and what no rule matches stays as it is.
// CHECK-LABEL: func.func @acts
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"} ins(%arg0 : tensor<4xf32>)
// CHECK: linalg.abs ins
func.func @acts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Must not act: an operation on buffers is not placed.
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: linalg.exp ins
func.func @buffers(%x: memref<4xf32>) {
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// Conflict: the annotation in the program wins over the rule that matches.
// CHECK-LABEL: func.func @conflict
// CHECK: linalg.exp {hetero.device = #hetero.device<cpu>} ins
func.func @conflict(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp {hetero.device = #hetero.device<cpu>} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Control flow: a loop that a rule matches carries the default for its body,
// where a rule of an operation comes first.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK: linalg.abs ins
// CHECK: } {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 3"}
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<4xf32>) {
    %1 = linalg.exp ins(%c : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.abs ins(%1 : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Call: what is in the callee is matched there.
// CHECK-LABEL: func.func private @callee
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK-LABEL: func.func @caller
// CHECK: call @callee(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
