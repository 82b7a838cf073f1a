// The model's times keep a small product on the host; measured ones send it to the
// device, and back.
//
// RUN: split-file %s %t
// RUN: hetero-opt %t/model.mlir --hetero-place | FileCheck %s --check-prefix=HOST
// RUN: hetero-opt %t/model.mlir --hetero-place=profile=%t/device.yaml | FileCheck %s --check-prefix=DEVICE
// RUN: hetero-opt %t/model.mlir --hetero-place=profile=%t/host.yaml | FileCheck %s --check-prefix=HOST
// RUN: hetero-run %t/model.mlir --default=gpu:0 --input=64x64xf32=1 --print-max=1 --write-profile=%t/gpu.yaml
// RUN: FileCheck %s --check-prefix=MEASURED < %t/gpu.yaml

// HOST: linalg.matmul {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
// DEVICE: linalg.matmul {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
// MEASURED: - {op: linalg.matmul, operands: ['64x64xf32', '64x64xf32', '64x64xf32'], device: 'gpu:0', seconds: {{.+}}}

//--- model.mlir
!m = tensor<64x64xf32>
func.func @main(%x: !m) -> !m {
  %0 = linalg.matmul ins(%x, %x : !m, !m) outs(%x : !m) -> !m
  return %0 : !m
}

//--- device.yaml
operations:
  - {op: linalg.matmul, device: cpu, seconds: 1.0e-3}
  - {op: linalg.matmul, device: gpu, seconds: 1.0e-5}

//--- host.yaml
operations:
  - {op: linalg.matmul, device: cpu, seconds: 1.0e-6}
  - {op: linalg.matmul, device: gpu, seconds: 1.0e-5}
