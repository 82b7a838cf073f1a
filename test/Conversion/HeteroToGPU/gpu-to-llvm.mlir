// Upstream's passes finish what hetero-prepare-for-gpu-to-llvm starts, and the
// stock mlir-runner runs it on the runtime's mgpu functions.

// RUN: hetero-opt %s --convert-hetero-to-gpu --hetero-prepare-for-gpu-to-llvm -o %t.gpu.mlir
// RUN: FileCheck %s --input-file=%t.gpu.mlir --check-prefix=IR --implicit-check-not=hetero.
// RUN: %hetero_opt %t.gpu.mlir --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),gpu.module(canonicalize,lower-affine,convert-scf-to-cf,convert-gpu-to-nvvm,convert-math-to-llvm,reconcile-unrealized-casts),expand-strided-metadata,lower-affine,convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{format=isa},convert-to-llvm,reconcile-unrealized-casts)' -o %t.llvm.mlir
// RUN: mlir-runner %t.llvm.mlir --entry-point-result=void --shared-libs=%hetero_lib/libhetero_runtime.so,%mlir_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --implicit-check-not=failed

// Work on one device shares a stream; the device is set where it changes.
// IR-LABEL: func.func @main
// IR:         %[[ZERO:.*]] = arith.constant 0 : i32
// IR-NEXT:    gpu.set_default_device %[[ZERO]]
// IR-NEXT:    %[[START:.*]] = gpu.wait async
// IR-NEXT:    %{{.*}}, %[[ALLOCATED:.*]] = gpu.alloc async [%[[START]]] ()
// IR-NEXT:    %[[COPIED:.*]] = gpu.memcpy async [%[[ALLOCATED]]]
// IR-NEXT:    gpu.wait [%[[COPIED]]]
// IR:         linalg.fill
// IR-NOT:     gpu.set_default_device
// IR:         gpu.launch_func async [
// IR:         gpu.wait [
// IR:         %[[ONE:.*]] = arith.constant 1 : i32
// IR-NEXT:    gpu.set_default_device %[[ONE]]
// IR:         gpu.launch_func async [
// IR:         gpu.wait [
// IR:         linalg.add

// (1 + 1) on gpu:0, times 10 on gpu:1, plus 2 on the host.
// CHECK:         rank = 2 offset = 0 sizes = [4, 8] strides = [8, 1]
// CHECK-COUNT-4: [22, 22, 22, 22, 22, 22, 22, 22]

!host = memref<4x8xf32>
!gpu0 = memref<4x8xf32, #hetero.device<gpu:0>>
!gpu1 = memref<4x8xf32, #hetero.device<gpu:1>>

memref.global "private" constant @ten : !gpu1 = dense<10.0>

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @main() {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : !host
  linalg.fill ins(%one : f32) outs(%x : !host)
  %a = memref.alloc() : !gpu0
  memref.copy %x, %a : !host to !gpu0
  linalg.fill ins(%two : f32) outs(%x : !host)
  %sum = memref.alloc() : !gpu0
  linalg.add {hetero.region = "main_gpu0_0"} ins(%a, %a : !gpu0, !gpu0) outs(%sum : !gpu0)
  %b = memref.alloc() : !gpu1
  memref.copy %sum, %b : !gpu0 to !gpu1
  %ten = memref.get_global @ten : !gpu1
  linalg.mul {hetero.region = "main_gpu1_0"} ins(%b, %ten : !gpu1, !gpu1) outs(%b : !gpu1)
  %y = memref.alloc() : !host
  memref.copy %b, %y : !gpu1 to !host
  hetero.wait on #hetero.device<gpu:1>
  linalg.add ins(%x, %y : !host, !host) outs(%y : !host)
  %print = memref.cast %y : !host to memref<*xf32>
  func.call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  memref.dealloc %a : !gpu0
  memref.dealloc %sum : !gpu0
  memref.dealloc %b : !gpu1
  memref.dealloc %x : !host
  memref.dealloc %y : !host
  return
}
