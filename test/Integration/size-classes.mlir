// Buffers of dynamic size come in size classes: a call with another size of the
// same class takes what the call before gave back, one of another class does not.

// RUN: hetero-compile %s -o %t.so
// RUN: %python %S/Inputs/size_classes.py %hetero_lib/libhetero_runtime.so %hetero_lib/libhetero_cuda_emulator.so %t.so 1000 1000 1024 961 1025 1150 960 | FileCheck %s
// CHECK: 1000: allocated
// CHECK-NEXT: 1000: nothing allocated
// CHECK-NEXT: 1024: nothing allocated
// CHECK-NEXT: 961: nothing allocated
// CHECK-NEXT: 1025: allocated
// CHECK-NEXT: 1150: nothing allocated
// CHECK-NEXT: 960: allocated

#gpu = #hetero.device<gpu:0>

func.func @square(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.mulf %x, %x {hetero.device = #gpu} : tensor<?xf32>
  return %0 : tensor<?xf32>
}
