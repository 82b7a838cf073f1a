// What an annotation leaves out, the first rule says that does not contradict it.
//
// DEFINE: %{rules} = --hetero-annotate='rules={[{op: linalg.exp, device: gpu:0, unit: u}, {op: linalg.exp, device: gpu:1}, {op: linalg.abs, device: gpu:1}]}'
// RUN: hetero-opt %s %{rules} 2>&1 | FileCheck %s
// RUN: hetero-opt %s %{rules} %{rules} 2>&1 | FileCheck %s
// RUN: hetero-opt %s %{rules} --hetero-place 2>/dev/null | FileCheck %s --check-prefix=PLACED
// RUN: hetero-opt %s %{rules} --remarks-filter=hetero-annotate -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// What a rule does not place, because annotations contradict it, is named.

// CHECK: warning: rule 3 places no operation: earlier rules and annotations place all that it matches; move it up or remove it
// CHECK: annotate-joined.mlir:[[#@LINE+24]]:8: note: the first is this 'linalg.abs' op, annotated with cpu

// REMARK: :[[#@LINE+18]]:8: remark: [Missed] excluded | {{.*}}Reason="linalg.exp is annotated with #hetero.device<gpu, unit = "v">", Remark="rule 1 asks for #hetero.device<gpu:0, unit = "u">"
// REMARK: :[[#@LINE+19]]:8: remark: [Missed] excluded | {{.*}}Reason="linalg.exp is annotated with #hetero.device<gpu:1>", Remark="rule 1 asks for #hetero.device<gpu:0, unit = "u">"
// REMARK: :[[#@LINE+20]]:8: remark: [Missed] excluded | {{.*}}Reason="linalg.abs is annotated with #hetero.device<cpu>", Remark="rule 3 asks for #hetero.device<gpu:1>"
// REMARK-NOT: excluded

// An annotation that is joined is still one: what it asks for must be met.

// CHECK-LABEL: @joined
// PLACED-LABEL: @joined
func.func @joined(%a: tensor<4xf32>) {
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "u">, hetero.origin = "pinned, rule 1"}
  // PLACED: linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "u">, hetero.origin = "pinned, rule 1"}
  %0 = linalg.exp {hetero.device = #hetero.device<gpu>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "u">, hetero.origin = "pinned, rule 1"}
  %1 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0, unit = "u">, hetero.origin = "rule 1"}
  %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1, unit = "v">, hetero.origin = "pinned, rule 2"}
  %3 = linalg.exp {hetero.device = #hetero.device<gpu, unit = "v">} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1>}
  %4 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.abs {hetero.device = #hetero.device<cpu>}
  %5 = linalg.abs {hetero.device = #hetero.device<cpu>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}
