// RUN: hetero-opt %s --hetero-place --mlir-print-debuginfo -o %t.placed
// RUN: hetero-translate --placement-to-html %t.placed | FileCheck %s
// RUN: hetero-translate --placement-to-html %t.placed | %python %S/Inputs/check_html.py | FileCheck %s --check-prefix=WELL
// RUN: not hetero-translate --placement-to-html %s 2>&1 | FileCheck %s --check-prefix=PHASE

// PHASE: error: expected a module in phase 'placed', 'materialized' or 'copies-optimized', got phase 'none'; run hetero-opt --hetero-place first
// PHASE-NOT: error

// Every element is closed, and nothing is loaded from elsewhere.
// WELL: {{^[1-9][0-9]*}} elements, 0 links

// The operations with device, origin and cost, and the copies with what needs
// them. Markup in names is text.
// CHECK: <!DOCTYPE html>
// CHECK: .d1 { background: #
// CHECK: <p>cost {{.*}}, 3 copies</p>
// CHECK: <tr><td>@main</td><td>linalg.add</td><td class="d1">gpu:0</td><td>pinned</td><td>{{.*}} on gpu:0; cpu:0 would cost {{.*}}</td><td>&lt;b&gt;one&lt;/b&gt;</td></tr>
// CHECK: <h2>Copies</h2>
// CHECK: <tr><td>@main</td><td>%arg0 of @main</td><td class="d0">cpu:0</td><td class="d1">gpu:0</td><td>? bytes</td><td>linalg.add at &lt;b&gt;one&lt;/b&gt;</td></tr>
// CHECK: <td class="d1">gpu:0</td><td class="d0">cpu:0</td><td>? bytes</td><td>func.return at placement-to-html.mlir:
// CHECK: </html>

func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32> loc("<b>one</b>")
  return %0 : tensor<?xf32>
}
