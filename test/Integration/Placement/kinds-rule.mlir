// RUN: hetero-opt-test-passes %s --hetero-annotate='rules=[{op: "linalg.*", device: "dsp:0"}]' --hetero-place --remarks-filter=hetero-place --remark-policy=all 2>&1 | FileCheck %s
// RUN: hetero-opt-test-passes %s --hetero-place='default=dsp:0' --remarks-filter=hetero-place --remark-policy=all 2>&1 | FileCheck %s --check-prefix=DEFAULT

// A rule that asks a kind for more than it can is a warning, and a default a
// remark; both name the missing capability: what is computed, the element type,
// the rank, or the loops.

// CHECK: kinds-rule.mlir:[[#@LINE+11]]:{{[0-9]+}}: warning: 'linalg.add' op falls back to cpu:0: rule 1 asks for dsp:0, but no dsp kernel for linalg.add whose body holds arith.addf
// CHECK: kinds-rule.mlir:[[#@LINE+12]]:{{[0-9]+}}: warning: 'linalg.mul' op falls back to cpu:0: rule 1 asks for dsp:0, but no dsp kernel for linalg.mul on elements of type f64
// CHECK: kinds-rule.mlir:[[#@LINE+12]]:{{[0-9]+}}: warning: 'linalg.mul' op falls back to cpu:0: rule 1 asks for dsp:0, but no dsp kernel for linalg.mul on a tensor of rank 4, more than 3
// CHECK: kinds-rule.mlir:[[#@LINE+12]]:{{[0-9]+}}: warning: 'linalg.reduce' op falls back to cpu:0: rule 1 asks for dsp:0, but no dsp kernel for linalg.reduce whose loops are not all parallel
// CHECK: remark: [Missed] fallback {{.*}} Reason="no dsp kernel for linalg.add whose body holds arith.addf", Remark="linalg.add runs on cpu:0 instead of dsp:0"
// CHECK: linalg.mul {hetero.device = #hetero.device<dsp:0>, hetero.origin = "rule 1"}

// DEFAULT-NOT: warning
// DEFAULT: remark: [Missed] fallback {{.*}} Reason="no dsp kernel for linalg.add whose body holds arith.addf", Remark="linalg.add runs on cpu:0 instead of dsp:0"

func.func @main(%a: tensor<8xf32>, %d: tensor<8xf64>, %r: tensor<1x1x1x8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf64>, tensor<1x1x1x8xf32>, tensor<f32>) {
  %0 = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.mul ins(%0, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.mul ins(%d, %d : tensor<8xf64>, tensor<8xf64>) outs(%d : tensor<8xf64>) -> tensor<8xf64>
  %3 = linalg.mul ins(%r, %r : tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) outs(%r : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %4 = linalg.reduce { arith.mulf } ins(%1 : tensor<8xf32>) outs(%s : tensor<f32>) dimensions = [0]
  return %1, %2, %3, %4 : tensor<8xf32>, tensor<8xf64>, tensor<1x1x1x8xf32>, tensor<f32>
}
