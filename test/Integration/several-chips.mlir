// A program for GPUs of two architectures: each has kernels for its own chip, with
// the same numbers as on one chip and on the host.
// DEFINE: %{inputs} = --input=64x64xf16=randint:1 --input=64x64xf16=randint:2
// RUN: env HETERO_EMULATOR=cc=8.0/9.0 hetero-run %s %{inputs} --output=%t.npy --report | FileCheck %s
// CHECK-DAG: main_gpu0_{{.*}}matmul
// CHECK-DAG: main_gpu1_{{.*}}matmul
// RUN: env HETERO_EMULATOR=cc=8.0/9.0 hetero-run %s %{inputs} --chip=sm_80 --expected=@%t.npy
// RUN: sed -e 's/{hetero.device = #hetero.device<gpu:[01]>}/{hetero.device = #hetero.device<cpu:0>}/' %s > %t.host.mlir
// RUN: hetero-run %t.host.mlir %{inputs} --expected=@%t.npy

// A device that is a later chip runs the code of an earlier one; one that is an
// earlier chip has none.
// RUN: env HETERO_EMULATOR=cc=9.0 hetero-run %s %{inputs} --expected=@%t.npy
// RUN: not env HETERO_EMULATOR=cc=8.0 hetero-run %s %{inputs} 2>&1 | FileCheck %s --check-prefix=EARLIER
// EARLIER: module hetero_kernels_sm_90a has code for compute capability 9.0 only, but gpu:1 is of 8.0; name the device's chip in the topology, compile for it with --chip, or map to another one with --device-map

// Device code is a file for each module and chip.
// RUN: rm -rf %t && mkdir %t && hetero-compile %s -o %t/x.ptx && ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not={{.}}
// FILES: x.hetero_kernels_sm_80.sm_80.ptx
// FILES: x.hetero_kernels_sm_80.sm_90a.ptx
// FILES: x.hetero_kernels_sm_90a.ptx

module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000, bandwidth = 1000000000, target = #nvvm.target<chip = "sm_80">>,
    #hetero.device_spec<device = #hetero.device<gpu:1>, compute = 1000000000, bandwidth = 1000000000, target = #nvvm.target<chip = "sm_90a">>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>,
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000000000, latency = 0>,
    #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>]>} {
  func.func @main(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    %d = linalg.matmul {hetero.device = #hetero.device<gpu:1>} ins(%b, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    %e = linalg.abs {hetero.device = #hetero.device<gpu:0>} ins(%d : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %e : tensor<64x64xf32>
  }
}
