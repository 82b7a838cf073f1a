// What is computed once before placement gives the numbers of the program as it
// was written, wherever it is.

// DEFINE: %{x} = --input=64xf32=random:1 --input=i1=1
// RUN: hetero-run %s --entry=main %{x} --rules='default: cpu' --simplify=false --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy
// DEFINE: %{want} = --expected=@%t.0.npy --expected=@%t.1.npy --expected=@%t.2.npy
// RUN: hetero-run %s --entry=main %{x} --rules='default: cpu' %{want}
// RUN: hetero-run %s --entry=main %{x} --rules='{default: "gpu:0"}' %{want}
// RUN: hetero-run %s --entry=main %{x} --rules='rules: [{op: math.exp, nth: 0, device: "gpu:0"}, {op: math.exp, device: "gpu:1"}]' %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=1 devices=cpu:0,gpu:0,gpu:1 min-share=0' -o %t.1.mlir
// RUN: hetero-run %t.1.mlir --entry=main %{x} %{want}
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly='seed=2 devices=cpu:0,gpu:0,gpu:1 min-share=0' -o %t.2.mlir
// RUN: hetero-run %t.2.mlir --entry=main %{x} %{want}

// Two equal splats that two gpus read are one, which is made on each of them
// again; a pinned one is copied to the other gpu. Arguments go to each of them and
// results come back.
// RUN: hetero-run %s --entry=splats --input=64xf32=1 --input=64xf32=2 --expected=64xf32=4 --expected=64xf32=5 --print-max=1 --report | FileCheck %s --check-prefix=SPLATS
// RUN: hetero-run %s --entry=pinned --input=64xf32=1 --input=64xf32=2 --expected=64xf32=4 --expected=64xf32=5 --print-max=1 --report | FileCheck %s --check-prefix=PINNED
// SPLATS: copies: 4,
// PINNED: copies: 5,
func.func @main(%x: tensor<64xf32>, %c: i1) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = math.exp %x : tensor<64xf32>
  %1 = math.exp %x : tensor<64xf32>
  %2 = arith.addf %0, %x : tensor<64xf32>
  %3 = arith.addf %1, %x : tensor<64xf32>
  %4 = arith.mulf %2, %3 : tensor<64xf32>
  %5 = scf.if %c -> tensor<64xf32> {
    %6 = math.exp %x : tensor<64xf32>
    scf.yield %6 : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  return %4, %3, %5 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

func.func @splats(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %three = arith.constant 3.0 : f32
  %0 = tensor.splat %three : tensor<64xf32>
  %1 = tensor.splat %three : tensor<64xf32>
  %2 = arith.addf %x, %0 {hetero.device = #gpu0} : tensor<64xf32>
  %3 = arith.addf %y, %1 {hetero.device = #gpu1} : tensor<64xf32>
  return %2, %3 : tensor<64xf32>, tensor<64xf32>
}

func.func @pinned(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %three = arith.constant 3.0 : f32
  %0 = tensor.splat %three {hetero.device = #gpu0} : tensor<64xf32>
  %1 = tensor.splat %three {hetero.device = #gpu0} : tensor<64xf32>
  %2 = arith.addf %x, %0 {hetero.device = #gpu0} : tensor<64xf32>
  %3 = arith.addf %y, %1 {hetero.device = #gpu1} : tensor<64xf32>
  return %2, %3 : tensor<64xf32>, tensor<64xf32>
}
