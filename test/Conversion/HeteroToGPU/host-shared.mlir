// Memory that host and device share is what upstream's gpu.alloc host_shared
// asks for: the host writes and reads it, with no copy in between.

// RUN: %mlir_opt %s -gpu-to-llvm -convert-to-llvm -reconcile-unrealized-casts | mlir-runner --entry-point-result=i32 --shared-libs=%hetero_lib/libhetero_runtime.so,%mlir_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --implicit-check-not=hetero
// CHECK: {{^}}7{{$}}

func.func @main() -> i32 {
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %m = gpu.alloc host_shared () : memref<4xi32>
  memref.store %v, %m[%c1] : memref<4xi32>
  %r = memref.load %m[%c1] : memref<4xi32>
  return %r : i32
}
