// RUN: hetero-opt %s --hetero-bufferize --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-bufferize -o %t.once
// RUN: hetero-opt %t.once --hetero-bufferize | diff %t.once -

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
!host = tensor<4xf32>
!gpu0 = tensor<4xf32, #gpu0>

// CHECK: module attributes {hetero.phase = #hetero.phase<bufferized>}
module attributes {hetero.phase = #hetero.phase<codegen>} {

// Acts: a region's constants and allocations are in its device's memory, copies
// cross memory spaces under the value's name, and a mark is left of a region of
// the host.
// CHECK: memref.global "private" constant @[[$K:.+]] : memref<4xf32, #hetero.device<gpu:0>> = dense<[1.0
// CHECK-LABEL: func.func @acts
// CHECK-SAME: (%[[X:.+]]: memref<4xf32>) -> memref<4xf32>
// CHECK-DAG: %[[C:.+]] = memref.get_global @[[$K]] : memref<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: %[[D:.+]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: memref.copy %[[X]], %[[D]] {hetero.value = "%x of @acts"} : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[S:.+]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>, hetero.region = "acts_gpu0_0"} ins(%[[D]], %[[C]] : {{.*}}) outs(%[[S]] : memref<4xf32, #hetero.device<gpu:0>>)
// CHECK: %[[H:.+]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: memref.copy %[[S]], %[[H]] {hetero.value = "sum"}
// CHECK: hetero.host_region "acts_cpu0_0"
// CHECK: %[[R:.+]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: linalg.exp ins(%[[H]] : memref<4xf32>) outs(%[[R]] : memref<4xf32>)
// CHECK: hetero.end_host_region
// CHECK: return %[[R]]
func.func @acts(%x: !host) -> !host {
  %0 = hetero.copy %x {hetero.value = "%x of @acts"} : !host -> !gpu0
  %1 = hetero.execute "acts_gpu0_0" on #gpu0 (%a = %0 : !gpu0) -> (!gpu0) {
    %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.add ins(%a, %k : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  %3 = hetero.copy %1 {hetero.value = "sum"} : !gpu0 -> !host
  %4 = hetero.execute "acts_cpu0_0" on #cpu (%a = %3 : !host) -> (!host) {
    %e = tensor.empty() : tensor<4xf32>
    %5 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %5 : tensor<4xf32>
  }
  return %4 : !host
}

// Acts: the sizes of a copy's buffer are those of its source.
// CHECK-LABEL: func.func @dynamic_copy
// CHECK-SAME: (%[[X:.+]]: memref<?x3xf32>)
// CHECK: %[[N:.+]] = memref.dim %[[X]], %{{.+}} : memref<?x3xf32>
// CHECK: memref.alloc(%[[N]]) {{.*}} : memref<?x3xf32, #hetero.device<gpu:0>>
func.func @dynamic_copy(%x: tensor<?x3xf32>)
    -> (tensor<?x3xf32, #gpu0> {hetero.device = #gpu0}) {
  %0 = hetero.copy %x {hetero.value = "%x"} : tensor<?x3xf32> -> tensor<?x3xf32, #gpu0>
  return %0 : tensor<?x3xf32, #gpu0>
}

// Acts: results that have nothing in common but the tensor.empty that they are
// written to have a buffer each, before who writes to it; but an
// elementwise operation overwrites what it reads.
// CHECK-LABEL: func.func @separates_empty_tensors
// CHECK-SAME: (%[[X:.+]]: memref<4xf32>)
// CHECK: %[[A:.+]] = memref.alloc()
// CHECK-NEXT: linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK-NEXT: linalg.log ins(%[[A]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK-NEXT: %[[C:.+]] = memref.alloc()
// CHECK-NEXT: linalg.tanh ins(%[[A]] : memref<4xf32>) outs(%[[C]] : memref<4xf32>)
// CHECK-NEXT: %[[D:.+]] = memref.alloc()
// CHECK-NEXT: linalg.abs ins(%[[X]] : memref<4xf32>) outs(%[[D]] : memref<4xf32>)
// CHECK-NEXT: return %[[C]], %[[D]]
func.func @separates_empty_tensors(%x: !host) -> (!host, !host) {
  %e = tensor.empty() : !host
  %0 = linalg.exp ins(%x : !host) outs(%e : !host) -> !host
  %1 = linalg.log ins(%0 : !host) outs(%e : !host) -> !host
  %2 = linalg.tanh ins(%1 : !host) outs(%e : !host) -> !host
  %3 = linalg.abs ins(%x : !host) outs(%e : !host) -> !host
  return %2, %3 : !host, !host
}

// Acts: each operation that goes on with a fill has one of its own, before it,
// in a loop too, instead of a copy of the one that common subexpressions left.
// Who only reads it shares it.
// CHECK-LABEL: func.func @separates_fills
// CHECK: %[[READ:.+]] = memref.alloc()
// CHECK-NEXT: linalg.fill ins({{.*}}) outs(%[[READ]]
// CHECK: %[[A:.+]] = memref.alloc()
// CHECK-NEXT: linalg.fill ins({{.*}}) outs(%[[A]]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[B:.+]] = memref.alloc()
// CHECK-NEXT: linalg.fill ins({{.*}}) outs(%[[B]]
// CHECK-NEXT: linalg.matmul ins(%[[A]], %[[READ]] {{.*}} outs(%[[B]]
// CHECK-NOT: memref.copy
// CHECK: memref.copy %{{.+}}, %[[START:.+]] :
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[START]])
// CHECK: %[[C:.+]] = memref.alloc()
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[C]]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[C]]
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[C]]
func.func @separates_fills(%x: tensor<4x4xf32>, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %f : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x4xf32> {
    %3 = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %3 : tensor<4x4xf32>
  }
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Must not act: a caller owns the arguments of a public function, so that the
// region writes to memory of its own.
// CHECK-LABEL: func.func @keeps_arguments
// CHECK-SAME: (%[[X:.+]]: memref<4xf32>)
// CHECK: %[[M:.+]] = memref.alloc()
// CHECK: linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[M]] : memref<4xf32>)
// CHECK: return %[[M]]
func.func @keeps_arguments(%x: !host) -> !host {
  %0 = hetero.execute "keeps_arguments_cpu0_0" on #cpu (%a = %x : !host) -> (!host) {
    %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : !host
}

// Must not act: what is overwritten and not read again is overwritten in place.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[M:.+]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp {{.*}} ins(%[[M]] : {{.*}}) outs(%[[M]] : {{.*}})
func.func @in_place(%x: !host) -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.copy %x : !host -> !gpu0
  %1 = hetero.execute "in_place_gpu0_0" on #gpu0 (%a = %0 : !gpu0) -> (!gpu0) {
    %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %2 : tensor<4xf32>
  }
  return %1 : !gpu0
}

