// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/conv.yaml" 2>&1 | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/conv.yaml" --hetero-annotate="rules=%S/Inputs/conv.yaml" 2>&1 | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate="rules=%S/Inputs/conv.yaml" --hetero-place 2>/dev/null | FileCheck %s --check-prefix=PLACED -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate='rules={rules: [{op: "linalg.conv*", device: gpu:0}], default: "gpu:1"}' | FileCheck %s --check-prefix=INLINE
// RUN: hetero-opt %s --hetero-annotate='rules=[{op: "linalg.conv*", device: gpu:0}]' | FileCheck %s --check-prefix=LIST
// RUN: hetero-opt %s --pass-pipeline='builtin.module(hetero-annotate{rules={rules: [{op: "linalg.conv*", device: gpu:0}]}})' | FileCheck %s --check-prefix=LIST
// RUN: hetero-opt %s --hetero-annotate | FileCheck %s --check-prefix=NONE

// A rule that matches nothing is a warning where it stands.

// CHECK: conv.yaml:10:5: warning: rule 6 matches no operation

// The module says what later phases have to know.

// CHECK: module attributes {hetero.default = #hetero.device<cpu>, hetero.devices = [{{.*}}#hetero.device<gpu:1>{{.*}}], hetero.phase = #hetero.phase<annotated>, hetero.pins = 8 : i64}
// PLACED: module attributes {{.*}}hetero.phase = #hetero.phase<placed>
// INLINE: hetero.default = #hetero.device<gpu:1>
// LIST-NOT: hetero.default
// NONE: module attributes {hetero.phase = #hetero.phase<annotated>, hetero.pins = 1 : i64}

// The first rule that matches wins, and an annotation on the operation wins
// over every rule.

// CHECK-LABEL: @main
// PLACED-LABEL: @main
// INLINE-LABEL: @main
// LIST-LABEL: @main
func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %w2: tensor<4x4x3x3xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  // CHECK: tensor.empty() : tensor<1x4x6x6xf32>
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %e2 = tensor.empty() : tensor<1x4x4x4xf32>
  // CHECK: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
  // PLACED: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
  // INLINE: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
  // LIST: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 3"}
  %1 = linalg.exp ins(%0 : tensor<1x4x6x6xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("encoder/exp")
  // CHECK: linalg.log ins
  // PLACED: linalg.log {hetero.device = #hetero.device<cpu:0>, hetero.origin = "default"}
  %2 = linalg.log ins(%1 : tensor<1x4x6x6xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("my/encoder/log")
  // CHECK: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:1, unit = "u", codegen = "cudnn">, hetero.origin = "rule 2"}
  // PLACED: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<gpu:1, unit = "u", codegen = "cudnn">, hetero.origin = "rule 2"}
  %3 = linalg.conv_2d_nchw_fchw ins(%2, %w2 : tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%e2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  // CHECK: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu>} ins
  // PLACED: linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu:0>, hetero.origin = "pinned"} ins
  %4 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu>} ins(%2, %w2 : tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%e2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %3, %4 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// Rules hold in control flow, and do not look into the bodies of linalg.

// CHECK-LABEL: @control_flow
func.func @control_flow(%p: i1, %a: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK: scf.if
  %0 = scf.if %p -> tensor<4xf64> {
    // CHECK: tensor.empty() {hetero.device = #hetero.device<cpu>, hetero.origin = "rule 4"}
    %e = tensor.empty() : tensor<4xf64>
    // CHECK: linalg.generic {{.*}} attrs =  {hetero.device = #hetero.device<cpu>, hetero.origin = "rule 4"}
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) {
    ^bb0(%x: f64, %y: f64):
      // CHECK: math.exp %{{[a-z0-9]+}} : f64
      %2 = math.exp %x : f64
      linalg.yield %2 : f64
    } -> tensor<4xf64>
    scf.yield %1 : tensor<4xf64>
  } else {
    scf.yield %a : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}

// Conditions on the function and on bytes: 2 * 1000 * 4 bytes are too few.

// CHECK-LABEL: @other_function
func.func @other_function(%a: tensor<1000xf32>, %b: tensor<2000xf32>) -> (tensor<1000xf32>, tensor<2000xf32>) {
  // CHECK: math.exp %{{[a-z0-9]+}} : tensor<1000xf32>
  %0 = math.exp %a : tensor<1000xf32>
  // CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu>, hetero.origin = "rule 5"} : tensor<2000xf32>
  %1 = math.exp %b : tensor<2000xf32>
  return %0, %1 : tensor<1000xf32>, tensor<2000xf32>
}
