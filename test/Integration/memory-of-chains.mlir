// A chain of six products has two results alive at once, on each device, however
// common the fill is that they start from, and with sizes that are known at run
// time only: two of 16 KiB and the weights on a gpu; two on the host, where the
// last one is the caller's.

// DEFINE: %{rules} = none
// DEFINE: %{run} = env HETERO_EMULATOR=check=races hetero-run --input=64x64xf32=1 --input=64x64xf32=0.0625 --expected=64x64xf32=4096 --report --rules='{rules: [%{rules}], default: cpu}'

// REDEFINE: %{rules} = {op: "*", device: cpu}
// RUN: sed -e 's/tensor.empty()/tensor.empty(%%d)/; s/!m = tensor<64x/!m = tensor<?x/' %s > %t.mlir
// RUN: %{run} %s | FileCheck %s --check-prefix=HOST
// RUN: %{run} %t.mlir | FileCheck %s --check-prefix=HOST
// HOST: memory peaks:
// HOST-NEXT: device
// HOST-NEXT: cpu:0 {{ *}}49152{{$}}

// REDEFINE: %{rules} = {op: "*", device: "gpu:0"}
// RUN: %{run} %s | FileCheck %s --check-prefix=GPU
// RUN: %{run} %t.mlir | FileCheck %s --check-prefix=GPU
// GPU: memory peaks:
// GPU-NEXT: device
// GPU-NEXT: cpu:0 {{ *}}16384{{$}}
// GPU-NEXT: gpu:0 {{ *}}49152{{$}}

// REDEFINE: %{rules} = {name: "here/.*", device: "gpu:0"}
// RUN: %{run} %s | FileCheck %s --check-prefixes=MIXED,STATIC
// RUN: %{run} %t.mlir | FileCheck %s --check-prefixes=MIXED,DYNAMIC
// MIXED: memory peaks:
// MIXED-NEXT: device
// STATIC-NEXT: cpu:0 {{ *}}49152{{$}}
// The host goes on in tiles of rows, which are all here.
// DYNAMIC-NEXT: cpu:0 {{ *}}65536{{$}}
// MIXED-NEXT: gpu:0 {{ *}}49152{{$}}

!m = tensor<64x64xf32>
!w = tensor<64x64xf32>
func.func @main(%x: !m, %w: !w) -> !m {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : !m
  %e = tensor.empty() : !m
  %f = linalg.fill ins(%zero : f32) outs(%e : !m) -> !m
  %0 = linalg.matmul ins(%x, %w : !m, !w) outs(%f : !m) -> !m loc("here/0")
  %1 = linalg.matmul ins(%0, %w : !m, !w) outs(%f : !m) -> !m loc("here/1")
  %2 = linalg.matmul ins(%1, %w : !m, !w) outs(%f : !m) -> !m loc("here/2")
  %3 = linalg.matmul ins(%2, %w : !m, !w) outs(%f : !m) -> !m loc("there/3")
  %4 = linalg.matmul ins(%3, %w : !m, !w) outs(%f : !m) -> !m loc("there/4")
  %5 = linalg.matmul ins(%4, %w : !m, !w) outs(%f : !m) -> !m loc("there/5")
  return %5 : !m
}
