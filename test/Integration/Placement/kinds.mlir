// RUN: hetero-opt-test-passes %s --hetero-place --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt-test-passes %s --split-input-file --hetero-pipeline=stop-after=partitioned | FileCheck %s -enable-var-scope --check-prefix=REGIONS
// RUN: hetero-opt-test-passes %s --split-input-file --hetero-pipeline=stop-after=codegen | FileCheck %s -enable-var-scope --check-prefix=CODE

// The tests register the kind `dsp`, which only multiplies (TestDspKind.cpp).

// By cost, each operation goes to the kind that is fastest at it: dsp at
// multiplying, gpu at much work, cpu at what needs both results.

#devices = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000000, compute = 1000000000, bandwidth = 100000000000, launch = 1000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1000000000, compute = 100000000000, bandwidth = 1000000000000, launch = 100000>,
    #hetero.device_spec<device = #hetero.device<dsp:0>, memory = 1000000000, compute = 1, bandwidth = 1, launch = 1000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 100000000000, latency = 1000>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 100000000000, latency = 1000>,
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<dsp:0>, bandwidth = 100000000000, latency = 1000>,
    #hetero.link<from = #hetero.device<dsp:0>, to = #hetero.device<cpu:0>, bandwidth = 100000000000, latency = 1000>]>

// CHECK-LABEL: @cost
// REGIONS-LABEL: @cost
// CODE-LABEL: @cost
module attributes {hetero.topology = #devices} {
  func.func @cost(%a: tensor<64xf32>, %b: tensor<64xf32>, %m: tensor<64x64xf32>) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    // REGIONS: %[[A:.*]] = hetero.copy %arg0
    // REGIONS: %[[B:.*]] = hetero.copy %arg1
    // REGIONS: hetero.execute "cost_dsp0_0" on #hetero.device<dsp:0>
    // REGIONS: linalg.mul
    // REGIONS: hetero.copy {{.*}} : tensor<64xf32, #hetero.device<dsp:0>> -> tensor<64xf32>
    // CHECK: linalg.mul {hetero.device = #hetero.device<dsp:0>, hetero.origin = "cost"}

    // The kind's pipeline, which generalizes, ran on its region alone.
    // CODE: hetero.execute "cost_dsp0_0"
    // CODE-NOT: linalg.mul
    // CODE: linalg.generic
    // CODE-NEXT: ^bb0
    // CODE-NEXT: arith.mulf
    %0 = linalg.mul ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    // REGIONS: hetero.execute "cost_gpu0_0"
    // REGIONS: linalg.matmul
    // CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
    %1 = linalg.matmul ins(%m, %m : tensor<64x64xf32>, tensor<64x64xf32>) outs(%m : tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = tensor.extract_slice %1[0, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<64xf32>
    // REGIONS: hetero.execute "cost_cpu0_0"
    // REGIONS: linalg.add
    // CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
    %3 = linalg.add ins(%0, %2 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    return %3 : tensor<64xf32>
  }
}

// -----

// By pins, with the default topology: a value that three kinds read has one
// copy per kind, and what comes back has one.

// CHECK-LABEL: @pins
// REGIONS-LABEL: @pins
func.func @pins(%a: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %e = tensor.empty() : tensor<8xi32>
  // CHECK: linalg.mul {hetero.device = #hetero.device<dsp:1>, hetero.origin = "pinned"}
  // REGIONS: %[[DSP:.*]] = hetero.copy %arg0 {{.*}} : tensor<8xi32> -> tensor<8xi32, #hetero.device<dsp:1>>
  // REGIONS: %[[MUL:.*]] = hetero.execute "pins_dsp1_0" on #hetero.device<dsp:1> (%{{.*}} = %[[DSP]]
  %0 = linalg.mul {hetero.device = #hetero.device<dsp:1>} ins(%a, %a : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  // CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
  // REGIONS: hetero.copy %[[MUL]] {{.*}} : tensor<8xi32, #hetero.device<dsp:1>> -> tensor<8xi32, #hetero.device<gpu:0>>
  %1 = linalg.add {hetero.device = #hetero.device<gpu>} ins(%0, %a : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  // CHECK: linalg.sub {hetero.device = #hetero.device<cpu:0>, hetero.origin = "pinned"}
  %2 = linalg.sub {hetero.device = #hetero.device<cpu>} ins(%0, %a : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  return %1, %2 : tensor<8xi32>, tensor<8xi32>
}

// -----

// What a kind cannot run stays on the host, whatever the cost, and the reason
// names the capability of the last kind that was asked.

// CHECK-LABEL: @incapable
func.func @incapable(%a: tensor<8xf32>) -> tensor<8xf32> attributes {hetero.device = #hetero.device<dsp:0>} {
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: linalg.mul {hetero.device = #hetero.device<dsp:0>
  %0 = linalg.mul ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<cpu:0>, hetero.origin = "fallback: no dsp kernel for linalg.exp whose body holds math.exp"}
  %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
