// A network in three stages, the second on the gpu of another node: the numbers
// are those of one node, under any delays, in one process and under mpirun.

// RUN: rm -rf %t && mkdir %t
// RUN: sed "s/, node = 1//" %s > %t/alone.mlir
// RUN: hetero-run %t/alone.mlir --input=8x16xf32=random:1 --output=%t/want.npy
// RUN: hetero-run %s --nodes=in-process --input=8x16xf32=random:1 --expected=@%t/want.npy --report | FileCheck %s
// RUN: hetero-run %s --nodes=in-process --node-seed=1 --input=8x16xf32=random:1 --expected=@%t/want.npy | FileCheck %s --check-prefix=SAME
// RUN: hetero-run %s --nodes=in-process --node-seed=2 --input=8x16xf32=random:1 --expected=@%t/want.npy | FileCheck %s --check-prefix=SAME
// RUN: hetero-run %s --nodes=in-process --time=5 --input=8x16xf32=random:1 --expected=@%t/want.npy | FileCheck %s --check-prefix=TIME

// CHECK: EXEC @main
// CHECK: 1 result(s) as expected
// CHECK: nodes: 2, between them 1536 bytes in 2 transfers
// SAME: 1 result(s) as expected
// TIME: time: 5 calls
// TIME: 1 result(s) as expected

#one = #hetero.device<gpu:0, node = 1>

func.func @main(%x: tensor<8x16xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.25> : tensor<16x32xf32>
  %a = math.exp %x {hetero.device = #hetero.device<cpu:0>} : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %z = linalg.fill {hetero.device = #one} ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %b = linalg.matmul {hetero.device = #one} ins(%a, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%z : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = math.tanh %b {hetero.device = #one} : tensor<8x32xf32>
  %d = arith.addf %c, %c {hetero.device = #hetero.device<cpu:0>} : tensor<8x32xf32>
  return %d : tensor<8x32xf32>
}
