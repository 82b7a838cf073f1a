// Host code for calls where a device is missing: the same numbers, one emulated
// device, none, or no driver at all.
// RUN: hetero-compile %s --fallback=cpu -o %t.so
// RUN: hetero-run %s --fallback=cpu --entry=two --input=8xf32=1 --expected=8xf32=-3 --report | FileCheck %s --check-prefix=THERE
// THERE-NOT: because a device is missing
// THERE: gpu:1
// RUN: env HETERO_EMULATOR=devices=1 hetero-run %s --fallback=cpu --entry=two --input=8xf32=1 --expected=8xf32=-3 --report | FileCheck %s --check-prefix=ONE
// ONE-NOT: gpu:0
// ONE: on the host, because a device is missing:
// ONE-NEXT: entry point  missing  calls
// ONE-NEXT: two          gpu:1    1
// RUN: env HETERO_CUDA_DRIVER=/nowhere/libcuda.so hetero-run %s --fallback=cpu --entry=two --input=8xf32=1 --expected=8xf32=-3

// What needs the other device only runs there as before.
// RUN: env HETERO_EMULATOR=devices=1 hetero-run %s --fallback=cpu --entry=one --input=8xf32=1 --expected=8xf32=1 --report | FileCheck %s --check-prefix=THERE1
// THERE1-NOT: because a device is missing
// THERE1: gpu:0

// State, loops, branches, constants and code for several processors.
// RUN: env HETERO_EMULATOR=devices=1 hetero-run %s --fallback=cpu --processors=all --entry=state --input=8xf32=1 --time=3 --expected=8xf32=6
// RUN: env HETERO_EMULATOR=devices=2 hetero-run %s --fallback=cpu --processors=all --entry=state --input=8xf32=1 --time=3 --expected=8xf32=6
// RUN: env HETERO_EMULATOR=devices=1 hetero-run %s --fallback=cpu --processors=baseline --entry=loop --input=8xf32=1 --input=i1=1 --expected=8xf32=11
// RUN: env HETERO_EMULATOR=devices=2 hetero-run %s --fallback=cpu --entry=loop --input=8xf32=1 --input=i1=0 --expected=8xf32=8

// It is off by default.
// RUN: not env HETERO_EMULATOR=devices=1 hetero-run %s --entry=two --input=8xf32=1 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: error: {{.*}}the program needs gpu:1, but {{.*}} has 1 device(s)

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>

func.func private @part(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.negf {hetero.device = #gpu1} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @two(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.add {hetero.device = #gpu0} ins(%x, %two : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @part(%0, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func @one(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.abs {hetero.device = #gpu0} ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

ml_program.global private mutable @sum(dense<2.0> : tensor<8xf32>) : tensor<8xf32>

func.func @state(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = ml_program.global_load @sum : tensor<8xf32>
  %0 = linalg.add {hetero.device = #gpu1} ins(%x, %s : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  ml_program.global_store @sum = %0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @loop(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %step = arith.constant dense<[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]> : tensor<8xf32>
  %y = scf.if %c -> tensor<8xf32> {
    %l = scf.for %i = %zero to %five step %one iter_args(%a = %x) -> tensor<8xf32> {
      %n = linalg.add {hetero.device = #gpu1} ins(%a, %step : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %n : tensor<8xf32>
    }
    scf.yield %l : tensor<8xf32>
  } else {
    %k = arith.constant dense<7.0> : tensor<8xf32>
    %n = linalg.add {hetero.device = #gpu1} ins(%x, %k : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
