// RUN: hetero-opt %s --convert-hetero-to-gpu | FileCheck %s
// RUN: not hetero-opt %s --convert-hetero-to-gpu=chip=sm_42 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: unknown chip 'sm_42'; use one that LLVM knows: {{.*}}sm_80

!device = memref<4x8xf32, #hetero.device<gpu:0>>

// Every operation on device memory has a kernel that takes bare pointers.

// CHECK:       gpu.module @hetero_kernels [#nvvm.target<O = 3, chip = "sm_80">]
// CHECK:         gpu.func @{{.*}}_add(%{{[^,]*}}: !llvm.ptr) kernel
// Products of matrices go through shared memory.
// CHECK:         gpu.func @{{.*}}_matmul(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) workgroup(%{{.*}} : memref<32768xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
// CHECK:           gpu.barrier
// A product and its sum are one fma.
// CHECK:           llvm.intr.fma
// Long reductions are shared by the threads of a block.
// CHECK:         gpu.func @{{.*}}_reduce(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) workgroup(%{{.*}} : memref<12xf32, #gpu.address_space<workgroup>>) kernel

// No device memory space is left on the host side, and copies name both ends.

// CHECK-LABEL: func.func @memory
// CHECK:         gpu.alloc  () {hetero.device = #hetero.device<gpu:0>} : memref<4x8xf32>
// CHECK:         gpu.memcpy {{.*}} {hetero.from = #hetero.device<cpu:0>, hetero.to = #hetero.device<gpu:0>, hetero.value = "x"}
// CHECK:         gpu.launch_func  @hetero_kernels::@{{.*}}_add blocks in {{.*}} threads in {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK:         gpu.memcpy {{.*}} {hetero.from = #hetero.device<gpu:0>, hetero.to = #hetero.device<cpu:0>}
// CHECK:         gpu.dealloc {{.*}} {hetero.device = #hetero.device<gpu:0>} : memref<4x8xf32>
func.func @memory(%x: memref<4x8xf32>) {
  %d = memref.alloc() : !device
  memref.copy %x, %d {hetero.value = "x"} : memref<4x8xf32> to !device
  linalg.add ins(%d, %d : !device, !device) outs(%d : !device)
  memref.copy %d, %x : !device to memref<4x8xf32>
  memref.dealloc %d : !device
  return
}

// CHECK-LABEL: func.func @kernels
func.func @kernels(%a: memref<64x32xf32, #hetero.device<gpu:1>>,
                   %b: memref<32x48xf32, #hetero.device<gpu:1>>,
                   %c: memref<64x48xf32, #hetero.device<gpu:1>>,
                   %s: memref<f32, #hetero.device<gpu:1>>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32, #hetero.device<gpu:1>>, memref<32x48xf32, #hetero.device<gpu:1>>)
                outs(%c : memref<64x48xf32, #hetero.device<gpu:1>>)
  linalg.reduce {arith.addf} ins(%c : memref<64x48xf32, #hetero.device<gpu:1>>)
                outs(%s : memref<f32, #hetero.device<gpu:1>>) dimensions = [0, 1]
  return
}

// Host memory is left alone; constants on a device are resident there.

// CHECK-LABEL: func.func @constant
// CHECK:         %[[GLOBAL:.*]] = memref.get_global @c : memref<4xf32>
// CHECK:         hetero.resident of %[[GLOBAL]] : memref<4xf32> on #hetero.device<gpu:0>
memref.global "private" constant @c : memref<4xf32, #hetero.device<gpu:0>> = dense<1.0>
func.func @constant(%h: memref<4xf32>, %d: memref<4xf32, #hetero.device<gpu:0>>) {
  %c = memref.get_global @c : memref<4xf32, #hetero.device<gpu:0>>
  // CHECK: linalg.exp
  linalg.exp ins(%h : memref<4xf32>) outs(%h : memref<4xf32>)
  linalg.exp ins(%c : memref<4xf32, #hetero.device<gpu:0>>) outs(%d : memref<4xf32, #hetero.device<gpu:0>>)
  return
}
