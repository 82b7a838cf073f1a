// Slices cross instead of the values that they are of: the numbers are those of
// the whole, the bytes those of the slices.

// One row goes there: 4 * 1000 bytes, and comes back.
// RUN: hetero-run %s --entry=row --input=1000x1000xf32=iota --input=index=3 --print-max=2 --report | FileCheck %s --check-prefix=ROW
// ROW: 1x1000xf32=[-3000 -3001...]
// ROW: copies: 2, 8000 bytes
// ROW: slice of %arg0 of @row {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}4000 {{ *}}1

// Columns, whose rows are apart, go there and come back into the place that they
// came from: 4 * 1000 * 100 bytes each way.
// RUN: hetero-run %s --entry=columns --input=1000x1000xf32=iota --print-max=2 --report | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: 1000x1000xf32=[0 1...]
// COLUMNS: 1000x1xf32=[-10][-1010]
// COLUMNS: copies: 2, 800000 bytes
// COLUMNS: slice of %arg0 of @columns {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}400000 {{ *}}1
// COLUMNS: linalg.negf {{.*}}gpu:0 {{ *}}cpu:0 {{ *}}400000 {{ *}}1

// A loop of few rows takes them one by one.
// RUN: hetero-run %s --entry=loop --input=1000x1000xf32=iota --print-max=2 --report | FileCheck %s --check-prefix=LOOP
// LOOP: 1x1000xf32=[6000 6004...]
// LOOP: copies: 5, 20000 bytes
// LOOP: slice of %arg0 of @loop {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}16000 {{ *}}4

// Placement counts the bytes that cross, in its report, its explanation and its views.
// RUN: hetero-opt %s --hetero-pipeline="entry=row stop-after=placed report=%t.row.json" -o %t.row.mlir && FileCheck %s --check-prefix=REPORT < %t.row.json
// REPORT: "bytes": 4000,
// REPORT: "bytes": 4000,
// RUN: hetero-translate --placement-to-json %t.row.mlir | FileCheck %s --check-prefix=VIEW
// VIEW: "value": "slice of %arg0 of @row",
// VIEW: "bytes": 4000,
// VIEW: "bytes": 4000,
// RUN: hetero-opt %s --hetero-pipeline="entry=columns stop-after=placed report=%t.columns.json" -o /dev/null && FileCheck %s --check-prefix=PARTS < %t.columns.json
// PARTS: "bytes": 400000,
// PARTS: "bytes": 400000,
// RUN: hetero-opt %s --hetero-pipeline="entry=loop stop-after=placed report=%t.loop.json" -o /dev/null && FileCheck %s --check-prefix=STEPS < %t.loop.json
// STEPS: "bytes": {{4000|16000}},

#gpu = #hetero.device<gpu:0>
#cpu = #hetero.device<cpu:0>
!m = tensor<1000x1000xf32>
!row = tensor<1x1000xf32>

func.func @row(%x: !m, %i: index) -> !row {
  %e = tensor.empty() : !row
  %s = tensor.extract_slice %x[%i, 0] [1, 1000] [1, 1] {hetero.device = #gpu} : !m to !row
  %r = linalg.negf {hetero.device = #gpu} ins(%s : !row) outs(%e : !row) -> !row
  return %r : !row
}

func.func @columns(%x: !m) -> (!m, tensor<1000x1xf32>) {
  %e = tensor.empty() : tensor<1000x100xf32>
  %s = tensor.extract_slice %x[0, 10] [1000, 100] [1, 1] {hetero.device = #gpu} : !m to tensor<1000x100xf32>
  %r = linalg.negf {hetero.device = #gpu} ins(%s : tensor<1000x100xf32>) outs(%e : tensor<1000x100xf32>) -> tensor<1000x100xf32>
  %y = tensor.insert_slice %r into %x[0, 10] [1000, 100] [1, 1] {hetero.device = #gpu} : tensor<1000x100xf32> into !m
  %z = tensor.extract_slice %r[0, 0] [1000, 1] [1, 1] {hetero.device = #cpu} : tensor<1000x100xf32> to tensor<1000x1xf32>
  return %y, %z : !m, tensor<1000x1xf32>
}

func.func @loop(%x: !m) -> !row {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !row
  %init = linalg.fill ins(%zero : f32) outs(%e : !row) -> !row
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %init) -> !row {
    %s = tensor.extract_slice %x[%i, 0] [1, 1000] [1, 1] {hetero.device = #gpu} : !m to !row
    %b = linalg.add {hetero.device = #gpu} ins(%a, %s : !row, !row) outs(%e : !row) -> !row
    scf.yield %b : !row
  } {hetero.carried = [#gpu]}
  return %r : !row
}
