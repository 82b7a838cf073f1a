// RUN: hetero-opt %s --hetero-place=report=%t.json --mlir-print-debuginfo -o %t.placed
// RUN: hetero-translate --placement-to-html %t.placed -o %t.html
// RUN: FileCheck %s --input-file=%t.html
// RUN: FileCheck %s --check-prefix=LAYOUT --input-file=%t.html
// RUN: %python %S/Inputs/check_html.py < %t.html | FileCheck %s --check-prefix=WELL
// RUN: %python %S/Inputs/check_placement_page.py %t.html:%t.json | FileCheck %s --check-prefix=PRICE
// RUN: not hetero-translate --placement-to-html %s 2>&1 | FileCheck %s --check-prefix=PHASE

// PHASE: error: expected a module in phase 'placed', got phase 'none'; run hetero-opt --hetero-place first
// PHASE-NOT: error

// Every element is closed, and nothing is loaded from elsewhere.
// WELL: {{^[1-9][0-9]*}} elements, 0 links

// Whoever reads the data finds the price that the compiler reports.
// PRICE: 15 nodes, price and memory as computed

// The problem and what was decided, as numbers. Names are texts: markup in them
// ends nothing.
// CHECK: <!DOCTYPE html>
// CHECK: <script type="application/json" id="placement">{"format":"hetero-placement","version":1,
// CHECK-SAME: "problem":{"devices":["cpu:0","gpu:0"],
// CHECK-SAME: "blocks":{"parent":[-1,0,0,0],"frequency":[1,10,0.5,0.5]}
// CHECK-SAME: "sets":[{{\[0\],\[0,1\],\[1\]}}]
// CHECK-SAME: "solution":{"origin":
// CHECK-SAME: "origins":[{{.*}}["cost","cost"]{{.*}}["pinned","pinned"]
// CHECK-SAME: "optimal":true,"copies":2
// CHECK-SAME: "strings":["",
// CHECK-SAME: "%0 = linalg.matmul ins(%1, %2 : tensor\u003c64x64xf32>, tensor\u003c64x64xf32>) outs(%3 : tensor\u003c64x64xf32>) -> tensor\u003c64x64xf32>"
// CHECK-SAME: "\u003cscript>one"
// CHECK: </html>

// Boxes: the module, the function, the scope "enc" with one for what comes
// before the loop and one in it, and the branch with its two sides. What is in
// a box stands below its title.
// LAYOUT: "ports":{"count":2,"kind":[0,1],"value":[0,9],
// LAYOUT-SAME: "boxes":{"count":9,"parent":[-1,0,1,2,3,2,1,6,6],"kind":[0,1,5,2,5,5,3,4,4],
// LAYOUT-SAME: "x":[0,1,3,7,8,4,2,3,13],"y":[0,3,10,21,28,13,42,45,45],"w":[57,55,18,10,8,16,20,8,8],"h":[62,58,30,18,10,6,14,6,4]}

func.func @main(%x: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32> loc("enc/init/e")
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("enc/init/fill")
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> tensor<64x64xf32> {
    %2 = linalg.matmul ins(%a, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32> loc("enc/layer1/matmul")
    %3 = linalg.exp ins(%2 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("enc/layer1/exp")
    scf.yield %3 : tensor<64x64xf32>
  } loc("enc/loop")
  %b = arith.cmpi slt, %n, %c1 : index
  %4 = scf.if %b -> tensor<64x64xf32> {
    %5 = linalg.abs {hetero.device = #hetero.device<gpu>} ins(%1 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("<script>one")
    scf.yield %5 : tensor<64x64xf32>
  } else {
    scf.yield %1 : tensor<64x64xf32>
  }
  %6 = tensor.extract %4[%c0, %c0] : tensor<64x64xf32>
  %7 = linalg.fill ins(%6 : f32) outs(%4 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %7 : tensor<64x64xf32>
}
