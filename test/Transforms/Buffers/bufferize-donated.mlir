// RUN: hetero-opt %s --hetero-pipeline=stop-after=planned | FileCheck %s -enable-var-scope

#gpu = #hetero.device<gpu:0>

// Acts: the result is where the argument was, without an allocation.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT: memref.alloc
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %arg1 : {{.*}}) outs(%[[SUM]] :
// CHECK-NOT: memref.dealloc
// CHECK: return %[[SUM]]
func.func @elementwise(%sum: tensor<64xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<64xf32> {hetero.device = #gpu}) -> (tensor<64xf32> {hetero.device = #gpu}) {
  %0 = arith.addf %sum, %x {hetero.device = #gpu} : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// On the host as well, and where an operation reads its destination.
// CHECK-LABEL: func.func @on_host(
// CHECK-NOT: memref.alloc
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: return %[[SUM]]
func.func @on_host(%sum: tensor<64xf32> {hetero.donated}, %x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = arith.addf %sum, %x {hetero.device = #hetero.device<cpu:0>} : tensor<64xf32>
  return %0 : tensor<64xf32>
}
// CHECK-LABEL: func.func @product(
// CHECK-NOT: memref.alloc
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: linalg.matmul {{.*}} outs(%[[SUM]] :
// CHECK: return %[[SUM]]
func.func @product(%sum: tensor<8x8xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<8x8xf32> {hetero.device = #gpu}) -> (tensor<8x8xf32> {hetero.device = #gpu}) {
  %0 = linalg.matmul {hetero.device = #gpu} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%sum : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Must not act: an argument that is not donated is never written to.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: hetero.adopt
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: outs(%[[NEW]] :
// CHECK: return %[[NEW]]
func.func @kept(%sum: tensor<64xf32> {hetero.device = #gpu}, %x: tensor<64xf32> {hetero.device = #gpu}) -> (tensor<64xf32> {hetero.device = #gpu}) {
  %0 = arith.addf %sum, %x {hetero.device = #gpu} : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Nothing to do: what is returned as it came, is the argument's buffer.
// CHECK-LABEL: func.func @as_it_is(
// CHECK-NOT: memref.alloc
// CHECK: %[[SAME:.*]] = hetero.adopt %arg0
// CHECK-NEXT: return %[[SAME]]
func.func @as_it_is(%x: tensor<64xf32> {hetero.device = #gpu, hetero.donated}) -> (tensor<64xf32> {hetero.device = #gpu}) {
  return %x : tensor<64xf32>
}

// Conflict: a product reads all of a row that it would have overwritten; the
// argument is freed.
// CHECK-LABEL: func.func @read_later(
// CHECK: %[[OLD:.*]] = hetero.adopt %arg0
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: linalg.matmul {{.*}} ins(%[[OLD]], %[[OLD]] : {{.*}}) outs(%[[NEW]] :
// CHECK: memref.dealloc %[[OLD]]
// CHECK: return %[[NEW]]
func.func @read_later(%x: tensor<8x8xf32> {hetero.device = #gpu, hetero.donated}, %init: tensor<8x8xf32> {hetero.device = #gpu}) -> (tensor<8x8xf32> {hetero.device = #gpu}) {
  %0 = linalg.matmul {hetero.device = #gpu} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Control flow: a loop goes on in the buffer that it gets.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: memref.alloc
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: scf.for
// CHECK: linalg.matmul {{.*}} outs(%[[SUM]] :
// CHECK-NOT: memref.dealloc
// CHECK: return %[[SUM]]
func.func @loop(%sum: tensor<8x8xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<8x8xf32> {hetero.device = #gpu}) -> (tensor<8x8xf32> {hetero.device = #gpu}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%it = %sum) -> tensor<8x8xf32> {
    %0 = linalg.matmul {hetero.device = #gpu} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%it : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<8x8xf32>
}

// The same elementwise, where the operation reads what it overwrites.
// CHECK-LABEL: func.func @elementwise_loop(
// CHECK-NOT: memref.alloc
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[SUM]] :
// CHECK-NOT: memref.dealloc
// CHECK: return %[[SUM]]
func.func @elementwise_loop(%sum: tensor<64xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<64xf32> {hetero.device = #gpu}) -> (tensor<64xf32> {hetero.device = #gpu}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%it = %sum) -> tensor<64xf32> {
    %0 = arith.addf %it, %x {hetero.device = #gpu} : tensor<64xf32>
    scf.yield %0 : tensor<64xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<64xf32>
}

// Must not act: the loop goes on from what was donated, but that is returned,
// too.
// CHECK-LABEL: func.func @needed_after_loop(
// CHECK: %[[SUM:.*]] = hetero.adopt %arg0
// CHECK: memref.alloc
// CHECK-NOT: outs(%[[SUM]] :
// CHECK: return
func.func @needed_after_loop(%sum: tensor<64xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<64xf32> {hetero.device = #gpu}) -> (tensor<64xf32> {hetero.device = #gpu}, tensor<64xf32> {hetero.device = #gpu}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%it = %sum) -> tensor<64xf32> {
    %0 = arith.addf %it, %x {hetero.device = #gpu} : tensor<64xf32>
    scf.yield %0 : tensor<64xf32>
  } {hetero.carried = [#gpu]}
  return %sum, %r : tensor<64xf32>, tensor<64xf32>
}

// Call: a private function writes to what the entry point was given.
// CHECK-LABEL: func.func private @add(
// CHECK-LABEL: func.func @call(
// CHECK-NOT: memref.copy
// CHECK: hetero.adopt %arg0
// CHECK: call @add(
func.func private @add(%sum: tensor<8x8xf32> {hetero.device = #gpu}, %x: tensor<8x8xf32> {hetero.device = #gpu}) -> (tensor<8x8xf32> {hetero.device = #gpu}) {
  %0 = linalg.matmul {hetero.device = #gpu} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%sum : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @call(%sum: tensor<8x8xf32> {hetero.device = #gpu, hetero.donated}, %x: tensor<8x8xf32> {hetero.device = #gpu}) -> (tensor<8x8xf32> {hetero.device = #gpu}) {
  %0 = call @add(%sum, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
