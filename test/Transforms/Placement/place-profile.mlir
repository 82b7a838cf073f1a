// RUN: hetero-opt %s --hetero-place=profile=%S/Inputs/profile.yaml 2>&1 | FileCheck %s
// RUN: hetero-opt %s --hetero-place='profile=%S/Inputs/profile.yaml report=%t.json' -o /dev/null 2> /dev/null && FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: hetero-opt %s --hetero-pipeline='profile=%S/Inputs/profile.yaml stop-after=placed' 2> /dev/null | FileCheck %s --check-prefix=PLACED
// RUN: hetero-opt %s --hetero-place=profile=%S/Inputs/profile.yaml --hetero-explain=profile=%S/Inputs/profile.yaml 2> /dev/null | FileCheck %s --check-prefix=EXPLAINED
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=MODEL

// What measures nothing is a warning where it stands: a shape that no operation
// has, what an earlier measurement hides, what the kind cannot run.

// CHECK: profile.yaml:7:5: warning: measurement 5 is of no operation
// CHECK: profile.yaml:8:5: warning: measurement 6 is of no operation
// CHECK: profile.yaml:9:5: warning: measurement 7 is of no operation that the program has and dsp can run, or an earlier one serves; correct or remove it

// PLACED-LABEL: @main
// CHECK-LABEL: @main
// MODEL-LABEL: @main
// EXPLAINED-LABEL: @main
func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<2x2xf32>) -> (tensor<1024x1024xf32>, tensor<2x2xf32>) {
  // A location's name matches where the operation's does not.
  // MODEL: linalg.exp {{.*}}hetero.device = #hetero.device<cpu:0>
  // CHECK: linalg.exp {{.*}}hetero.device = #hetero.device<gpu:0>
  // PLACED: linalg.exp {{.*}}hetero.device = #hetero.device<gpu:0>
  // EXPLAINED: linalg.exp {{.*}}hetero.explain = "cost; 0 ps on gpu:0 (measured); cpu:0 would cost {{.*}} more (compute +20 s
  %0 = linalg.exp ins(%a : tensor<1024x1024xf32>) outs(%a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> loc("net/exp")
  // Ten seconds are more than what copies cost.
  // CHECK: linalg.add {{.*}}hetero.device = #hetero.device<cpu:0>
  %1 = linalg.add ins(%0, %0 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  // The second measurement is for other shapes. It does not pay the copies.
  // CHECK: linalg.add {{.*}}hetero.device = #hetero.device<cpu:0>
  %2 = linalg.add ins(%b, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%b : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %2 : tensor<1024x1024xf32>, tensor<2x2xf32>
}

// Measured as nothing, the gpu takes no time.
// REPORT: "devices":
// REPORT: "gpu:0"
// REPORT: "ops": 1
// REPORT: "seconds": 0
