// A donated accumulator: each call writes its result where the argument was, and
// neither copies nor allocates.

// RUN: rm -rf %t && mkdir %t
// RUN: hetero-compile %s -o %t/gpu.so
// RUN: %python %S/Inputs/donation.py %hetero_lib/libhetero_runtime.so %hetero_lib/libhetero_cuda_emulator.so %t/gpu.so 0 accumulate 1 | FileCheck %s
// RUN: %python %S/Inputs/donation.py %hetero_lib/libhetero_runtime.so %hetero_lib/libhetero_cuda_emulator.so %t/gpu.so 0 accumulate_in_loop 5 | FileCheck %s
// RUN: sed -e 's/gpu:0/cpu:0/' %s > %t/cpu.mlir
// RUN: hetero-compile %t/cpu.mlir -o %t/cpu.so
// RUN: %python %S/Inputs/donation.py %hetero_lib/libhetero_runtime.so %hetero_lib/libhetero_cuda_emulator.so %t/cpu.so -1 accumulate 1 | FileCheck %s
// RUN: %python %S/Inputs/donation.py %hetero_lib/libhetero_runtime.so %hetero_lib/libhetero_cuda_emulator.so %t/cpu.so -1 accumulate_in_loop 5 | FileCheck %s

// CHECK: 0 copies, 0 allocations
// CHECK-NEXT: right
// CHECK-NEXT: consumed: 1 argument 0: expected the address of its data, got NULL, which a value has that was released or donated to a call before; pass a value that fits the entry point
// CHECK-NEXT: borrowed: 1 argument 0 is donated, but does not own memory of the runtime; pass a value of heteroAllocateValue, or the result of a call
// CHECK-NEXT: shared: 1 argument 0 is donated, but argument 1 has the same memory; pass a copy
// CHECK-NEXT: held 0

// The runner makes the value anew for each call.
// RUN: hetero-run %s --entry=accumulate --input=64xf32=1 --input=64xf32=2 --time=3 --print-max=2 --report | FileCheck %s --check-prefix=CALLS
// CALLS: 64xf32=3 3

// CALLS-NOT: only the end of a call freed

// What the program does not read goes as well.
// RUN: hetero-run %s --entry=ignore --input=64xf32=1 --input=64xf32=2 --time=3 --print-max=2 --report | FileCheck %s --check-prefix=IGNORE
// IGNORE: 64xf32=4 4
// IGNORE-NOT: only the end of a call freed

#device = #hetero.device<gpu:0>

func.func @accumulate(%sum: tensor<64xf32> {hetero.device = #device, hetero.donated},
                      %x: tensor<64xf32> {hetero.device = #device})
    -> (tensor<64xf32> {hetero.device = #device}) {
  %0 = arith.addf %sum, %x {hetero.device = #device} : tensor<64xf32>
  return %0 : tensor<64xf32>
}

func.func @accumulate_in_loop(%sum: tensor<64xf32> {hetero.device = #device, hetero.donated},
                              %x: tensor<64xf32> {hetero.device = #device})
    -> (tensor<64xf32> {hetero.device = #device}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%it = %sum) -> tensor<64xf32> {
    %1 = arith.addf %it, %x {hetero.device = #device} : tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

func.func @ignore(%sum: tensor<64xf32> {hetero.device = #device, hetero.donated},
                  %x: tensor<64xf32> {hetero.device = #device})
    -> (tensor<64xf32> {hetero.device = #device}) {
  %0 = arith.addf %x, %x {hetero.device = #device} : tensor<64xf32>
  return %0 : tensor<64xf32>
}