// Conflict: a value that is overwritten but needed later keeps its buffer; the
// second result gets one of its own, on the same device.
// CHECK-LABEL: func.func @conflict
// CHECK: %[[M:.+]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.exp {{.*}} outs(%[[M]] : {{.*}})
// CHECK: %[[N:.+]] = memref.alloc() {{.*}} : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.add {{.*}} outs(%[[N]] : {{.*}})
// CHECK: return %[[M]], %[[N]]
func.func @conflict(%x: !gpu0 {hetero.device = #gpu0})
    -> (!gpu0 {hetero.device = #gpu0}, !gpu0 {hetero.device = #gpu0}) {
  %0:2 = hetero.execute "conflict_gpu0_0" on #gpu0 (%a = %x : !gpu0) -> (!gpu0, !gpu0) {
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : !gpu0, !gpu0
}

// Control flow: what leaves a branch or a loop keeps its memory space.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for {{.*}} -> (memref<4xf32, #hetero.device<gpu:0>>)
// CHECK: scf.if {{.*}} -> (memref<4xf32, #hetero.device<gpu:0>>)
func.func @control_flow(%p: i1, %n: index, %x: !gpu0 {hetero.device = #gpu0})
    -> (!gpu0 {hetero.device = #gpu0}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (!gpu0) {
    %1 = scf.if %p -> (!gpu0) {
      %2 = hetero.execute "control_flow_gpu0_0" on #gpu0 (%a = %y : !gpu0) -> (!gpu0) {
        %e = tensor.empty() : tensor<4xf32>
        %3 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        hetero.yield %3 : tensor<4xf32>
      }
      scf.yield %2 : !gpu0
    } else {
      scf.yield %y : !gpu0
    }
    scf.yield %1 : !gpu0
  }
  return %0 : !gpu0
}

// Call: a private function may write to its arguments; its caller, whose own
// argument must not change, copies within the device.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[X:[^:]+]]: memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.exp {{.*}} outs(%[[X]]
func.func private @callee(%x: !gpu0 {hetero.device = #gpu0})
    -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.execute "callee_gpu0_0" on #gpu0 (%a = %x : !gpu0) -> (!gpu0) {
    %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : !gpu0
}
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%[[X:[^:]+]]: memref<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[M:.+]] = memref.alloc()
// CHECK: memref.copy %[[X]], %[[M]] : memref<4xf32, #hetero.device<gpu:0>> to memref<4xf32, #hetero.device<gpu:0>>
// CHECK: call @callee(%[[M]])
func.func @caller(%x: !gpu0 {hetero.device = #gpu0})
    -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = call @callee(%x) : (!gpu0) -> !gpu0
  return %0 : !gpu0
}

// A vector at the start of a tensor is not all of it: the rest is copied.
// CHECK-LABEL: func.func @start
// CHECK-SAME: (%[[V:.*]]: vector<8xf32>, %[[T:.*]]: memref<3x8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[T]], %[[NEW]]
// CHECK: vector.transfer_write %[[V]], %[[NEW]][%[[C0:.*]], %[[C0]]]
func.func @start(%v: vector<8xf32>, %t: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// All of a tensor needs no copy.
// CHECK-LABEL: func.func @all
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: vector.transfer_write
func.func @all(%v: vector<3x8xf32>, %t: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<3x8xf32>, tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
// Sizes that only the type of an expansion has are repeated in its operands.
// CHECK-LABEL: func.func @expand
// CHECK: memref.expand_shape %{{.+}} {{\[\[}}0, 1]] output_shape [1, 4] : memref<4xf32> into memref<1x4xf32>
func.func @expand(%x: !host, %n: index, %m: index) -> tensor<1x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, %m] : tensor<4xf32> into tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
}
