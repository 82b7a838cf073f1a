// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen" --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline -o %t.mlir
// RUN: not hetero-run %s --entry=part --input=7xf32=iota 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: hetero-run %s --entry=part_if --input=7xf32=iota --input=i1=0 --expected=7xf32=iota
// RUN: not hetero-run %s --entry=part_if --input=7xf32=iota --input=i1=1 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not hetero-run %s --entry=memory 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: expected {{.*}} negative-sizes.mlir:{{[0-9]+}}:{{[0-9]+}} to {{stay inside|be 0 or more}}

// Acts: a size that is negative whatever runs is an error where the program gets
// there, and 0 for what follows.
// CHECK-LABEL: @part(
// CHECK: cf.assert
// CHECK-NOT: [%c-5
// CHECK: return
func.func @part(%t: tensor<?xf32>) -> tensor<?xf32> {
  %minus = arith.constant -5 : index
  %0 = tensor.extract_slice %t[0] [%minus] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %t[2] [%minus] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// The same where it is computed, and in a branch that need not be taken.
// CHECK-LABEL: @part_if(
// CHECK: cf.assert
// CHECK: tensor.extract_slice %{{.+}}[0] [0] [1]
func.func @part_if(%t: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %minus = arith.subi %c3, %c8 : index
  %r = scf.if %p -> (tensor<?xf32>) {
    %0 = tensor.extract_slice %t[0] [%minus] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Memory, too.
// CHECK-LABEL: @memory(
// CHECK: cf.assert
// CHECK: memref.alloc(%c0{{.*}})
func.func @memory() -> index {
  %c0 = arith.constant 0 : index
  %minus = arith.constant -5 : index
  %m = memref.alloc(%minus) : memref<?xf32>
  %v = memref.subview %m[0] [%minus] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %n = memref.dim %v, %c0 : memref<?xf32, strided<[1]>>
  return %n : index
}

// Must not act: what may be positive.
// CHECK-LABEL: @must_not(
// CHECK-SAME: %[[N:[^ ]+]]: index
// CHECK: %[[INNER:[^ ]+]] = %[[N]] : index
// CHECK: tensor.extract_slice %{{.+}}[0] [%[[INNER]]] [1]
func.func @must_not(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.extract_slice %t[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
