// Copies in, kernels and copies out of independent items overlap: the virtual
// makespan is below the sum of what the copy engines and the kernels take, and
// nothing races, whatever the order in which streams run.

// RUN: rm -rf %t && mkdir %t
// RUN: env HETERO_EMULATOR="clock=virtual,timeline=%t/time,flops=1P,bandwidth=1T,launch=1us,link=1T,latency=1us,call=0" hetero-run %s --input=64xf32=1 --input=64xf32=2 --input=64xf32=3 --input=64xf32=4 --expected=64xf32=-1 --expected=64xf32=-2 --expected=64xf32=-3 --expected=64xf32=-4
// RUN: FileCheck %s --input-file=%t/time
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --input=64xf32=1 --input=64xf32=2 --input=64xf32=3 --input=64xf32=4 --expected=64xf32=-1 --expected=64xf32=-2 --expected=64xf32=-3 --expected=64xf32=-4
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=2" hetero-run %s --input=64xf32=1 --input=64xf32=2 --input=64xf32=3 --input=64xf32=4 --expected=64xf32=-1 --expected=64xf32=-2 --expected=64xf32=-3 --expected=64xf32=-4

// Twelve microseconds of work in six.
// CHECK: {"makespan": 6{{......}},

!t = tensor<64xf32>
func.func @main(%a: !t, %b: !t, %c: !t, %d: !t) -> (!t, !t, !t, !t) {
  %e = tensor.empty() : !t
  %0 = linalg.negf {hetero.device = #hetero.device<gpu:0>} ins(%a : !t) outs(%e : !t) -> !t
  %1 = linalg.negf {hetero.device = #hetero.device<gpu:0>} ins(%b : !t) outs(%e : !t) -> !t
  %2 = linalg.negf {hetero.device = #hetero.device<gpu:0>} ins(%c : !t) outs(%e : !t) -> !t
  %3 = linalg.negf {hetero.device = #hetero.device<gpu:0>} ins(%d : !t) outs(%e : !t) -> !t
  return %0, %1, %2, %3 : !t, !t, !t, !t
}
