// Fused work runs under a name that says what it is.
//
// RUN: hetero-run %s --report --print-max=1 --rules='{devices: [cpu, "gpu:0"], default: "gpu:0"}' --entry=chain --input=5x7xf32=3 --input=5x7xf32=iota --expected=5x7xf32=9 | FileCheck %s --check-prefix=NAMES
// NAMES: gpu:0 kernel chain_gpu0_0_0_add_sub_mul 1

func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.addf %a, %b : tensor<?x?xf32>
  %1 = arith.subf %0, %b : tensor<?x?xf32>
  %2 = arith.mulf %1, %a : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
