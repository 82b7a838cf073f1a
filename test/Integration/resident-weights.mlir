// Weights go to a device once in the life of a process: over 10 calls of one
// function, and for all functions of the module that use them.

// RUN: hetero-run %s --entry=layer --input=4xf32=1,2,3,4 --expected=4xf32=11,22,33,44 --time=9 --report | FileCheck %s --check-prefix=LAYER
// LAYER: copies: 20, 320 bytes
// LAYER: constants uploaded once:
// LAYER-NEXT: value
// LAYER-NEXT: __constant_4xf32 {{ *}}gpu:0 {{ *}}16{{$}}
// LAYER-NEXT: ran:

// One upload for each device, whatever the number of functions.
// RUN: rm -f %t.log
// RUN: env HETERO_EMULATOR=log=%t.log hetero-run %s --entry=all --input=4xf32=1,2,3,4 --expected=4xf32=11,22,33,44 --expected=4xf32=10,40,90,160 --time=9 --report | FileCheck %s --check-prefix=ALL
// ALL: copies: 40, 640 bytes
// ALL: constants uploaded once:
// ALL-NEXT: value
// ALL-DAG: __constant_4xf32{{.*}} gpu:0 {{ *}}16{{$}}
// ALL-DAG: __constant_4xf32{{.*}} gpu:1 {{ *}}16{{$}}
// ALL-NEXT: ran:
// ALL: links:
// ALL: cpu:0 {{ *}}gpu:0 {{ *}}160 {{ *}}10{{$}}

// The driver's own log: 10 arguments, which the calls inside share, and one upload
// to gpu:0, one to gpu:1.
// RUN: grep -c '"memcpy", "device": 0, "kind": "h2d", "bytes": 16' %t.log | FileCheck %s --check-prefix=FIRST
// RUN: grep -c '"memcpy", "device": 1, "kind": "h2d", "bytes": 16' %t.log | FileCheck %s --check-prefix=SECOND
// FIRST: {{^11$}}
// SECOND: {{^1$}}

// An initialization that fails is one error that says for what, and leaves
// nothing; so does one that does not.
// RUN: rm -f %t.leaks
// RUN: env HETERO_EMULATOR=fail=alloc:1+,leaks=%t.leaks not hetero-run %s --entry=all --input=4xf32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: env HETERO_EMULATOR=leaks=%t.leaks hetero-run %s --entry=all --input=4xf32=1,2,3,4
// RUN: FileCheck %s --check-prefix=LEAKS < %t.leaks
// FAIL: hetero-run: error: cannot put constant __constant_4xf32{{.*}} of 16 bytes on gpu:{{[01]}} for @all: cuMemAlloc failed on gpu:{{[01]}}: CUDA_ERROR_OUT_OF_MEMORY {{.*}}: 16 bytes{{.*}}; free memory on the device
// LEAKS-COUNT-2: {"allocations": 0, "bytes": 0, "host": 0, "streams": 0, "events": 0, {{.*}}"modules": 0, "contexts": 0}

func.func @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = arith.addf %x, %w {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @two_layers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = arith.mulf %x, %w {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = func.call @inner(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = arith.addf %1, %w {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

func.func @all(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @two_layers(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = arith.subf %x, %w {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
