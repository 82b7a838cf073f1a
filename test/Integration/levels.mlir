// Each level reads the one before twice, so that one of them is fused per sweep:
// however many there are, they become one kernel.

// RUN: hetero-run %s --input=37xf32=random:1 --rules='{default: cpu}' --print-max=0 --report | FileCheck %s --check-prefix=HOST
// RUN: %python %S/every-placement.py %s
// CASE: main 37xf32=0 -> 37xf32=256 37xf32=255
// HOST: main_cpu0_0
// HOST-NOT: main_cpu0_1

func.func @main(%x: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>) {
  %v = math.exp %x : tensor<37xf32>
  %a0 = arith.addf %v, %x : tensor<37xf32>
  %b0 = arith.mulf %v, %x : tensor<37xf32>
  %c0 = arith.subf %v, %x : tensor<37xf32>
  %a1 = arith.addf %b0, %c0 : tensor<37xf32>
  %b1 = arith.addf %c0, %a0 : tensor<37xf32>
  %c1 = arith.addf %a0, %b0 : tensor<37xf32>
  %a2 = arith.maximumf %b1, %c1 : tensor<37xf32>
  %b2 = arith.maximumf %c1, %a1 : tensor<37xf32>
  %c2 = arith.maximumf %a1, %b1 : tensor<37xf32>
  %a3 = arith.addf %b2, %c2 : tensor<37xf32>
  %b3 = arith.addf %c2, %a2 : tensor<37xf32>
  %c3 = arith.addf %a2, %b2 : tensor<37xf32>
  %a4 = arith.maximumf %b3, %c3 : tensor<37xf32>
  %b4 = arith.maximumf %c3, %a3 : tensor<37xf32>
  %c4 = arith.maximumf %a3, %b3 : tensor<37xf32>
  %a5 = arith.addf %b4, %c4 : tensor<37xf32>
  %b5 = arith.addf %c4, %a4 : tensor<37xf32>
  %c5 = arith.addf %a4, %b4 : tensor<37xf32>
  %a6 = arith.maximumf %b5, %c5 : tensor<37xf32>
  %b6 = arith.maximumf %c5, %a5 : tensor<37xf32>
  %c6 = arith.maximumf %a5, %b5 : tensor<37xf32>
  %a7 = arith.addf %b6, %c6 : tensor<37xf32>
  %b7 = arith.addf %c6, %a6 : tensor<37xf32>
  %c7 = arith.addf %a6, %b6 : tensor<37xf32>
  %a8 = arith.maximumf %b7, %c7 : tensor<37xf32>
  %b8 = arith.maximumf %c7, %a7 : tensor<37xf32>
  %c8 = arith.maximumf %a7, %b7 : tensor<37xf32>
  %a9 = arith.addf %b8, %c8 : tensor<37xf32>
  %b9 = arith.addf %c8, %a8 : tensor<37xf32>
  %c9 = arith.addf %a8, %b8 : tensor<37xf32>
  %a10 = arith.maximumf %b9, %c9 : tensor<37xf32>
  %b10 = arith.maximumf %c9, %a9 : tensor<37xf32>
  %c10 = arith.maximumf %a9, %b9 : tensor<37xf32>
  %a11 = arith.addf %b10, %c10 : tensor<37xf32>
  %b11 = arith.addf %c10, %a10 : tensor<37xf32>
  %c11 = arith.addf %a10, %b10 : tensor<37xf32>
  %a12 = arith.maximumf %b11, %c11 : tensor<37xf32>
  %b12 = arith.maximumf %c11, %a11 : tensor<37xf32>
  %c12 = arith.maximumf %a11, %b11 : tensor<37xf32>
  %a13 = arith.addf %b12, %c12 : tensor<37xf32>
  %b13 = arith.addf %c12, %a12 : tensor<37xf32>
  %c13 = arith.addf %a12, %b12 : tensor<37xf32>
  %a14 = arith.maximumf %b13, %c13 : tensor<37xf32>
  %b14 = arith.maximumf %c13, %a13 : tensor<37xf32>
  %c14 = arith.maximumf %a13, %b13 : tensor<37xf32>
  %a15 = arith.addf %b14, %c14 : tensor<37xf32>
  %b15 = arith.addf %c14, %a14 : tensor<37xf32>
  %c15 = arith.addf %a14, %b14 : tensor<37xf32>
  %a16 = arith.maximumf %b15, %c15 : tensor<37xf32>
  %b16 = arith.maximumf %c15, %a15 : tensor<37xf32>
  %c16 = arith.maximumf %a15, %b15 : tensor<37xf32>
  return %a16, %b16 : tensor<37xf32>, tensor<37xf32>
}
