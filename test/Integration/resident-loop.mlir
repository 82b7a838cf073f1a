// A loop of 100 iterations on a gpu: what runs copies its argument in once and
// its result out once, whatever copies the IR shows, and so does each call.

// RUN: hetero-run %s --entry=steps --input=4x3xf32=iota --expected=4x3xf32=100,101,102,103,104,105,106,107,108,109,110,111 --report | FileCheck %s --check-prefix=STEPS
// STEPS: copies: 2, 96 bytes
// STEPS-NEXT: value
// STEPS-DAG: %arg0 of @steps {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}48 {{ *}}1{{$}}
// STEPS-DAG: scf.for at {{.*}} gpu:0 {{ *}}cpu:0 {{ *}}48 {{ *}}1{{$}}
// STEPS: gpu:0 kernel {{ *}}steps_gpu0_{{.*}} 100{{$}}

// RUN: hetero-run %s --entry=steps --input=4x3xf32=iota --time=9 --report | FileCheck %s --check-prefix=CALLS
// CALLS: copies: 20, 960 bytes
// CALLS-DAG: %arg0 of @steps {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}480 {{ *}}10{{$}}
// CALLS-DAG: scf.for at {{.*}} gpu:0 {{ *}}cpu:0 {{ *}}480 {{ *}}10{{$}}
// CALLS: gpu:0 kernel {{ *}}steps_gpu0_{{.*}} 1000{{$}}

// The driver's own log has as many copies of the host.
// RUN: rm -f %t.log
// RUN: env HETERO_EMULATOR=log=%t.log hetero-run %s --entry=steps --input=4x3xf32=iota
// RUN: grep memcpy %t.log | FileCheck %s --check-prefix=DRIVER --implicit-check-not=memcpy
// DRIVER: "memcpy", "device": 0, "kind": "h2d", "bytes": 48
// DRIVER: "memcpy", "device": 0, "kind": "d2h", "bytes": 48

#gpu = #hetero.device<gpu:0>

func.func @steps(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant dense<1.0> : tensor<4x3xf32>
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%it = %x) -> tensor<4x3xf32> {
    %y = arith.addf %it, %one {hetero.device = #gpu} : tensor<4x3xf32>
    scf.yield %y : tensor<4x3xf32>
  }
  return %r : tensor<4x3xf32>
}
