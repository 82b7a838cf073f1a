// RUN: hetero-opt %s --hetero-codegen --remarks-filter=hetero-codegen 2>%t.remarks | FileCheck %s --enable-var-scope
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -
// RUN: hetero-opt %s --hetero-codegen --hetero-verify --hetero-bufferize --hetero-verify | FileCheck %s --check-prefix=BUFFERS --enable-var-scope

// The third run is what is already done: calls stay calls.

// REMARK-DAG: merge-kernels.mlir:[[#@LINE+28]]:{{.*}} [Passed] kernel {{.*}} Remark="call of @equal_kernel, as in 4 places"
// REMARK-DAG: [Missed] kernel {{.*}} Reason="it uses a part of a tensor", Remark="code of its own"
// REMARK-DAG: [Missed] kernel {{.*}} Reason="its result is a part of a tensor", Remark="code of its own"
// REMARK-DAG: summary | Category:hetero-codegen | kernel-calls=4, kernels=1, regions=6

!matrix = tensor<32x32xf32>

module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// Acts: two layers of one shape are one function, which takes what differs. On
// buffers it returns nothing, and writes to its last argument.
// CHECK-LABEL: func.func @equal(
// CHECK:      %[[FIRST:.+]] = hetero.invoke @equal_kernel ins(%{{.+}}, %{{.+}} : tensor<32x32xf32>, tensor<32x32xf32>) outs(
// CHECK-NEXT: hetero.invoke @equal_kernel ins(%[[FIRST]], %{{.+}} : tensor<32x32xf32>, tensor<32x32xf32>) outs(
// CHECK-NOT:  vector.
// CHECK:      func.func private @equal_kernel(%{{.*}}: tensor<32x32xf32>, %{{.*}}: tensor<32x32xf32>, %{{.*}}: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {hetero.kernel} {
// CHECK:      vector.transfer_write
// BUFFERS-LABEL: func.func @equal(
// BUFFERS-COUNT-2: hetero.invoke @equal_kernel ins({{.*}} : memref<32x32xf32>, memref<32x32xf32>) outs(%{{.*}} : memref<32x32xf32>)
// BUFFERS:       func.func private @equal_kernel(%{{.*}}: memref<32x32xf32>, %{{.*}}: memref<32x32xf32>, %{{.*}}: memref<32x32xf32>) attributes {hetero.kernel} {
// BUFFERS-NOT:   memref.alloc
// BUFFERS-NOT:   memref.copy
// BUFFERS:       return
func.func @equal(%x: !matrix, %v: !matrix, %w: !matrix) -> !matrix {
  %r = hetero.execute "equal" on #hetero.device<cpu:0> (%a = %x : !matrix, %b = %v : !matrix, %c = %w : !matrix) -> (!matrix) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : !matrix
    %f = linalg.fill ins(%zero : f32) outs(%e : !matrix) -> !matrix
    %0 = linalg.matmul ins(%a, %b : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    %1 = linalg.matmul ins(%0, %c : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    hetero.yield %1 : !matrix
  }
  return %r : !matrix
}

// A call: a function that is called for each layer has the kernel of others.
// CHECK-LABEL: func.func @call(
// CHECK:      hetero.invoke @equal_kernel
// CHECK-NOT:  vector.
// CHECK:      return
func.func @call(%x: !matrix, %v: !matrix) -> !matrix {
  %r = hetero.execute "call" on #hetero.device<cpu:0> (%a = %x : !matrix, %b = %v : !matrix) -> (!matrix) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : !matrix
    %f = linalg.fill ins(%zero : f32) outs(%e : !matrix) -> !matrix
    %0 = linalg.matmul ins(%a, %b : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    hetero.yield %0 : !matrix
  }
  return %r : !matrix
}

// Must not act: a kernel that is there once stays in its region, and so do two
// that differ in a number, for which code is made.
// CHECK-LABEL: func.func @different(
// CHECK-NOT:  hetero.invoke
// CHECK:      return
func.func @different(%x: !matrix) -> !matrix {
  %r = hetero.execute "different" on #hetero.device<cpu:0> (%a = %x : !matrix) -> (!matrix) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : !matrix
    %f = linalg.fill ins(%zero : f32) outs(%e : !matrix) -> !matrix
    %g = linalg.fill ins(%one : f32) outs(%e : !matrix) -> !matrix
    %0 = linalg.matmul ins(%a, %a : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    %1 = linalg.matmul ins(%0, %0 : !matrix, !matrix) outs(%g : !matrix) -> !matrix
    hetero.yield %1 : !matrix
  }
  return %r : !matrix
}

// Control flow: a kernel in a loop is called there.
// CHECK-LABEL: func.func @control_flow(
// CHECK:      scf.for
// CHECK:      hetero.invoke @equal_kernel
// CHECK:      scf.yield
func.func @control_flow(%n: index, %x: !matrix, %v: !matrix) -> !matrix {
  %r = hetero.execute "control_flow" on #hetero.device<cpu:0> (%a = %x : !matrix, %b = %v : !matrix, %m = %n : index) -> (!matrix) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %m step %c1 iter_args(%c = %a) -> (!matrix) {
      %e = tensor.empty() : !matrix
      %f = linalg.fill ins(%zero : f32) outs(%e : !matrix) -> !matrix
      %1 = linalg.matmul ins(%c, %b : !matrix, !matrix) outs(%f : !matrix) -> !matrix
      scf.yield %1 : !matrix
    }
    hetero.yield %0 : !matrix
  }
  return %r : !matrix
}

// Conflict: parts of tensors are where they are in memory, and a kernel takes
// tensors that are whole.
// CHECK-LABEL: func.func @parts(
// CHECK-NOT:  hetero.invoke
// CHECK:      return
func.func @parts(%x: tensor<32x64xf32>, %v: !matrix) -> tensor<32x64xf32> {
  %r = hetero.execute "parts" on #hetero.device<cpu:0> (%a = %x : tensor<32x64xf32>, %b = %v : !matrix) -> (tensor<32x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : !matrix
    %f = linalg.fill ins(%zero : f32) outs(%e : !matrix) -> !matrix
    %left = tensor.extract_slice %a[0, 0] [32, 32] [1, 1] : tensor<32x64xf32> to !matrix
    %0 = linalg.matmul ins(%left, %b : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    %1 = linalg.matmul ins(%b, %b : !matrix, !matrix) outs(%f : !matrix) -> !matrix
    %2 = tensor.insert_slice %0 into %a[0, 0] [32, 32] [1, 1] : !matrix into tensor<32x64xf32>
    %3 = tensor.insert_slice %1 into %2[0, 32] [32, 32] [1, 1] : !matrix into tensor<32x64xf32>
    hetero.yield %3 : tensor<32x64xf32>
  }
  return %r : tensor<32x64xf32>
}

// Must not act: a call would take longer than what it does.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:  hetero.invoke
func.func @small(%x: tensor<16xf32>) -> tensor<16xf32> {
  %r = hetero.execute "small" on #hetero.device<cpu:0> (%a = %x : tensor<16xf32>) -> (tensor<16xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %d = tensor.empty() : tensor<16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %0 = linalg.reduce {arith.addf} ins(%a : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
    %1 = linalg.broadcast ins(%0 : tensor<f32>) outs(%d : tensor<16xf32>) dimensions = [0]
    %2 = linalg.reduce {arith.addf} ins(%1 : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
    %3 = linalg.broadcast ins(%2 : tensor<f32>) outs(%d : tensor<16xf32>) dimensions = [0]
    hetero.yield %3 : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

}
