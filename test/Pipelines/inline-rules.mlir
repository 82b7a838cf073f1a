// Rules without a file, in every place that takes a file: quotes, braces and
// lines survive the parsers of options and of pipelines.

// RUN: hetero-opt %s --hetero-annotate='rules=[{op: linalg.exp, device: "gpu:1"}]' | FileCheck %s
// RUN: hetero-opt %s --hetero-annotate="rules=[{name: \"it's {1}.*\", device: 'gpu:1'}]" | FileCheck %s
// RUN: hetero-opt %s --hetero-annotate='rules={"rules": [{"op": "linalg.exp", "device": "gpu:1"}]}' | FileCheck %s
// RUN: hetero-opt %s --hetero-annotate='rules={"rules":[{"op":"linalg.exp","device":"gpu:1"}]}' | FileCheck %s
// RUN: hetero-opt %s --hetero-annotate='rules="rules: [{op: linalg.exp, device: gpu:1}], default: cpu"' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: hetero-opt %s --pass-pipeline='builtin.module(hetero-annotate{rules={rules: [{op: "linalg.{exp,log}", device: gpu:1}], default: cpu}})' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: hetero-opt %s --hetero-pipeline="rules={default: 'cpu', rules: [{op: linalg.exp, device: gpu:1}]} stop-after=annotated" | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: hetero-opt %s --hetero-pipeline="rules='[{name: \"it.s {1}\\\"an\\\".*\", device: gpu:1}]' stop-after=annotated" | FileCheck %s
// RUN: hetero-opt %s --pass-pipeline='builtin.module(hetero-pipeline{rules=[{op: linalg.exp, device: gpu:1}] stop-after=annotated})' | FileCheck %s

// No rules at all.
// RUN: hetero-opt %s --hetero-annotate='rules={}' | FileCheck %s --check-prefix=NONE
// RUN: hetero-opt %s --hetero-annotate='rules=[]' | FileCheck %s --check-prefix=NONE

// What is printed of a pipeline is the same pipeline.
// RUN: hetero-opt %s --hetero-annotate="rules={rules: [{name: \"it's.*\", device: 'gpu:1'}], default: cpu}" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINTED
// PRINTED: hetero-annotate{dynamic-size=auto entry= rules={rules: [{name: "it's.*", device: 'gpu:1'}], default: cpu} topology=}

// The tools take what a shell quoted as it is.
// RUN: hetero-run %s --entry=main --input=4xf32=0 --rules="[{name: \"it's {1}\\\"an\\\".*\", device: 'gpu:1'}]" --report 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: hetero-compile %s --rules="[{op: 'linalg.exp', device: 'gpu:1'}]" --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: not hetero-run %s --entry=main --input=4xf32=0 --rules='[{op: linalg.exp, device: 0}]' 2>&1 | FileCheck %s --check-prefix=ERROR

// DEFAULT: module attributes {hetero.default = #hetero.device<cpu>
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 1"}
// NONE: linalg.exp ins
// RAN: 4xf32=1 1 1 1
// RAN: gpu:1
// PTX: .visible .entry
// ERROR: <rules>:1:27: error: expected a device like cpu or gpu:0, got '0'

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32> loc("it's \"an\" exp")
  return %0 : tensor<4xf32>
}
