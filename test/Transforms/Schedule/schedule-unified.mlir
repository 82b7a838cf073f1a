// Work keeps its places (hetero.late_copies), so that only waits are new.
// RUN: hetero-opt %s --hetero-schedule --split-input-file | FileCheck %s
// RUN: hetero-opt %s --hetero-schedule --hetero-schedule --split-input-file | FileCheck %s

#gpu = #hetero.device<gpu:0>
module attributes {hetero.late_copies, hetero.phase = #hetero.phase<bufferized>} {
// The host waits before it reads what the device writes, not after the kernel.
// CHECK-LABEL: func.func @read(
// CHECK: linalg.exp
// CHECK: memref.memory_space_cast
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: linalg.exp
// CHECK-NOT: hetero.wait
// CHECK: return
func.func @read(%x: memref<4xf32, #gpu>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32, #gpu>
  linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  %h = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%h : memref<4xf32>) outs(%b : memref<4xf32>)
  return %b : memref<4xf32>
}

// Nor does it need to before it reads what the device reads, but before it
// writes there.
// CHECK-LABEL: func.func @write(
// CHECK: linalg.exp {{.*}}#hetero.device<gpu:0>
// CHECK-NOT: hetero.wait
// CHECK: linalg.abs
// CHECK: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: linalg.exp ins(%{{.*}} : memref<4xf32>) outs(%[[A:.*]] : memref<4xf32>)
func.func @write(%x: memref<4xf32>, %r: memref<4xf32, #gpu>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %g = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, #gpu>
  linalg.exp ins(%g : memref<4xf32, #gpu>) outs(%r : memref<4xf32, #gpu>)
  linalg.abs ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}

// Work in a block that allocates what is shared ends with the block, which frees
// it; work of a loop that only enqueues goes on after it.
// CHECK-LABEL: func.func @blocks(
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: hetero.wait
// CHECK-NEXT: }
// CHECK: scf.for
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: }
// CHECK: hetero.wait
// CHECK: linalg.exp ins(%{{.*}} : memref<4xf32>)
// CHECK: return
func.func @blocks(%x: memref<4xf32, #gpu>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %l = memref.alloc() : memref<4xf32>
    %k = memref.memory_space_cast %l : memref<4xf32> to memref<4xf32, #gpu>
    linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%k : memref<4xf32, #gpu>)
  }
  %a = memref.alloc() : memref<4xf32, #gpu>
  %b = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  }
  %h = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32>
  linalg.exp ins(%h : memref<4xf32>) outs(%b : memref<4xf32>)
  return %b : memref<4xf32>
}

// What another device sends to the host arrives with the wait, before a device
// that shares the buffer reads it.
// CHECK-LABEL: func.func @send(
// CHECK: memref.copy
// CHECK: hetero.wait on #hetero.device<gpu:1>
// CHECK: linalg.exp
func.func @send(%x: memref<4xf32, #hetero.device<gpu:1>>, %r: memref<4xf32, #gpu>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32, #hetero.device<gpu:1>> to memref<4xf32>
  %g = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, #gpu>
  linalg.exp ins(%g : memref<4xf32, #gpu>) outs(%r : memref<4xf32, #gpu>)
  return
}
}

// -----

// Two gpus order their streams: the second after the write, the first after the
// read.
#gpu = #hetero.device<gpu:0>
#other = #hetero.device<gpu:1>
module attributes {hetero.late_copies, hetero.phase = #hetero.phase<bufferized>} {
// CHECK-LABEL: func.func @peers(
// CHECK: linalg.exp
// CHECK: hetero.order #hetero.device<gpu:1> after #hetero.device<gpu:0>
// CHECK: linalg.abs
// CHECK: hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:1>
// CHECK: linalg.floor
func.func @peers(%x: memref<4xf32, #gpu>, %r: memref<4xf32, #other>) {
  %a = memref.alloc() : memref<4xf32, #gpu>
  %o = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32, #other>
  linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  linalg.abs ins(%o : memref<4xf32, #other>) outs(%r : memref<4xf32, #other>)
  linalg.floor ins(%x : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  return
}
}
