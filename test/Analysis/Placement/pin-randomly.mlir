// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="seed=1 devices=cpu,gpu:0,gpu:1 min-share=0.3" --hetero-place="report=%t.json" -o /dev/null && FileCheck %s < %t.json
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="seed=2 devices=cpu,gpu:0,gpu:1 min-share=0.3" --hetero-place="report=%t.json" -o /dev/null && FileCheck %s < %t.json
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="seed=1 devices=cpu,gpu:0" > %t.1
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="seed=1 devices=cpu,gpu:0" > %t.2
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="seed=2 devices=cpu,gpu:0" > %t.3
// RUN: cmp %t.1 %t.2
// RUN: not cmp %t.1 %t.3
// RUN: hetero-opt-test-passes %s --test-hetero-pin-randomly="all=gpu:0" | FileCheck %s --check-prefix=ALL
// RUN: not hetero-opt-test-passes %s --test-hetero-pin-randomly="devices=cpu,gpu:0 min-share=0.95" 2>&1 | FileCheck %s --check-prefix=FEW

// At least the share of the 10 operations stands on each device.

// CHECK: "device": "cpu:0"
// CHECK-NEXT: "ops": {{[34]}}
// CHECK: "device": "gpu:0"
// CHECK-NEXT: "ops": {{[34]}}
// CHECK: "device": "gpu:1"
// CHECK-NEXT: "ops": {{[34]}}

// ALL-COUNT-9: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>}
// ALL: tensor.extract %{{[^{]*}} : tensor<8xf32>

// FEW: error: expected 9 of 10 operations for cpu:0, got 1

func.func @main(%a: tensor<8xf32>, %i: index) -> f32 {
  %0 = math.exp %a : tensor<8xf32>
  %1 = math.exp %0 {hetero.device = #hetero.device<gpu:3>} : tensor<8xf32>
  %2 = math.exp %1 : tensor<8xf32>
  %3 = math.exp %2 : tensor<8xf32>
  %4 = math.exp %3 : tensor<8xf32>
  %5 = math.exp %4 : tensor<8xf32>
  %6 = math.exp %5 : tensor<8xf32>
  %7 = math.exp %6 : tensor<8xf32>
  %8 = math.exp %7 : tensor<8xf32>
  %9 = tensor.extract %8[%i] : tensor<8xf32>
  return %9 : f32
}
