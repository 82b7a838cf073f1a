// What cannot be placed everywhere, or has no results, is checked as far as it
// goes, and each thing that is left out is a line.

// A device runs what it can; the rest is on the host.
// RUN: env HETERO_EMULATOR=devices=1 hetero-run %s --entry=types --topology=%S/Inputs/small-gpu.topology --input=64xf32=random:1 --input=64xf64=random:2 --check=2 | FileCheck %s --check-prefix=PARTS
// PARTS: all on cpu:0: 2 result(s) that the others must have
// PARTS-NEXT: as placed: same
// PARTS-NEXT: all on gpu:0: same
// PARTS-NEXT: on cpu:0 instead: 2 operation(s): gpu:0 has no elements of type f64
// PARTS-NEXT: all on gpu:1: skipped: the machine has 1 gpu(s); --device-map says what stands for it
// PARTS-NEXT: random placement 1: same
// PARTS-NEXT: random placement 2: same
// PARTS-NEXT: 4 placements, 0 differ, 1 skipped

// Nothing that it can run, and too little memory.
// RUN: hetero-run %s --entry=doubles --topology=%S/Inputs/small-gpu.topology --device-map=gpu:1=gpu:0 --input=64xf64=random:2 --check=0 | FileCheck %s --check-prefix=NOTHING
// NOTHING: all on gpu:0: skipped: no operation can run there: 2 operation(s): gpu:0 has no elements of type f64
// NOTHING-NEXT: all on gpu:1: same
// NOTHING-NEXT: 2 placements, 0 differ, 1 skipped
// RUN: hetero-run %s --entry=large --topology=%S/Inputs/small-gpu.topology --device-map=gpu:1=gpu:0 --input=4096xf32=random:2 --check=0 | FileCheck %s --check-prefix=MEMORY
// MEMORY: all on gpu:0: skipped: found no placement that fits: 32768 bytes live on gpu:0 here, but it has a memory of 20000 bytes
// MEMORY-NEXT: all on gpu:1: same

// State that a call leaves counts like results, of which there need not be any;
// also where it is a whole buffer.
// RUN: hetero-run %s --entry=keeps --input=4096xf32=random:1 --check=2 | FileCheck %s --check-prefix=STATE
// STATE: all on cpu:0: 0 result(s) and 2 state(s) that the others must have
// STATE-NEXT: as placed: same
// STATE-NEXT: all on gpu:0: same
// STATE: 4 placements, 0 differ
// RUN: not hetero-run %s --entry=keeps --input=4096xf32=random:1 --load-state=sum=f64=0.1 --check=0 --rtol=0 --atol=0 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: all on gpu:0: state 'sum' differs: expected {{.*}}, got
// DIFFERS-NEXT: first: 'linalg.reduce' op at {{.*}} on gpu:0: expected {{.*}}, got

// What is placed already is placed anew; later nothing else can be tried.
// RUN: hetero-opt %s --hetero-annotate=entry=types --hetero-place | hetero-run - --input=64xf32=random:1 --input=64xf64=random:2 --check=1 | FileCheck %s --check-prefix=PLACED
// PLACED: 3 placements, 0 differ
// RUN: hetero-opt %s --hetero-annotate=entry=types --hetero-place --hetero-materialize-copies | not hetero-run - --input=64xf32=random:1 --input=64xf64=random:2 --check=1 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: --check places the program again, expected one before hetero-materialize-copies, got phase 'materialized'

// Another entry point may be no entry point at all.
// RUN: not hetero-run %s --input=64xf64=random:2 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: error: the type 'memref<4xf32>' cannot cross an entry point

func.func @types(%x: tensor<64xf32>, %y: tensor<64xf64>) -> (tensor<64xf32>, tensor<64xf64>) {
  %0 = math.exp %x : tensor<64xf32>
  %1 = math.absf %y : tensor<64xf64>
  %2 = arith.addf %1, %y : tensor<64xf64>
  return %0, %2 : tensor<64xf32>, tensor<64xf64>
}

func.func @doubles(%y: tensor<64xf64>) -> tensor<64xf64> {
  %0 = math.absf %y : tensor<64xf64>
  %1 = arith.addf %0, %y : tensor<64xf64>
  return %1 : tensor<64xf64>
}

func.func @large(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = math.exp %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

ml_program.global private mutable @sum(dense<0.0> : tensor<f64>) : tensor<f64>
memref.global "private" @last : memref<4096xf32> = dense<0.0>
func.func @keeps(%x: tensor<4096xf32>) {
  %s = ml_program.global_load @sum : tensor<f64>
  %0 = arith.mulf %x, %x : tensor<4096xf32>
  %d = arith.extf %x : tensor<4096xf32> to tensor<4096xf64>
  %2 = arith.mulf %d, %d : tensor<4096xf64>
  %1 = linalg.reduce {arith.addf} ins(%2 : tensor<4096xf64>) outs(%s : tensor<f64>) dimensions = [0]
  ml_program.global_store @sum = %1 : tensor<f64>
  %m = memref.get_global @last : memref<4096xf32>
  bufferization.materialize_in_destination %0 in writable %m : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}

func.func @buffer(%m: memref<4xf32>) {
  return
}
