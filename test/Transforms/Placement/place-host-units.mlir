// The host overlaps nothing, so that each unit of it is a warning, once; those of a device with streams are none.
//
// RUN: hetero-opt %s --verify-diagnostics --hetero-place -o /dev/null
// RUN: hetero-opt %s --hetero-place 2>/dev/null | hetero-opt --hetero-place 2>&1 | FileCheck %s
// CHECK-NOT: warning

func.func @units(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // expected-warning@+1 {{unit "a" of cpu:0 overlaps with nothing, since the host runs its operations one after the other, and only gives them regions of their own; leave it out, or place them on a device with streams}}
  %0 = math.exp %x {hetero.device = #hetero.device<cpu:0, unit = "a">} : tensor<64xf32>
  // expected-warning@+1 {{unit "b" of cpu:0 overlaps with nothing}}
  %1 = math.sin %x {hetero.device = #hetero.device<cpu, unit = "b">} : tensor<64xf32>
  %2 = math.cos %x {hetero.device = #hetero.device<cpu, unit = "b">} : tensor<64xf32>
  %3 = math.tan %x {hetero.device = #hetero.device<gpu:0, unit = "c">} : tensor<64xf32>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
