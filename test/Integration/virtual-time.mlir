// The virtual clock says the same in every run, and what the counted bytes and
// operations imply: a product of two matrices counts two operations for each
// pair of elements that it multiplies.

// RUN: rm -rf %t && mkdir %t
// RUN: env HETERO_EMULATOR="clock=virtual,timeline=%t/1,flops=1T,bandwidth=1P,launch=1us,link=1T,latency=0,call=0" hetero-run %s --input=16x32xf32=iota --input=32x8xf32=1
// RUN: env HETERO_EMULATOR="clock=virtual,timeline=%t/2,flops=1T,bandwidth=1P,launch=1us,link=1T,latency=0,call=0,threads=1" hetero-run %s --input=16x32xf32=iota --input=32x8xf32=1
// RUN: diff %t/1 %t/2
// RUN: FileCheck %s --input-file=%t/1

// CHECK: "compute": [[#]], "copy_in": 3072, "copy_out": 512}
// CHECK: {"kind": "copy in", {{.*}} "bytes": 2048, "issued": 0, "start": 0, "end": 2048}
// CHECK: {"kind": "copy in", {{.*}} "bytes": 1024, "issued": 0, "start": 2048, "end": 3072}
// CHECK: {"kind": "kernel", {{.*}} "flops": 8192, 
// CHECK: {"kind": "copy out", {{.*}} "bytes": 512, "issued": 0,

func.func @main(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill {hetero.device = #hetero.device<gpu:0>}
    ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> tensor<16x8xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>}
    ins(%a, %b : tensor<16x32xf32>, tensor<32x8xf32>)
    outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
