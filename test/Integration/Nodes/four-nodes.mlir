// A perceptron with a layer and its weights on each of four nodes. The weights
// stay where they are: only activations travel.

// RUN: rm -rf %t && mkdir %t
// RUN: sed "s/, node = [0-9]//" %s > %t/alone.mlir
// RUN: hetero-run %t/alone.mlir --input=4x8xf32=random:1 --output=%t/want.npy
// RUN: hetero-run %s --nodes=in-process --node-seed=1 --input=4x8xf32=random:1 --expected=@%t/want.npy --report | FileCheck %s
// RUN: hetero-run %s --nodes=in-process --time=3 --input=4x8xf32=random:1 --expected=@%t/want.npy --report | FileCheck %s --check-prefix=CALLS

// CHECK: 1 result(s) as expected
// CHECK: nodes: 4, between them 512 bytes in 4 transfers
// CALLS: nodes: 4, between them 2048 bytes in 16 transfers

// Of four ranks that wait for each other, the one that hangs is named by all.
// RUN: not hetero-run %s --nodes=in-process --timeout=0.5 --input=4x8xf32=random:1 --node-fault=stall,rank=1,transfer=2,seconds=30 2>&1 | FileCheck %s --check-prefix=HANG
// HANG-COUNT-4: from rank 1, which does not answer; see whether it runs

// An example of the repository, its second gpu on another node.
// RUN: sed "s/device<gpu:1>/device<gpu:0, node = 1>/" %examples/partitioned-mlp.mlir > %t/mlp.mlir
// RUN: hetero-run %examples/partitioned-mlp.mlir --input=2x4xf32=1,2,3,4,-1,0.5,-0.5,1 --output=%t/mlp.npy
// RUN: hetero-run %t/mlp.mlir --nodes=in-process --node-seed=2 --input=2x4xf32=1,2,3,4,-1,0.5,-0.5,1 --expected=@%t/mlp.npy | FileCheck %s --check-prefix=MLP
// MLP: 1 result(s) as expected

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense<0.5> : tensor<8x8xf32>
  %w1 = arith.constant dense<0.25> : tensor<8x8xf32>
  %w2 = arith.constant dense<0.125> : tensor<8x8xf32>
  %w3 = arith.constant dense<-0.5> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %z0 = linalg.fill {hetero.device = #hetero.device<gpu:0, node = 0>} ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = linalg.matmul {hetero.device = #hetero.device<gpu:0, node = 0>} ins(%x, %w0 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %z1 = linalg.fill {hetero.device = #hetero.device<gpu:0, node = 1>} ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul {hetero.device = #hetero.device<gpu:0, node = 1>} ins(%a, %w1 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %z2 = linalg.fill {hetero.device = #hetero.device<cpu:0, node = 2>} ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = linalg.matmul {hetero.device = #hetero.device<cpu:0, node = 2>} ins(%b, %w2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %z3 = linalg.fill {hetero.device = #hetero.device<gpu:0, node = 3>} ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = linalg.matmul {hetero.device = #hetero.device<gpu:0, node = 3>} ins(%c, %w3 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}
