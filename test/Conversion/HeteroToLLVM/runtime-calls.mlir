// RUN: hetero-opt %s --hetero-to-llvm | FileCheck %s -enable-var-scope

module attributes {hetero.phase = #hetero.phase<gpu>, gpu.container_module, hetero.units = ["a", "b"]} {

// A kernel's image is a constant of the program: its name, PTX and chip, which
// the runtime loads on the device that needs it.
// CHECK: llvm.mlir.global internal constant @__hetero_image_kernels_name("kernels\00")
// CHECK: llvm.mlir.global internal constant @__hetero_image_kernels_code_0("{{.*}}.version {{.*}}.target sm_86{{.*}}.entry scale(
// CHECK: llvm.mlir.global internal constant @__hetero_image_kernels_code() {{.*}} : !llvm.array<{{[12]}} x struct<(ptr, i64, i32, i32, i32, i32)>> {
// CHECK-DAG: llvm.mlir.addressof @__hetero_image_kernels_code_0
// CHECK-DAG: llvm.mlir.constant(8 : i32)
// CHECK-DAG: llvm.mlir.constant(6 : i32)
// CHECK: llvm.mlir.global internal constant @__hetero_image_kernels() {{.*}} : !llvm.struct<(ptr, ptr, i64, i64)> {
// CHECK-DAG: llvm.mlir.addressof @__hetero_image_kernels_name
// CHECK-DAG: llvm.mlir.addressof @__hetero_image_kernels_code :
// CHECK: llvm.return
gpu.module @kernels [#nvvm.target<chip = "sm_86">] {
  gpu.func @scale(%p: !llvm.ptr, %n: i64) kernel {
    %x = llvm.load %p : !llvm.ptr -> f32
    %y = arith.addf %x, %x : f32
    llvm.store %y, %p : f32, !llvm.ptr
    gpu.return
  }
}

// A launch passes the device, the image, the kernel's name, the grid, the
// shared memory, and an array of addresses of the arguments.
// CHECK-LABEL: llvm.func internal @launch
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK-DAG: %[[DEVICE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG: %[[GRID:.*]] = llvm.mlir.constant(3 : index)
// CHECK-DAG: %[[BLOCK:.*]] = llvm.mlir.constant(32 : index)
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : index)
// CHECK-DAG: %[[SHARED:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-DAG: %[[IMAGE:.*]] = llvm.mlir.addressof @__hetero_image_kernels
// CHECK-DAG: %[[NAME:.*]] = llvm.mlir.addressof @__hetero_string_{{.*}}
// CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[SLOT1:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[SLOT0:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK: %[[ARRAY:.*]] = llvm.alloca %[[COUNT]] x !llvm.ptr
// CHECK: llvm.store %[[P]], %[[SLOT0]]
// CHECK: llvm.store %[[SLOT0]], %[[ARRAY]]
// CHECK: llvm.store %[[N]], %[[SLOT1]]
// CHECK: %[[ENTRY:.*]] = llvm.getelementptr %[[ARRAY]][1]
// CHECK: llvm.store %[[SLOT1]], %[[ENTRY]]
// CHECK: llvm.call @heteroLaunch(%[[DEVICE]], %[[IMAGE]], %[[NAME]], %[[GRID]], %[[ONE]], %[[ONE]], %[[BLOCK]], %[[ONE]], %[[ONE]], %[[SHARED]], %[[ARRAY]], %[[TWO]])
func.func private @launch(%p: !llvm.ptr, %n: i64) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@scale blocks in (%c3, %c1, %c1)
    threads in (%c32, %c1, %c1) args(%p : !llvm.ptr, %n : i64)
    {hetero.device = #hetero.device<gpu:1>}
  return
}

// A tensor map is made on the stack, at a multiple of 64 bytes, and is itself the
// argument.
// CHECK-LABEL: llvm.func internal @maps
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK-DAG: %[[F16:.*]] = llvm.mlir.constant(5 : i32)
// CHECK-DAG: %[[RANK:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG: %[[SPAN:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG: %[[MAP:.*]] = llvm.alloca %{{.*}} x !llvm.array<128 x i8> {alignment = 64 : i64}
// CHECK: llvm.call @heteroTensorMap(%[[MAP]], %[[F16]], %[[RANK]], %[[P]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SPAN]])
// CHECK: llvm.store %[[MAP]], %[[ARRAY:.*]] : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @heteroLaunch({{.*}}, %[[ARRAY]], %{{.*}})
func.func private @maps(%p: !llvm.ptr, %n: i64) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %map = hetero.tensor_map %p : !llvm.ptr [%c64, %c64] by [%c64] of f16 box [64, 64] swizzle 128 on #hetero.device<gpu:1>
  gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1)
    threads in (%c64, %c1, %c1) args(%map : !llvm.ptr, %n : i64)
    {hetero.device = #hetero.device<gpu:1>, hetero.tensor_maps = array<i32: 0>}
  return
}

// Memory of the host and of a device differ in the device alone (-1: the host).
// CHECK-LABEL: llvm.func internal @memory
// CHECK-DAG: %[[HOST:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK-DAG: %[[GPU:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @heteroAlloc(%[[GPU]],
// CHECK: llvm.call @heteroAlloc(%[[HOST]],
// CHECK: llvm.call @heteroFree(%[[GPU]],
// CHECK: llvm.call @heteroFree(%[[HOST]],
func.func private @memory() -> f32 {
  %c0 = arith.constant 0 : index
  %d = gpu.alloc () {hetero.device = #hetero.device<gpu:0>} : memref<4xf32>
  %h = memref.alloc() : memref<4xf32>
  gpu.memcpy %h, %d : memref<4xf32>, memref<4xf32> {
    hetero.from = #hetero.device<gpu:0>, hetero.to = #hetero.device<cpu:0>}
  %x = memref.load %h[%c0] : memref<4xf32>
  gpu.dealloc %d {hetero.device = #hetero.device<gpu:0>} : memref<4xf32>
  memref.dealloc %h : memref<4xf32>
  return %x : f32
}

// A copy says where from, where to, how many bytes, and which value.
// CHECK-LABEL: llvm.func internal @copy
// CHECK-DAG: %[[HOST:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK-DAG: %[[GPU:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG: %[[WHAT:.*]] = llvm.mlir.addressof @__hetero_string_{{.*}}
// CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[ELEMENTS:.*]] = llvm.mul %{{.*}}, %[[FOUR]]
// CHECK: %[[BYTES:.*]] = llvm.mul %[[ELEMENTS]], %{{.*}}
// CHECK: llvm.call @heteroCopy(%[[GPU]], %{{.*}}, %[[HOST]], %{{.*}}, %[[BYTES]], %[[WHAT]])
func.func private @copy(%h: memref<?x4xf32>, %d: memref<?x4xf32>) {
  gpu.memcpy %d, %h : memref<?x4xf32>, memref<?x4xf32> {
    hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:2>,
    hetero.value = "weights"}
  return
}

// Rows are copied with the distance on either side, that of the contiguous one
// as well.
// CHECK-LABEL: llvm.func internal @rows
// CHECK-DAG: %[[HOST:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK-DAG: %[[GPU:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[WIDTH:.*]] = llvm.mul
// CHECK: %[[ROWS:.*]] = llvm.mul
// CHECK: llvm.call @heteroCopyRows(%[[GPU]], %{{.*}}, %{{.*}}, %[[HOST]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func private @rows(%h: memref<?x4xf32, strided<[?, 1], offset: ?>>, %d: memref<?x4xf32>) {
  gpu.memcpy %d, %h : memref<?x4xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>> {
    hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:0>}
  return
}

// The runtime has filled in the address of a resident constant.
// CHECK-LABEL: llvm.func internal @resident
// CHECK: %[[CONSTANT:.*]] = llvm.mlir.addressof @__hetero_constant_constant_gpu0
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[CONSTANT]][32]
// CHECK: llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
memref.global "private" constant @constant : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @resident() -> memref<4xf32> {
  %c = memref.get_global @constant : memref<4xf32>
  %r = hetero.resident of %c : memref<4xf32> on #hetero.device<gpu:0>
  return %r : memref<4xf32>
}

// Waits, for a device or one of its units, and the names of host regions are
// calls too.
// CHECK-LABEL: llvm.func internal @order
// CHECK-DAG: %[[GPU:.*]] = llvm.mlir.constant(3 : i32)
// CHECK-DAG: %[[UNIT:.*]] = llvm.mlir.constant(131075 : i32)
// CHECK: llvm.call @heteroWait(%[[GPU]])
// CHECK: llvm.call @heteroWaitUnit(%[[UNIT]])
// CHECK: llvm.call @heteroHostRegion(
// CHECK: llvm.call @heteroHostRegionEnd(
func.func private @order() {
  hetero.wait on #hetero.device<gpu:3>
  hetero.wait on #hetero.device<gpu:3, unit = "b">
  hetero.host_region "main_cpu0_0"
  hetero.end_host_region
  return
}

// What has nothing to do with devices calls nothing.
// CHECK-LABEL: llvm.func internal @scalars
// CHECK-NOT: llvm.call
// CHECK: llvm.return
func.func private @scalars(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}
}
