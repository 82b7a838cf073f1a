// The copies, their bytes and links are known before anything runs, and are those
// that the driver makes.
//
// RUN: hetero-opt %s --hetero-place=report=%t.json -o /dev/null
// RUN: FileCheck %s < %t.json
// RUN: hetero-run %s --input=1024xf32=0 --print-max=1 --report | FileCheck %s --check-prefix=RAN

// CHECK: "copies": 3
// CHECK: "from": "cpu:0",
// CHECK-NEXT: "to": "gpu:0",
// CHECK-NEXT: "copies": 1,
// CHECK-NEXT: "bytes": 4096,
// CHECK: "from": "gpu:0",
// CHECK-NEXT: "to": "cpu:0",
// CHECK-NEXT: "copies": 2,
// CHECK-NEXT: "bytes": 8192,

// RAN: copies: 3, 12288 bytes
// RAN: links:
// RAN: cpu:0 {{ *}}gpu:0 {{ *}}4096 {{ *}}1
// RAN: gpu:0 {{ *}}cpu:0 {{ *}}8192 {{ *}}2

!v = tensor<1024xf32>
func.func @main(%x: !v) -> (!v, !v) {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : !v
  %1 = math.absf %0 {hetero.device = #hetero.device<cpu>} : !v
  %2 = math.sin %0 {hetero.device = #hetero.device<gpu:0>} : !v
  return %1, %2 : !v, !v
}
