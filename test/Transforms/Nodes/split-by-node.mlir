// RUN: hetero-opt %s --split-input-file --hetero-split-by-node --hetero-verify --verify-roundtrip | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-split-by-node --hetero-split-by-node | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-split-by-node=node=1 --hetero-verify | FileCheck %s --check-prefix=ONE
// RUN: hetero-opt %s --split-input-file --hetero-split-by-node --remarks-filter="hetero-.*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#one = #hetero.device<cpu:0, node = 1>

// What one node needs of another one is sent and received; a buffer is received
// early, and both sides wait as late as they can.

// REMARK: Category:hetero-split-by-node | copies=2, nodes=2, transfers=2

// CHECK: module @node0 attributes {hetero.node = 0 : i64, hetero.nodes = 2 : i64, {{.*}}hetero.program_hash = [[HASH:-?[0-9]+]] : i64}
// CHECK: func.func @forth_and_back(%[[X:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT: %[[R:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: hetero.receive %[[R]] from 1 tag 2 : memref<4xf32>
// CHECK-NEXT: hetero.send %[[X]] to 1 tag 1 {hetero.value = "%x"} : memref<4xf32>
// CHECK-NEXT: hetero.await_transfer %[[X]] tag 1 : memref<4xf32>
// CHECK-NEXT: hetero.await_transfer %[[R]] tag 2 : memref<4xf32>
// CHECK-NEXT: return %[[R]]
// CHECK: module @node1 attributes {hetero.node = 1 : i64, hetero.nodes = 2 : i64, {{.*}}hetero.program_hash = [[HASH]] : i64}
// CHECK: func.func @forth_and_back() {
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: hetero.receive %[[A]] from 0 tag 1 {hetero.value = "%x"} : memref<4xf32>
// CHECK-NEXT: hetero.await_transfer %[[A]] tag 1
// CHECK-NEXT: hetero.host_region "f" on #hetero.device<cpu:0>
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: linalg.exp ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT: hetero.end_host_region
// CHECK-NEXT: hetero.send %[[B]] to 0 tag 2
// CHECK-NEXT: hetero.await_transfer %[[B]] tag 2
// CHECK-NEXT: return

