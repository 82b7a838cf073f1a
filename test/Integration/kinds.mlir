// Something runs on each of three kinds, and the numbers are right. The host
// stands in for the dsp, in memory that is the dsp's own; the program's copies
// between a dsp and a gpu are the driver's, and those to it are within the
// host's memory.

// RUN: env HETERO_CUDA_DRIVER=emulator hetero-run-test-kinds %s --entry=main --input=16xf32=iota --input=16xf32=2 --report | FileCheck %s
// CHECK: 16xf32=0 3 10 21 36 55 78 105 136 171 210 253 300 351 406 465
// CHECK: 16xf32=0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225
// CHECK-DAG: linalg.mul{{.*}} cpu:0 {{.*}}gpu:0
// CHECK-DAG: %arg1 of @main {{ *}}cpu:0 {{ *}}cpu:0 {{ *}}64 {{ *}}1{{$}}
// CHECK-DAG: host region {{ *}}main_dsp0_0
// CHECK-DAG: host region {{ *}}main_cpu0_0
// CHECK-DAG: gpu:0 {{.*}}kernel {{ *}}main_gpu0_0

func.func @main(%a: tensor<16xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %square = linalg.mul {hetero.device = #hetero.device<dsp:0>} ins(%a, %a : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %double = linalg.mul {hetero.device = #hetero.device<dsp:0>} ins(%square, %b : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%double, %a : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %root = linalg.max {hetero.device = #hetero.device<cpu:0>} ins(%square, %a : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %sum, %root : tensor<16xf32>, tensor<16xf32>
}

// A value stays on the dsp through a loop, and a buffer per device keeps what
// the other devices have as it was.

// RUN: env HETERO_CUDA_DRIVER=emulator hetero-run-test-kinds %s --entry=loop --input=4xi32=1,2,3,4 | FileCheck %s --check-prefix=LOOP
// LOOP: 4xi32=1 16 81 256
// LOOP: 4xi32=2 4 6 8

func.func @loop(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xi32>
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<4xi32>) {
    %1 = linalg.mul {hetero.device = #hetero.device<dsp:0>} ins(%x, %a : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1 : tensor<4xi32>
  }
  %2 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %0, %2 : tensor<4xi32>, tensor<4xi32>
}

// A second cpu is a device of the kind cpu, not a gpu: it needs no driver.

// RUN: env HETERO_CUDA_DRIVER=/nowhere hetero-run-test-kinds %s --entry=second --input=4xf32=3 | FileCheck %s --check-prefix=SECOND
// SECOND: 4xf32=6 6 6 6

func.func @second(%a: tensor<4xf32> {hetero.device = #hetero.device<cpu:1>}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add {hetero.device = #hetero.device<cpu:1>} ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
