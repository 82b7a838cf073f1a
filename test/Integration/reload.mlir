// A program that is closed takes its kernels and constants along: one that is
// then loaded at the same addresses computes its own results.

// RUN: rm -rf %t && mkdir %t
// RUN: hetero-compile %s -o %t/a.so
// RUN: sed -e 's/arith.addf/arith.mulf/' -e 's/dense<.*> :/dense<[50.0, 60.0, 70.0, 80.0]> :/' %s > %t/b.mlir
// RUN: hetero-compile %t/b.mlir -o %t/b.so
// RUN: %python %S/Inputs/reload.py %hetero_lib/libhetero_runtime.so %t/a.so %t/b.so %t/a.so | FileCheck %s

// CHECK: result [11.0, 22.0, 33.0, 44.0] held 0
// CHECK: result [50.0, 120.0, 210.0, 320.0] held 0
// CHECK: result [11.0, 22.0, 33.0, 44.0] held 0
// CHECK: addresses: 1

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant {hetero.device = #hetero.device<gpu:0>} dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = arith.addf %x, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
