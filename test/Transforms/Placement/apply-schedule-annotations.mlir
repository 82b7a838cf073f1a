// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file --verify-diagnostics | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-apply-schedule --hetero-apply-schedule --split-input-file -o %t.twice 2>/dev/null
// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file 2>/dev/null | diff %t.twice -
// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file --mlir-print-debuginfo 2>/dev/null | FileCheck %s --check-prefix=LOC
// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file --remarks-filter=hetero-apply-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// What transforms put in the place of an annotated operation has its annotation:
// nobody need run hetero-annotate before. Nothing is left of how that is found.
// LOC-NOT: annotation =

// Acts: another form of the operation.
// REMARK: summary {{.*}}carried=2, dropped=0
// CHECK-LABEL: func.func @generalized
// CHECK: linalg.generic {{.*}}{hetero.colocate = "a", hetero.device = #hetero.device<gpu:1>}
// CHECK: linalg.generic {{.*}}{hetero.device = #hetero.device<cpu>}
// CHECK: linalg.exp ins
module attributes {transform.with_named_sequence} {
  func.func @generalized(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:1>, hetero.colocate = "a"} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.abs {hetero.device = #hetero.device<cpu>} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Several operations for one: all of them, but what is made again wherever it is
// needed.
// REMARK: summary {{.*}}carried=1, dropped=0
// CHECK-LABEL: func.func @decomposed
// CHECK: tensor.empty() :
// CHECK-COUNT-4: linalg.generic {{.*}}{hetero.device = #hetero.device<gpu:0>}
// CHECK-NOT: linalg.generic
module attributes {transform.with_named_sequence} {
  func.func @decomposed(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.softmax {hetero.device = #hetero.device<gpu:0>} dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Control flow, and must not act: a tile keeps the annotation, and what cuts and
// joins tiles stays open.
// REMARK: summary {{.*}}carried=0, dropped=0
// CHECK-LABEL: func.func @tiled
// CHECK: scf.for
// CHECK: tensor.extract_slice
// CHECK-NOT: hetero.device
// CHECK: linalg.abs {hetero.device = #hetero.device<gpu:0>}
// CHECK-NOT: hetero.device
// CHECK: return
module attributes {transform.with_named_sequence} {
  func.func @tiled(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Conflict: where nothing comes in its place, or nothing that can run there, the
// annotation is lost, which is said.
// REMARK: summary {{.*}}carried=0, dropped=1
module attributes {transform.with_named_sequence} {
  func.func @gone(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
    // expected-warning@+1 {{the schedule drops this 'linalg.abs' op, annotated with gpu:0; place what comes in its place with transform.hetero.place_on}}
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %0 : !transform.any_op
    transform.yield
  }
}

// -----

// Call: of what is in a callee, too. A schedule that places what it makes itself
// has the last word.
// REMARK: summary {{.*}}carried=0, dropped=0
// CHECK-LABEL: func.func private @callee
// CHECK: linalg.generic {{.*}}{hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at
module attributes {transform.with_named_sequence} {
  func.func private @callee(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @caller(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @callee(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.hetero.place_on %1 {device = #hetero.device<gpu:1>} : !transform.any_op
    transform.yield
  }
}

// -----

// Vectors are the host's: what reads and writes them has no device.
// REMARK: summary {{.*}}carried=0, dropped=1
// CHECK-LABEL: func.func @vectorized
// CHECK: vector.transfer_write
module attributes {transform.with_named_sequence} {
  func.func @vectorized(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
    // expected-warning@+1 {{the schedule drops this 'linalg.abs' op, annotated with gpu:0; place what comes in its place with transform.hetero.place_on}}
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %0 : !transform.any_op
    transform.yield
  }
}

// -----

// What comes in its place may not run there.
// REMARK: summary {{.*}}carried=0, dropped=1
module attributes {transform.with_named_sequence} {
  func.func @incapable(%x: tensor<4xf128>, %e: tensor<4xf128>) -> tensor<4xf128> {
    // expected-warning@+1 {{the schedule drops this 'linalg.abs' op, annotated with gpu:0, and what comes in its place cannot run there: no gpu kernel for linalg.generic on elements of type f128; place}}
    %0 = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%x : tensor<4xf128>) outs(%e : tensor<4xf128>) -> tensor<4xf128>
    return %0 : tensor<4xf128>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
