// RUN: hetero-opt %s --hetero-place --mlir-print-debuginfo -o %t.placed
// RUN: hetero-translate --placement-to-dot %t.placed | FileCheck %s
// RUN: hetero-translate --placement-to-dot %t.placed | %python %S/Inputs/check_dot.py | FileCheck %s --check-prefix=GRAMMAR
// RUN: hetero-opt %t.placed --hetero-materialize-copies --hetero-optimize-copies | hetero-translate --placement-to-dot | FileCheck %s --check-prefix=LATER
// RUN: not hetero-translate --placement-to-dot %s 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: echo 'func.func @f(' | not hetero-translate --placement-to-dot 2>&1 | FileCheck %s --check-prefix=PARSE

// PHASE: error: expected a module in phase 'placed', 'materialized' or 'copies-optimized', got phase 'none'; run hetero-opt --hetero-place first
// PHASE-NOT: error
// PARSE: error: expected
// PARSE-NOT: error

// Quotes and backslashes of the program do not end strings.
// GRAMMAR: {{^[1-9][0-9]*}} statements

// A box per operation with its device and origin, in the colour of the device;
// a copy is a point, with an edge that says how much and from where to where,
// and its readers after it. What nobody reads is left out.
// CHECK: digraph placement {
// CHECK: label="cost {{.*}}, 2 copies";
// CHECK: subgraph cluster_devices {
// CHECK: d1 [label="gpu:0", fillcolor="[[GPU:#[0-9a-f]+]]"];
// CHECK: subgraph cluster_0 {
// CHECK-NEXT: label="@main";
// CHECK-NOT: tensor.empty
// CHECK: [[EXP:n[0-9]+]] [label="linalg.exp\ngpu:0\npinned", fillcolor="[[GPU]]", tooltip="a \"quoted\\\" name: pinned; {{.*}} on gpu:0; cpu:0 would cost
// CHECK: [[FOR:n[0-9]+]] [label="scf.for\ncpu:0\nhost: control flow"
// CHECK: [[ABS:n[0-9]+]] [label="linalg.abs\ngpu:0\n
// CHECK: [[RETURN:n[0-9]+]] [label="func.return\ncpu:0", fillcolor="#{{[0-9a-f]+}}", shape=ellipse];
// CHECK: [[IN:c[0-9]+]] [shape=point, tooltip="copy of %arg0 of @main"];
// CHECK: [[OUT:c[0-9]+]] [shape=point
// CHECK: n{{[0-9]+}} -> [[IN]] [style=dashed, color=red, label="16000 bytes\ncpu:0 to gpu:0"];
// CHECK: [[IN]] -> [[EXP]];
// CHECK: [[EXP]] -> [[FOR]];
// CHECK: [[FOR]] -> [[ABS]];
// CHECK: [[ABS]] -> [[FOR]];
// CHECK: [[FOR]] -> [[OUT]] [style=dashed, color=red, label="16000 bytes\ngpu:0 to cpu:0"];
// CHECK: [[OUT]] -> [[RETURN]];

// What was there already is shown as it is.
// LATER: label="";
// LATER: label="16000 bytes\ncpu:0 to gpu:0"
// LATER: label="16000 bytes\ngpu:0 to cpu:0"

#gpu = #hetero.device<gpu:0>

func.func @main(%x: tensor<4000xf32>) -> tensor<4000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<4000xf32>
  %0 = linalg.exp {hetero.device = #gpu} ins(%x : tensor<4000xf32>) outs(%e : tensor<4000xf32>) -> tensor<4000xf32> loc("a \22quoted\5C\22 name")
  %1 = scf.for %i = %c0 to %c10 step %c1 iter_args(%c = %0) -> tensor<4000xf32> {
    %2 = linalg.abs {hetero.device = #gpu} ins(%c : tensor<4000xf32>) outs(%e : tensor<4000xf32>) -> tensor<4000xf32>
    scf.yield %2 : tensor<4000xf32>
  }
  return %1 : tensor<4000xf32>
}
