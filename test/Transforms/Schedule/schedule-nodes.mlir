// The host of each node is an engine of its own and waits for its own devices
// alone; a link between two nodes takes the engines of neither.

// RUN: hetero-opt %s --hetero-schedule --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --hetero-schedule | diff %t.once -
// RUN: hetero-opt %s --hetero-schedule --remarks-filter=hetero-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!host0 = memref<1000xf32>
!host1 = memref<1000xf32, #hetero.device<cpu:0, node = 1>>
!gpu0 = memref<1000xf32, #hetero.device<gpu:0>>
!gpu1 = memref<1000xf32, #hetero.device<gpu:0, node = 1>>

module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000000, bandwidth = 1000000000000>,
             <device = <gpu:0>, compute = 1000000000000, bandwidth = 1000000000000>,
             <device = <cpu:0, node = 1>, compute = 1000000000000, bandwidth = 1000000000000>,
             <device = <gpu:0, node = 1>, compute = 1000000000000, bandwidth = 1000000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000000, latency = 0>,
           <from = <gpu:0>, to = <cpu:0>, bandwidth = 1000000000000, latency = 0>,
           <from = <cpu:0, node = 1>, to = <gpu:0, node = 1>, bandwidth = 1000000000000, latency = 0>,
           <from = <gpu:0, node = 1>, to = <cpu:0, node = 1>, bandwidth = 1000000000000, latency = 0>],
  network = <bandwidth = 1000000000000, latency = 0>>} {

// Acts: each host waits for what its own device sends, where it touches that.
// CHECK-LABEL: func.func @own_waits
// CHECK: memref.copy
// CHECK-NEXT: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0, node = 1>
// CHECK-NEXT: linalg.exp ins(%{{.*}} : memref<1000xf32, #hetero.device<cpu:0, node = 1>>)
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: linalg.exp ins(%{{.*}} : memref<1000xf32>)
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @own_waits(%h0: !host0, %h1: !host1, %g0: !gpu0, %g1: !gpu1) {
  memref.copy %g0, %h0 : !gpu0 to !host0
  memref.copy %g1, %h1 : !gpu1 to !host1
  linalg.exp ins(%h0 : !host0) outs(%h0 : !host0)
  linalg.exp ins(%h1 : !host1) outs(%h1 : !host1)
  return
}

// Must not act: node 0's host touches buffers that may be any of its own, but
// none of node 1, whose device it does not wait for until the block ends.
// CHECK-LABEL: func.func @other_node
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: memref.copy
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0, node = 1>
// CHECK-NEXT: return
func.func @other_node(%h0: !host0, %h1: !host1, %g1: !gpu1) {
  memref.copy %g1, %h1 : !gpu1 to !host1
  linalg.abs ins(%h0 : !host0) outs(%h0 : !host0)
  return
}

// Acts: work of two hosts is in the order of its starts, whatever the program
// has. Nothing of node 0 waits for node 1.
// CHECK-LABEL: func.func @in_turn
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: memref.copy %{{.*}} : memref<1000xf32, #hetero.device<gpu:0, node = 1>>
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0, node = 1>
// CHECK-NEXT: linalg.exp ins(%{{.*}} : memref<1000xf32, #hetero.device<cpu:0, node = 1>>)
// CHECK-NEXT: linalg.log
// CHECK-NEXT: return
func.func @in_turn(%h0: !host0, %h1: !host1, %g1: !gpu1) {
  memref.copy %g1, %h1 : !gpu1 to !host1
  linalg.abs ins(%h0 : !host0) outs(%h0 : !host0)
  linalg.log ins(%h0 : !host0) outs(%h0 : !host0)
  linalg.exp ins(%h1 : !host1) outs(%h1 : !host1)
  return
}

// Acts: what is sent to another node is there before it is read.
// CHECK-LABEL: func.func @sent
// CHECK: memref.copy %{{.*}} : memref<1000xf32, #hetero.device<gpu:0>> to memref<1000xf32>
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: memref.copy %{{.*}} : memref<1000xf32> to memref<1000xf32, #hetero.device<cpu:0, node = 1>>
// CHECK-NEXT: memref.copy %{{.*}} : memref<1000xf32, #hetero.device<cpu:0, node = 1>> to memref<1000xf32, #hetero.device<gpu:0, node = 1>>
// CHECK-NEXT: linalg.exp
func.func @sent(%h0: !host0, %h1: !host1, %g0: !gpu0, %g1: !gpu1) {
  memref.copy %g0, %h0 : !gpu0 to !host0
  memref.copy %h0, %h1 : !host0 to !host1
  memref.copy %h1, %g1 : !host1 to !gpu1
  linalg.exp ins(%g1 : !gpu1) outs(%g1 : !gpu1)
  return
}

// Acts: a host sends what a device has sent before it gives the device more to
// send, so that it waits for nothing else.
// CHECK-LABEL: func.func @early
// CHECK: memref.copy %{{.*}} : memref<1000xf32, #hetero.device<gpu:0>> to memref<1000xf32>
// CHECK: hetero.wait on #hetero.device<gpu:0
// CHECK-NEXT: memref.copy %{{.*}} : memref<1000xf32> to memref<1000xf32, #hetero.device<cpu:0, node = 1>>
// CHECK: memref.copy %{{.*}} : memref<1000xf32, #hetero.device<gpu:0>> to memref<1000xf32>
// CHECK: hetero.wait on #hetero.device<gpu:0
// CHECK-NEXT: memref.copy %{{.*}} : memref<1000xf32> to memref<1000xf32, #hetero.device<cpu:0, node = 1>>
func.func @early(%g: !gpu0, %i: !gpu0, %x: !host1, %y: !host1) {
  %a = memref.alloc() : !host0
  %b = memref.alloc() : !host0
  memref.copy %g, %a : !gpu0 to !host0
  memref.copy %i, %b : !gpu0 to !host0
  memref.copy %a, %x : !host0 to !host1
  memref.copy %b, %y : !host0 to !host1
  return
}

// Two hosts work at the same time, and work overlaps with transfers. A copy takes
// 4 ns and an operation, which reads and writes as much, 8 ns: the blocks take
// 12, 8, 16, 20 and 12 ns.
// REMARK: bound_ps=68000, makespan_ps=68000
}
