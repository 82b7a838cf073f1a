// RUN: hetero-opt %s --hetero-to-llvm --split-input-file | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>} {
// Each failure leaves through one block that returns the status; code after a
// failed call does not run.
// CHECK-LABEL: llvm.func internal @two_calls() -> i32
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[FIRST:.*]] = llvm.call @heteroWait
// CHECK: %[[FAILED:.*]] = llvm.icmp "ne" %[[FIRST]], %[[ZERO]]
// CHECK: llvm.cond_br %[[FAILED]], ^[[FAILURE:.*]](%[[FIRST]] : i32), ^[[NEXT:bb[0-9]+]]
// CHECK: ^[[NEXT]]:
// CHECK: %[[SECOND:.*]] = llvm.call @heteroWait
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILURE]](%[[SECOND]] : i32), ^[[LAST:bb[0-9]+]]
// CHECK: ^[[LAST]]:
// CHECK: llvm.return %[[ZERO]] : i32
// CHECK: ^[[FAILURE]](%[[STATUS:.*]]: i32):
// CHECK: llvm.return %[[STATUS]] : i32
func.func private @two_calls() {
  hetero.wait on #hetero.device<gpu:0>
  hetero.wait on #hetero.device<gpu:1>
  return
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// A function that cannot fail has no failure block.
// CHECK-LABEL: llvm.func internal @no_calls
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
func.func private @no_calls(%x: i32) -> i32 {
  return %x : i32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// A callee's status is checked before its result is used, and goes up.
// CHECK-LABEL: llvm.func internal @caller() -> !llvm.struct<(i32, i32)>
// CHECK: %[[PACK:.*]] = llvm.call @callee() : () -> !llvm.struct<(i32, i32)>
// CHECK: %[[STATUS:.*]] = llvm.extractvalue %[[PACK]][0]
// CHECK: %[[RESULT:.*]] = llvm.extractvalue %[[PACK]][1]
// CHECK: %[[FAILED:.*]] = llvm.icmp "ne" %[[STATUS]]
// CHECK: llvm.cond_br %[[FAILED]], ^[[FAILURE:.*]](%[[STATUS]] : i32), ^
// CHECK: %[[SUM:.*]] = llvm.add %[[RESULT]], %[[RESULT]]
// CHECK: ^[[FAILURE]](%[[CODE:.*]]: i32):
// CHECK: %[[RETURNED:.*]] = llvm.insertvalue %[[CODE]], %{{.*}}[0]
// CHECK: llvm.return %[[RETURNED]]
func.func private @callee() -> i32 {
  %c1 = arith.constant 1 : i32
  hetero.wait on #hetero.device<gpu:0>
  return %c1 : i32
}
func.func private @caller() -> i32 {
  %0 = call @callee() : () -> i32
  %1 = arith.addi %0, %0 : i32
  return %1 : i32
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// A failure in a loop leaves the loop, and slots for addresses do not grow the
// stack with each iteration.
// CHECK-LABEL: llvm.func internal @loop
// CHECK: llvm.alloca
// CHECK: llvm.br ^[[HEADER:.*]](
// CHECK: ^[[HEADER]](
// CHECK-NOT: llvm.alloca
// CHECK: %[[STATUS:.*]] = llvm.call @heteroAlloc
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILURE:.*]](%[[STATUS]] : i32), ^
// CHECK: llvm.br ^[[HEADER]](
// CHECK: ^[[FAILURE]](
// CHECK: llvm.return
func.func private @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d = gpu.alloc (%i) {hetero.device = #hetero.device<gpu:0>} : memref<?xf32>
    gpu.dealloc %d {hetero.device = #hetero.device<gpu:0>} : memref<?xf32>
  }
  return
}
}

// -----

module attributes {hetero.phase = #hetero.phase<gpu>} {
// Both arms of a branch share the failure block.
// CHECK-LABEL: llvm.func internal @branch
// CHECK: llvm.call @heteroWait
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILURE:.*]](%{{.*}} : i32), ^
// CHECK: llvm.call @heteroWait
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILURE]](%{{.*}} : i32), ^
// CHECK: ^[[FAILURE]](
func.func private @branch(%p: i1) {
  scf.if %p {
    hetero.wait on #hetero.device<gpu:0>
  } else {
    hetero.wait on #hetero.device<gpu:1>
  }
  return
}
}

// -----

// A lowered module is left as it is.
// CHECK-LABEL: llvm.func @lowered
// CHECK-NEXT: llvm.return
module attributes {hetero.phase = #hetero.phase<llvm>} {
llvm.func @lowered() {
  llvm.return
}
}
