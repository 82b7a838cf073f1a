// RUN: hetero-opt %s --hetero-plan-memory | FileCheck %s
// RUN: hetero-opt %s --hetero-plan-memory --hetero-plan-memory | FileCheck %s
// RUN: hetero-opt %s --hetero-plan-memory --remarks-filter=hetero-plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#gpu = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
// What both have is one allocation, freed at the end, after the wait; what only
// the device has is freed after its last use.
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %{{.*}}: memref<4xf32> {hetero.shared = #[[GPU:.*]]},
// CHECK: %[[B:.*]] = memref.alloc() : memref<4xf32, #[[GPU]]>
// CHECK: %[[A:.*]] = memref.alloc() {hetero.shared = #[[GPU]]} : memref<4xf32, #[[GPU]]>
// CHECK: linalg.abs
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK: hetero.wait
// CHECK: memref.dealloc %[[A]]
// CHECK-NEXT: return
func.func @one(%x: memref<4xf32>, %r: memref<4xf32>) {
  %g = memref.memory_space_cast %x : memref<4xf32> to memref<4xf32, #gpu>
  %a = memref.alloc() : memref<4xf32, #gpu>
  %b = memref.alloc() : memref<4xf32, #gpu>
  linalg.exp ins(%g : memref<4xf32, #gpu>) outs(%b : memref<4xf32, #gpu>)
  linalg.abs ins(%b : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  %h = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32>
  hetero.wait on #gpu
  linalg.exp ins(%h : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// An arena of their own, in which each is once.
// REMARK: Buffers=2, Bytes=512, Device=gpu:0
// CHECK-LABEL: func.func @arena(
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 256 : i64, hetero.shared = #[[GPU]]} : memref<512xi8, #[[GPU]]>
// CHECK-COUNT-2: memref.view %[[ARENA]]
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[ARENA]]
func.func @arena(%x: memref<4xf32, #gpu>, %r: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32, #gpu>
  %b = memref.alloc() : memref<4xf32, #gpu>
  linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%a : memref<4xf32, #gpu>)
  linalg.exp ins(%x : memref<4xf32, #gpu>) outs(%b : memref<4xf32, #gpu>)
  %h = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32>
  %i = memref.memory_space_cast %b : memref<4xf32, #gpu> to memref<4xf32>
  hetero.wait on #gpu
  linalg.add ins(%h, %i : memref<4xf32>, memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// Through a function that the host calls: its allocation is shared, too.
// CHECK-LABEL: func.func private @make(
// CHECK: memref.alloc() {hetero.shared = #[[GPU]]} : memref<4xf32>
func.func private @make(%x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}
func.func @call(%x: memref<4xf32>, %r: memref<4xf32, #gpu>) {
  %a = call @make(%x) : (memref<4xf32>) -> memref<4xf32>
  %g = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, #gpu>
  linalg.exp ins(%g : memref<4xf32, #gpu>) outs(%r : memref<4xf32, #gpu>)
  hetero.wait on #gpu
  return
}

// What deallocation copies comes after what the device has, and is there after.
// CHECK-LABEL: func.func private @identity(
// CHECK: hetero.wait on #[[GPU]]
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy
// CHECK-NEXT: hetero.wait on #[[GPU]]
func.func private @identity(%x: memref<4xf32, #gpu>) -> memref<4xf32, #gpu> {
  return %x : memref<4xf32, #gpu>
}
func.func @clone(%x: memref<4xf32, #gpu>, %r: memref<4xf32>) {
  %a = call @identity(%x) : (memref<4xf32, #gpu>) -> memref<4xf32, #gpu>
  %h = memref.memory_space_cast %a : memref<4xf32, #gpu> to memref<4xf32>
  linalg.exp ins(%h : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}
}
