// RUN: hetero-opt %s --hetero-apply-schedule --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-apply-schedule --hetero-apply-schedule --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-apply-schedule=file=%S/Inputs/schedule.mlir --split-input-file | FileCheck %s -enable-var-scope --check-prefix=FILE
// RUN: hetero-opt %s --hetero-pipeline="schedule=%S/Inputs/schedule.mlir stop-after=placed" --split-input-file | FileCheck %s -enable-var-scope --check-prefix=FILE
// RUN: hetero-opt %s --hetero-pipeline=stop-after=gpu --split-input-file -o /dev/null
// RUN: not hetero-opt %s --hetero-apply-schedule=file=%S/Inputs/conv.yaml --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not hetero-opt %s --hetero-apply-schedule=file=%t.nowhere --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not hetero-opt %s --hetero-apply-schedule=file=%S/annotate.mlir --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOMAIN

// TEXT: conv.yaml:1:1: error:
// NOWHERE: error: cannot read the schedule '{{.*}}.nowhere'; name a file of the transform dialect
// NOMAIN: annotate.mlir:{{.*}}: error: expected a module with transform.with_named_sequence and a transform.named_sequence @__transform_main; name the sequence that is to run so

// Acts: the schedule in the module runs and goes, with the sequences that it
// includes; one in a file runs instead, and the module's goes as well.

// CHECK: module {
// FILE: module {{.*}}{
// FILE-NOT: transform
module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @acts
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1>, hetero.origin = "schedule at
  // CHECK-NOT: transform
  // FILE-LABEL: func.func @acts
  // FILE: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "schedule at schedule.mlir:4:5"}
  // FILE-NOT: transform
  func.func @acts(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @place(%ops: !transform.any_op {transform.readonly}) {
    transform.hetero.place_on %ops {device = #hetero.device<gpu:1>} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @place failures(propagate) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Must not act: a module without a schedule.

// CHECK-LABEL: func.func @none
// CHECK: linalg.exp ins
// FILE-LABEL: func.func @none
// FILE: linalg.exp {hetero.device = #hetero.device<gpu:0>
func.func @none(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A library of sequences without a main one goes without running.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @library
  // CHECK: linalg.exp ins
  // CHECK-NOT: transform
  func.func @library(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  transform.named_sequence @place(%ops: !transform.any_op {transform.readonly}) {
    transform.hetero.place_on %ops {device = #hetero.device<gpu:1>} : !transform.any_op
    transform.yield
  }
}
