// What rules ask of operands and results, and of what is around an operation.
//
// RUN: hetero-opt %s --hetero-annotate=rules=%S/Inputs/tensors.yaml | FileCheck %s
// RUN: hetero-opt %s --hetero-annotate=rules=%S/Inputs/tensors.yaml --hetero-annotate=rules=%S/Inputs/tensors.yaml | FileCheck %s
// RUN: not hetero-opt %s --hetero-annotate='rules={[{shape: 4x-1, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not hetero-opt %s --hetero-annotate='rules={[{rank: two, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not hetero-opt %s --hetero-annotate='rules={[{operand: 1, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=OPERAND
// RUN: not hetero-opt %s --hetero-annotate='rules={[{result: {sort: f32}, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not hetero-opt %s --hetero-annotate='rules={[{max_elements: -1, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=ELEMENTS

// SHAPE: <rules>:1:10: error: expected shape to be sizes like 1x3x?x*, with ? for a dynamic size, * for any, and ... at one end for more of them, got '4x-1'
// RANK: <rules>:1:9: error: expected rank to be a number from 0, got 'two'
// OPERAND: <rules>:1:12: error: expected operand to be a mapping, got a value; the keys are dtype, shape, rank, min_elements, max_elements, index
// KEY: <rules>:1:12: error: unknown key 'sort' in result; the keys are dtype, shape, rank, min_elements, max_elements, index
// ELEMENTS: <rules>:1:17: error: expected max_elements to be a number that is not negative, got '-1'

// A whole shape, sizes of which some are any, and sizes at one end.

// CHECK-LABEL: @shapes
func.func @shapes(%a: tensor<4x8xf32>, %b: tensor<?x8xf32>, %c: tensor<2x3x16x16xf32>, %d: tensor<5x16x16xf32>) {
  // CHECK: linalg.exp {{.*}}origin = "rule 1"
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.exp {{.*}}origin = "rule 2"
  %1 = linalg.exp ins(%b : tensor<?x8xf32>) outs(%b : tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: linalg.exp {{.*}}origin = "rule 3"
  %2 = linalg.exp ins(%c : tensor<2x3x16x16xf32>) outs(%c : tensor<2x3x16x16xf32>) -> tensor<2x3x16x16xf32>
  // CHECK: linalg.exp ins
  %3 = linalg.exp ins(%d : tensor<5x16x16xf32>) outs(%d : tensor<5x16x16xf32>) -> tensor<5x16x16xf32>
  return
}

// Rank and number of elements, of results; a dynamic size counts as in costs.

// CHECK-LABEL: @elements
func.func @elements(%a: tensor<100xf32>, %b: tensor<?xf32>, %c: tensor<1000xf32>, %d: tensor<f32>) {
  // CHECK: linalg.abs {{.*}}origin = "rule 4"
  %0 = linalg.abs ins(%a : tensor<100xf32>) outs(%a : tensor<100xf32>) -> tensor<100xf32>
  // CHECK: linalg.abs {{.*}}origin = "rule 5"
  %1 = linalg.abs ins(%b : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: linalg.abs ins
  %2 = linalg.abs ins(%c : tensor<1000xf32>) outs(%c : tensor<1000xf32>) -> tensor<1000xf32>
  // CHECK: linalg.abs {{.*}}origin = "rule 6"
  %3 = linalg.abs ins(%d : tensor<f32>) outs(%d : tensor<f32>) -> tensor<f32>
  return
}

// All conditions hold for one operand; one of a number, or any.

// CHECK-LABEL: @operands
func.func @operands(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>, %e: tensor<4x8xf32>, %n: tensor<4x4xbf16>) {
  // CHECK: linalg.matmul {{.*}}origin = "rule 7"
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.matmul ins
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.matvec {{.*}}origin = "rule 8"
  %2 = linalg.matvec ins(%n, %c : tensor<4x4xbf16>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.matvec ins
  %3 = linalg.matvec ins(%a, %c : tensor<4x4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return
}

// Inside of a loop, at any depth.

// CHECK-LABEL: @regions
func.func @regions(%a: tensor<4xf32>, %n: index, %p: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  // CHECK: linalg.floor ins
  %0 = linalg.floor ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %n iter_args(%b = %0) -> tensor<4xf32> {
    %2 = scf.if %p -> tensor<4xf32> {
      // CHECK: linalg.floor {{.*}}origin = "rule 9"
      %3 = linalg.floor ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    } else {
      scf.yield %b : tensor<4xf32>
    }
    scf.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