// ONE-LABEL: module attributes {hetero.node = 1 : i64
// ONE-NEXT: func.func @forth_and_back() {
// ONE: hetero.send {{.*}} to 0 tag 2
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @forth_and_back(%x: memref<4xf32>) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32, #one>
    memref.copy %x, %a {hetero.value = "%x"} : memref<4xf32> to memref<4xf32, #one>
    hetero.host_region "f" on #one
    %b = memref.alloc() : memref<4xf32, #one>
    linalg.exp ins(%a : memref<4xf32, #one>) outs(%b : memref<4xf32, #one>)
    hetero.end_host_region
    %c = memref.alloc() : memref<4xf32>
    memref.copy %b, %c : memref<4xf32, #one> to memref<4xf32>
    return %c : memref<4xf32>
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>

// A loop that both nodes have work in runs on both: its bound, an argument, is
// sent once; its condition, which node 1 loads from memory, once an iteration.
// What only one node has is no value of the other's loop.

// CHECK: module @node0
// CHECK: func.func @loops(%[[X:.*]]: memref<i1>, %[[N:.*]]: index)
// CHECK: memref.store %[[N]], %[[BOUND:.*]][
// CHECK: hetero.send %[[BOUND]] to 1 tag 1 {hetero.value = "%arg1 of @loops"} : memref<1xindex>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} {
// CHECK: hetero.receive %[[F:.*]] from 1 tag 4 {hetero.value = "memref.load at {{[0-9:]+}}"} : memref<1xi1>
// CHECK: hetero.send %[[X]] to 1 tag 3
// CHECK: hetero.await_transfer %[[F]] tag 4
// CHECK: %[[FLAG:.*]] = memref.load %[[F]]
// CHECK: scf.if %[[FLAG]] {
// CHECK: memref.store
// CHECK: } {hetero.position = 2 : i64}
// CHECK: module @node1
// CHECK: func.func @loops() {
// CHECK: hetero.receive %[[BOUND:.*]] from 0 tag 1 {hetero.value = "%arg1 of @loops"} : memref<1xindex>
// CHECK: hetero.await_transfer %[[BOUND]] tag 1
// CHECK: %[[N:.*]] = memref.load %[[BOUND]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} {
// CHECK: hetero.receive %[[A:.*]] from 0 tag 3
// CHECK: hetero.await_transfer %[[A]] tag 3
// CHECK: %[[FLAG:.*]] = memref.load %[[A]][]
// CHECK: memref.store %[[FLAG]], %[[F:.*]][
// CHECK: hetero.send %[[F]] to 0 tag 4 {hetero.value = "memref.load at {{[0-9:]+}}"} : memref<1xi1>
// CHECK-NEXT: hetero.await_transfer %[[F]] tag 4
// CHECK-NOT: scf.if
// CHECK: } {hetero.position = 2 : i64}
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @loops(%x: memref<i1>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %false = arith.constant false
    %own = memref.alloc() : memref<4xf32, #one>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %own) -> (memref<4xf32, #one>) {
      %a = memref.alloc() : memref<i1, #one>
      memref.copy %x, %a : memref<i1> to memref<i1, #one>
      hetero.host_region "f" on #one
      %flag = memref.load %a[] : memref<i1, #one>
      hetero.end_host_region
      scf.if %flag {
        memref.store %false, %x[] : memref<i1>
      }
      scf.yield %carried : memref<4xf32, #one>
    }
    return
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>
#gpu = #hetero.device<gpu:0, node = 1>

// Private functions have the arguments and results that a node needs, and
// devices the names that they have on their node. A function that the program
// calls and that is an entry point, too, is there twice.

// CHECK: module @node0
// CHECK: func.func @entry(%[[X:.*]]: memref<4xf32>)
// CHECK: call @work(%[[X]]) {hetero.position = 1 : i64} : (memref<4xf32>) -> ()
// CHECK: func.func @shared(%{{.*}}: memref<4xf32>)
// CHECK: func.func private @work(%[[Y:.*]]: memref<4xf32>)
// CHECK: hetero.send %[[Y]] to 1
// CHECK: func.func private @shared_0(%{{.*}}: memref<4xf32>)
// CHECK: module @node1
// CHECK: func.func @entry() {
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: call @work(%[[OWN]]) {hetero.position = 1 : i64} : (memref<4xf32, #hetero.device<gpu:0>>) -> ()
// CHECK: func.func @shared() {
// CHECK-NEXT: return
// CHECK: func.func private @work(%[[OWN:.*]]: memref<4xf32, #hetero.device<gpu:0>>)
// CHECK: hetero.receive %[[A:.*]] from 0
// CHECK: hetero.await_transfer %[[A]]
// CHECK: memref.copy %[[A]], %[[OWN]] : memref<4xf32> to memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>}
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @entry(%x: memref<4xf32>) {
    %own = memref.alloc() : memref<4xf32, #gpu>
    call @work(%x, %own) : (memref<4xf32>, memref<4xf32, #gpu>) -> ()
    call @shared(%x) : (memref<4xf32>) -> ()
    return
  }
  func.func @shared(%x: memref<4xf32>) {
    linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    return
  }
  func.func private @work(%x: memref<4xf32>, %own: memref<4xf32, #gpu>) {
    %a = memref.alloc() : memref<4xf32, #one>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32, #one>
    memref.copy %a, %own : memref<4xf32, #one> to memref<4xf32, #gpu>
    linalg.exp {hetero.device = #gpu} ins(%own : memref<4xf32, #gpu>) outs(%own : memref<4xf32, #gpu>)
    return
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>
#two = #hetero.device<cpu:0, node = 2>

// A copy between what is not the host's, or has gaps, goes through the host. A
// size that another node computes without memory is computed there again.

// CHECK: module @node0
// CHECK: func.func @sizes(
// CHECK: hetero.send %{{.*}} to 1 tag [[SIZE:[0-9]+]] {{.*}} : memref<1xindex>
// CHECK-NOT: memref<1xindex>
// CHECK: %[[DENSE:.*]] = memref.alloc() : memref<2xf32>
// CHECK: memref.copy %{{.*}}, %[[DENSE]] : memref<2xf32, strided<[2], offset: ?>> to memref<2xf32>
// CHECK: hetero.send %[[DENSE]] to 2
// CHECK: module @node1
// CHECK: hetero.receive %[[N:.*]] from 0 tag [[SIZE]]
// CHECK: %[[LOADED:.*]] = memref.load %[[N]]
// CHECK: %[[DOUBLE:.*]] = arith.addi %[[LOADED]], %[[LOADED]]
// CHECK: memref.alloc(%[[DOUBLE]]) : memref<?xf32>
// CHECK: module @node2
// CHECK: hetero.receive %{{.*}} from 0
module attributes {hetero.phase = #hetero.phase<scheduled>} {
  func.func @sizes(%x: memref<4xf32>, %n: index) {
    %zero = arith.constant 0.0 : f32
    %double = arith.addi %n, %n : index
    hetero.host_region "f" on #one
    %a = memref.alloc(%double) : memref<?xf32, #one>
    linalg.fill ins(%zero : f32) outs(%a : memref<?xf32, #one>)
    hetero.end_host_region
    %rows = memref.subview %x[%n] [2] [2] : memref<4xf32> to memref<2xf32, strided<[2], offset: ?>>
    %b = memref.alloc() : memref<2xf32, #two>
    memref.copy %rows, %b : memref<2xf32, strided<[2], offset: ?>> to memref<2xf32, #two>
    hetero.host_region "g" on #two
    linalg.exp ins(%b : memref<2xf32, #two>) outs(%b : memref<2xf32, #two>)
    hetero.end_host_region
    return
  }
}

// -----

#one = #hetero.device<cpu:0, node = 1>
#gpu = #hetero.device<gpu:0, node = 1>

// The topology, the devices and the budgets that a program names are its node's.

// CHECK: module @node0
// CHECK-SAME: hetero.devices = [#hetero.device<gpu:0>], hetero.memory_budget = {"gpu:0" = 10 : i64}
// CHECK-SAME: hetero.topology = #hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>]>
// CHECK: module @node1
// CHECK-SAME: hetero.devices = [#hetero.device<gpu:0>], hetero.memory_budget = {"gpu:0" = 20 : i64}
// CHECK-SAME: devices = [<device = <cpu:0>, compute = 2, bandwidth = 2>, <device = <gpu:0>, compute = 3, bandwidth = 3>]
// CHECK-SAME: links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 4, latency = 4>]
module attributes {hetero.phase = #hetero.phase<scheduled>,
  hetero.devices = [#hetero.device<gpu:0>, #gpu],
  hetero.memory_budget = {"gpu:0" = 10 : i64, "gpu:0@1" = 20 : i64},
  hetero.topology = #hetero.topology<devices = [
    <device = <cpu:0>, compute = 1, bandwidth = 1>,
    <device = <cpu:0, node = 1>, compute = 2, bandwidth = 2>,
    <device = <gpu:0, node = 1>, compute = 3, bandwidth = 3>],
    links = [<from = <cpu:0, node = 1>, to = <gpu:0, node = 1>, bandwidth = 4, latency = 4>,
             <from = <cpu:0>, to = <cpu:0, node = 1>, bandwidth = 5, latency = 5>]>} {
  func.func @named() {
    return
  }
}
