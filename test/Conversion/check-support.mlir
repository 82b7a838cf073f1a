// RUN: hetero-opt %s --hetero-check-support --split-input-file --verify-diagnostics -o /dev/null
// RUN: not hetero-opt %s --hetero-pipeline --split-input-file -o /dev/null 2>&1 | FileCheck %s

// Acts: one error for all kinds of operations and types, wherever they stand:
// in control flow, in modules inside the module, in private functions.

// CHECK: check-support.mlir:{{.*}} error: not supported: type 'memref<4xf32, 3>', 'memref.dealloc' op, 'nvvm.barrier0' op; the notes say where each is, and what to do
// expected-error@+3 {{not supported: type 'memref<4xf32, 3>', 'memref.dealloc' op, 'nvvm.barrier0' op; the notes say where each is, and what to do}}
// expected-note@+2 {{type 'memref<4xf32, 3>', 1 time: memory spaces are devices; leave it out, or use hetero.device}}
module {
func.func @acts(%m: memref<4xf32, 3>, %n: memref<4xf32>, %c: i1) {
  scf.if %c {
    // expected-note-re@+1 {{'memref.dealloc' op, 2 times, also at {{[0-9]+}}:5: the compiler frees what a program allocates; remove it}}
    memref.dealloc %n : memref<4xf32>
  }
  return
}
module {
  func.func private @inside(%n: memref<4xf32>) {
    memref.dealloc %n : memref<4xf32>
    // expected-note@+1 {{'nvvm.barrier0' op, 1 time: its dialect is not compiled; lower it to linalg, tensor, arith, math, scf, cf or func}}
    nvvm.barrier0
    return
  }
}
}

// -----

// What stands in a module and holds no symbol, and kernels of the user's own.

// expected-error@+2 {{not supported: 'shard.grid' op, 'gpu.module' op; the notes say where each is, and what to do}}
// expected-note@+1 {{'shard.grid' op, 1 time: it stands outside of a function; move it into one}}
shard.grid @grid(shape = 2)
// expected-note@+1 {{'gpu.module' op, 1 time: it has no target; give it one, such as #nvvm.target<chip = "sm_80">}}
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

// Entry points pass less than private functions do.

// expected-error@+3 {{not supported: type 'vector<4xf32>' at an entry point, type 'tensor<*xf32>' at an entry point; the notes say where each is, and what to do}}
// expected-note@+2 {{type 'vector<4xf32>' at an entry point, 1 time: it cannot cross an entry point; use}}
// expected-note@+1 {{type 'tensor<*xf32>' at an entry point, 1 time: entry points pass ranked values; cast it to a rank inside of a private function}}
func.func @entry(%v: vector<4xf32>, %t: tensor<*xf32>) {
  return
}
func.func private @private(%v: vector<4xf32>, %t: tensor<*xf32>) {
  return
}

// -----

// Encodings and memory spaces of others.

// expected-error@+2 {{not supported: type 'tensor<4xf32, "dense">', 'bufferization.alloc_tensor' op; the notes say where each is, and what to do}}
// expected-note@+1 {{type 'tensor<4xf32, "dense">', 1 time: encodings are devices; leave it out}}
func.func @encoding(%t: tensor<4xf32, "dense">) {
  // expected-note@+1 {{'bufferization.alloc_tensor' op, 1 time: memory spaces are devices; leave it out, or use hetero.device}}
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  return
}

// -----

// Must not act: what is compiled, and the bodies of linalg operations.

func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%in: f32, %out: f32) {
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  }
  return %0 : tensor<4xf32>
}

// -----

// Already done: a module of a later phase is not looked at.

module attributes {hetero.phase = "gpu"} {
  gpu.module @kernels {
  }
}
