// Where an arena's places are known at run time only, kernels are fused as if
// each buffer was an allocation: what is in one place is not in another that
// begins where the first one ends. The second product takes its bias along.

// RUN: hetero-run %s --default=gpu:0 --input=5x64xf32=randint:1 --input=64x64xf32=randint:2 --input=5x64xf32=randint:3 --output=%t.gpu.npy --report > %t.report
// RUN: FileCheck %s < %t.report
// RUN: hetero-run %s --default=cpu --input=5x64xf32=randint:1 --input=64x64xf32=randint:2 --input=5x64xf32=randint:3 --expected=@%t.gpu.npy

// CHECK: ran:
// CHECK-NEXT: device
// CHECK-NEXT: gpu:0 {{ *}}kernel {{ *}}main_gpu0_0_0_matmul {{ *}}1{{$}}
// CHECK-NEXT: gpu:0 {{ *}}kernel {{ *}}main_gpu0_0_1_add_maximum {{ *}}1{{$}}
// CHECK-NEXT: gpu:0 {{ *}}kernel {{ *}}main_gpu0_0_2_matmul_add_maximum {{ *}}1{{$}}
// CHECK-NEXT: memory peaks:
// One arena.
// CHECK: allocations
// CHECK-NEXT: cpu:0 {{ *}}1 {{ *}}0{{$}}
// CHECK-NEXT: gpu:0 {{ *}}1 {{ *}}{{[0-9]+$}}

func.func @main(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>, %b: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = linalg.add ins(%0, %b : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %2 = linalg.max ins(%1, %f : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %4 = linalg.add ins(%3, %2 : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %5 = linalg.max ins(%4, %f : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %5 : tensor<?x64xf32>
}
