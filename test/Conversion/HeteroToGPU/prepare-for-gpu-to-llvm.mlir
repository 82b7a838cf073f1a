// RUN: hetero-opt %s --hetero-prepare-for-gpu-to-llvm | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-prepare-for-gpu-to-llvm -o %t.once
// RUN: hetero-opt %t.once --hetero-prepare-for-gpu-to-llvm | diff %t.once -
// RUN: hetero-opt %s --hetero-prepare-for-gpu-to-llvm --remarks-filter=hetero-prepare-for-gpu-to-llvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %t.once --hetero-prepare-for-gpu-to-llvm --remarks-filter=hetero-prepare-for-gpu-to-llvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN

// REMARK: remark: [Analysis] summary | Category:hetero-prepare-for-gpu-to-llvm | streams=8
// Already done: an operation that has a token starts no stream.
// AGAIN: remark: [Analysis] summary | Category:hetero-prepare-for-gpu-to-llvm | streams=0

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

// Acts: what follows each other on one device shares a stream, which the host
// waits for before what it does itself.
// CHECK-LABEL: func.func @acts
// CHECK:      gpu.set_default_device
// CHECK-NEXT: %[[START:.*]] = gpu.wait async
// CHECK-NEXT: %[[D:.*]], %[[ALLOC:.*]] = gpu.alloc async [%[[START]]] () : memref<4xf32>
// CHECK-NEXT: %[[IN:.*]] = gpu.memcpy async [%[[ALLOC]]] %[[D]], %{{.*}} :
// CHECK-NEXT: %[[OUT:.*]] = gpu.memcpy async [%[[IN]]] %{{.*}}, %[[D]] :
// CHECK-NEXT: %[[END:.*]] = gpu.dealloc async [%[[OUT]]] %[[D]] :
// CHECK-NEXT: gpu.wait [%[[END]]]
// CHECK-NEXT: memref.load
func.func @acts(%x: memref<4xf32>, %i: index) -> f32 {
  %d = gpu.alloc () {hetero.device = #gpu0} : memref<4xf32>
  gpu.memcpy %d, %x : memref<4xf32>, memref<4xf32> {hetero.from = #cpu, hetero.to = #gpu0}
  gpu.memcpy %x, %d : memref<4xf32>, memref<4xf32> {hetero.from = #gpu0, hetero.to = #cpu, hetero.value = "x"}
  gpu.dealloc %d {hetero.device = #gpu0} : memref<4xf32>
  hetero.wait on #gpu0
  %0 = memref.load %x[%i] : memref<4xf32>
  return %0 : f32
}

// Must not act: without work on a device the host neither sets one nor waits.
// Marks for the report, which upstream's runtime has none of, go.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @host(%x: memref<4xf32>, %y: memref<4xf32>) {
  hetero.node ["Identity/a"]
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// Conflict: a copy that two devices take part in is the destination's, after
// all that the other has been asked for.
// CHECK-LABEL: func.func @conflict
// CHECK:      %[[FIRST:.*]] = gpu.memcpy async
// CHECK:      gpu.wait [%[[FIRST]]]
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: gpu.set_default_device %[[ONE]]
// CHECK-NEXT: %[[START:.*]] = gpu.wait async
// CHECK-NEXT: %[[SECOND:.*]] = gpu.memcpy async [%[[START]]]
// CHECK-NEXT: gpu.wait [%[[SECOND]]]
// CHECK-NEXT: return
func.func @conflict(%x: memref<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>) {
  gpu.memcpy %a, %x : memref<4xf32>, memref<4xf32> {hetero.from = #cpu, hetero.to = #gpu0}
  gpu.memcpy %b, %a : memref<4xf32>, memref<4xf32> {hetero.from = #gpu0, hetero.to = #gpu1}
  return
}

// Control flow: a stream ends with its block, and after a branch that may have
// set another device it is set again.
// CHECK-LABEL: func.func @branch
// CHECK:      gpu.set_default_device
// CHECK:      gpu.wait [
// CHECK-NEXT: scf.if
// CHECK:        gpu.set_default_device
// CHECK:        gpu.memcpy async
// CHECK-NEXT:   gpu.wait [
// CHECK-NEXT: }
// CHECK:      gpu.set_default_device
// CHECK:      gpu.memcpy async
// CHECK-NEXT: gpu.wait [
// CHECK-NEXT: return
func.func @branch(%p: i1, %x: memref<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>) {
  gpu.memcpy %a, %x : memref<4xf32>, memref<4xf32> {hetero.from = #cpu, hetero.to = #gpu0}
  scf.if %p {
    gpu.memcpy %b, %x : memref<4xf32>, memref<4xf32> {hetero.from = #cpu, hetero.to = #gpu1}
  }
  gpu.memcpy %x, %a : memref<4xf32>, memref<4xf32> {hetero.from = #gpu0, hetero.to = #cpu}
  return
}

// Call: the host waits before a call, and the callee may set another device.
// CHECK-LABEL: func.func @call
// CHECK:      gpu.memcpy async
// CHECK-NEXT: gpu.wait [
// CHECK-NEXT: call @conflict
// CHECK:      gpu.set_default_device
// CHECK:      gpu.memcpy async
func.func @call(%x: memref<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>) {
  gpu.memcpy %a, %x : memref<4xf32>, memref<4xf32> {hetero.from = #cpu, hetero.to = #gpu0}
  call @conflict(%x, %a, %b) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  gpu.memcpy %x, %a : memref<4xf32>, memref<4xf32> {hetero.from = #gpu0, hetero.to = #cpu}
  return
}
