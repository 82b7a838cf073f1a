// Streams wait for what they need: two units of one device that use each
// other's values, two devices, and values that come back to the host, under
// random schedules and with a check of every access.

// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --time=3 --input=6xf32=0,1,2,3,4,5 2>&1 | FileCheck %s --implicit-check-not=race
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=2" hetero-run %s --time=3 --input=6xf32=0,1,2,3,4,5 2>&1 | FileCheck %s --implicit-check-not=race
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=3" hetero-run %s --time=3 --input=6xf32=0,1,2,3,4,5 2>&1 | FileCheck %s --implicit-check-not=race
// CHECK: 6xf32=2 5 18 47 98 177
// CHECK: 6xf32=6 14 44 108 218 386

#a = #hetero.device<gpu:0, unit = "a">
#b = #hetero.device<gpu:0, unit = "b">
#other = #hetero.device<gpu:1>

func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %c = arith.constant dense<2.0> : tensor<6xf32>
  %0 = arith.addf %x, %c {hetero.device = #a} : tensor<6xf32>
  %1 = arith.mulf %x, %x {hetero.device = #b} : tensor<6xf32>
  %2 = arith.addf %0, %1 {hetero.device = #a} : tensor<6xf32>
  %3 = arith.mulf %0, %1 {hetero.device = #b} : tensor<6xf32>
  %4 = arith.addf %2, %c {hetero.device = #other} : tensor<6xf32>
  %5 = arith.subf %3, %2 {hetero.device = #b} : tensor<6xf32>
  %6 = arith.addf %5, %4 {hetero.device = #a} : tensor<6xf32>
  %7 = arith.addf %4, %3 {hetero.device = #hetero.device<cpu:0>} : tensor<6xf32>
  %8 = arith.addf %7, %6 {hetero.device = #other} : tensor<6xf32>
  return %6, %8 : tensor<6xf32>, tensor<6xf32>
}
