// A pipeline over two gpus: layers on gpu:0, then layers on gpu:1. Where a link
// joins the two, what they pass on takes it; where none does, it goes through
// the host.

// RUN: hetero-run %s --input=2x4xf32=iota --expected=2x3xf32=11664,10201,8100,150544,139129,98596 --report | FileCheck %s --check-prefix=HOST
// HOST: copies: 4, 120 bytes
// HOST: links:
// HOST-NEXT: from
// HOST-DAG: cpu:0 {{ *}}gpu:0 {{ *}}32 {{ *}}1{{$}}
// HOST-DAG: gpu:0 {{ *}}cpu:0 {{ *}}32 {{ *}}1{{$}}
// HOST-DAG: cpu:0 {{ *}}gpu:1 {{ *}}32 {{ *}}1{{$}}
// HOST-DAG: gpu:1 {{ *}}cpu:0 {{ *}}24 {{ *}}1{{$}}
// HOST-NEXT: devices:

// RUN: sed -e '/^  links/r %S/Inputs/gpu-links.txt' %s > %t.mlir
// RUN: hetero-run %t.mlir --input=2x4xf32=iota --expected=2x3xf32=11664,10201,8100,150544,139129,98596 --report | FileCheck %s --check-prefix=DIRECT
// DIRECT: copies: 3, 88 bytes
// DIRECT: links:
// DIRECT-NEXT: from
// DIRECT-DAG: cpu:0 {{ *}}gpu:0 {{ *}}32 {{ *}}1{{$}}
// DIRECT-DAG: gpu:0 {{ *}}gpu:1 {{ *}}32 {{ *}}1{{$}}
// DIRECT-DAG: gpu:1 {{ *}}cpu:0 {{ *}}24 {{ *}}1{{$}}
// DIRECT-NEXT: devices:

// Ten calls upload the weights of each layer once, to its own device.
// RUN: hetero-run %s --input=2x4xf32=iota --time=9 --report | FileCheck %s --check-prefix=CALLS
// CALLS: constants uploaded once:
// CALLS-DAG: __constant_4x4xf32 {{ *}}gpu:0 {{ *}}64{{$}}
// CALLS-DAG: __constant_4x3xf32 {{ *}}gpu:1 {{ *}}48{{$}}
// CALLS-NEXT: ran:
// CALLS: gpu:0 {{ *}}cpu:0 {{ *}}320 {{ *}}10{{$}}

// Nothing depends on the order that streams happen to run in.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --input=2x4xf32=iota --expected=2x3xf32=11664,10201,8100,150544,139129,98596 --time=3
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %t.mlir --input=2x4xf32=iota --expected=2x3xf32=11664,10201,8100,150544,139129,98596 --time=3

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 68719476736, compute = 500000000000, bandwidth = 50000000000, launch = 100000>,
    #hetero.device_spec<device = #gpu0, memory = 17179869184, compute = 10000000000000, bandwidth = 500000000000, launch = 5000000>,
    #hetero.device_spec<device = #gpu1, memory = 17179869184, compute = 10000000000000, bandwidth = 500000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 12000000000, latency = 10000000>,
    #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 12000000000, latency = 10000000>,
    #hetero.link<from = #hetero.device<cpu:0>, to = #gpu1, bandwidth = 12000000000, latency = 10000000>,
    #hetero.link<from = #gpu1, to = #hetero.device<cpu:0>, bandwidth = 12000000000, latency = 10000000>]>} {
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w0 = arith.constant dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0], [2.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [3.0, 1.0, 1.0], [2.0, 2.0, 0.0]]> : tensor<4x3xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x4xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.matmul {hetero.device = #gpu0} ins(%x, %w0 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%i0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = arith.maximumf %0, %i0 {hetero.device = #gpu0} : tensor<2x4xf32>
  %2 = linalg.matmul {hetero.device = #gpu0} ins(%1, %w0 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%i0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = linalg.matmul {hetero.device = #gpu1} ins(%2, %w1 : tensor<2x4xf32>, tensor<4x3xf32>) outs(%i1 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = arith.mulf %3, %3 {hetero.device = #gpu1} : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}
}
