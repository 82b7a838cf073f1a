// RUN: hetero-opt %s --hetero-place --hetero-explain | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-place --hetero-explain -o %t.once
// RUN: hetero-opt %t.once --hetero-explain -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: hetero-opt %t.once --hetero-place -o %t.placed
// RUN: diff %t.once %t.placed
// RUN: hetero-opt %s --hetero-place --hetero-explain=print -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: hetero-opt %s --hetero-place --hetero-explain --remarks-filter=hetero-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-place --hetero-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: hetero-opt %s --hetero-place --hetero-explain --hetero-materialize-copies --hetero-verify | FileCheck %s --check-prefix=LATER
// RUN: hetero-opt %s --hetero-place --hetero-explain --hetero-pipeline='stop-after=llvm' | FileCheck %s --check-prefix=GONE --implicit-check-not=hetero.explain

// PRINT: explain.mlir:[[#]]:{{[0-9]+}}: remark: 'linalg.exp' op on gpu:0: pinned; 2.6 us on gpu:0; cpu:0 would cost 5.4 us more (compute +5.4 us, copies +0 ps)
// REMARK: remark: [Analysis] explained | Category:hetero-explain | Remark="linalg.exp on gpu:0: pinned;
// REMARK: remark: [Analysis] summary | Category:hetero-explain | cheaper elsewhere=2, explained=
// QUIET-NOT: remark

// A copy that later phases make of an operation has no explanation, since it
// would be that of another.
// LATER-LABEL: func.func @repeated
// LATER: arith.constant {{.*}}hetero.explain
// LATER: arith.constant {hetero.device = #hetero.device<gpu:0>, hetero.origin = "replicated"}
// GONE: llvm.func

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// 1 byte takes 1 ns on the host and between the devices, a fifth of it on the
// gpu, which needs 1 us to start; a copy takes 500 ns more.
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #cpu, memory = 1000000000, compute = 1000000000000, bandwidth = 1000000000, launch = 0>,
    #hetero.device_spec<device = #gpu, memory = 1000000000, compute = 1000000000000, bandwidth = 5000000000, launch = 1000000, types = [f32, i32]>
  ], links = [
    #hetero.link<from = #cpu, to = #gpu, bandwidth = 1000000000, latency = 500000>,
    #hetero.link<from = #gpu, to = #cpu, bandwidth = 1000000000, latency = 500000>
  ]>} {

// Acts: what moving this operation alone would change, with its own time and
// the copies of what it reads and makes. Obeying a pin has its price.
// CHECK-LABEL: func.func @acts
func.func @acts(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>, hetero.explain = "pinned; 2.6 us on gpu:0; cpu:0 would cost 5.4 us more (compute +5.4 us, copies +0 ps)", hetero.origin = "pinned"}
  %0 = linalg.exp {hetero.device = #gpu} ins(%x : tensor<1000xf32>) outs(%x : tensor<1000xf32>) -> tensor<1000xf32>
  %1 = linalg.abs ins(%0 : tensor<1000xf32>) outs(%x : tensor<1000xf32>) -> tensor<1000xf32>
  return %1 : tensor<1000xf32>
}

// Must not act: what has no time to compare has its origin only, and what one
// device alone can run has no alternative.
// CHECK-LABEL: func.func @only_host
func.func @only_host(%x: tensor<10xf64>) -> tensor<10xf64> {
  // CHECK: arith.constant {hetero.device = #hetero.device<cpu:0>, hetero.explain = "host: no tensors"
  %c0 = arith.constant 0 : index
  // CHECK: linalg.exp {hetero.device = #hetero.device<cpu:0>, hetero.explain = "host: gpu:0 has no elements of type f64; 160 ns on cpu:0; no other device can run it"
  %0 = linalg.exp ins(%x : tensor<10xf64>) outs(%x : tensor<10xf64>) -> tensor<10xf64>
  return %0 : tensor<10xf64>
}

// Already done: the runs above. Conflict: what is cheap to
// repeat is made on each device that needs it; it does not move.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  // CHECK: arith.constant {{.*}}hetero.explain = "cost; 0 ps on cpu:0 and gpu:0, made on each device that needs it"
  %c = arith.constant dense<1.0> : tensor<1000xf32>
  // CHECK: tensor.empty() {{.*}}hetero.explain = "cost; 0 ps, which nothing reads"
  %e = tensor.empty() : tensor<1000xf32>
  // CHECK: linalg.add {{.*}}12 us on cpu:0; gpu:0 would cost 4.1 us less (compute -8.6 us, copies +4.5 us)
  %0 = linalg.add {hetero.device = #cpu} ins(%x, %c : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %1 = linalg.add {hetero.device = #gpu} ins(%x, %c : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  return %0, %1 : tensor<1000xf32>, tensor<1000xf32>
}

// Control flow: an operation in a loop costs its time in all iterations, and a
// copy that stands before the loop is paid once.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  // CHECK: linalg.exp {{.*}}"cost; 26 us on gpu:0; cpu:0 would cost 144 us more (compute +54 us, copies +90 us)"
  %0 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %x) -> tensor<1000xf32> {
    %1 = linalg.exp ins(%a : tensor<1000xf32>) outs(%a : tensor<1000xf32>) -> tensor<1000xf32>
    %2 = linalg.add ins(%1, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%a : tensor<1000xf32>) -> tensor<1000xf32>
    scf.yield %2 : tensor<1000xf32>
  }
  // CHECK: } {hetero.carried = {{.*}}hetero.explain = "host: control flow", hetero.origin = "host: control flow"}
  return %0 : tensor<1000xf32>
}

// Call: an operation of a function takes as long as all calls.
// CHECK-LABEL: func.func private @callee
func.func private @callee(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // CHECK: linalg.exp {{.*}}; 16 us on cpu:0
  %0 = linalg.exp {hetero.device = #cpu} ins(%x : tensor<1000xf32>) outs(%x : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
func.func @caller(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // CHECK: call @callee{{.*}}hetero.explain = "host: func.call is a call, which the host makes"
  %0 = call @callee(%x) : (tensor<1000xf32>) -> tensor<1000xf32>
  %1 = call @callee(%0) : (tensor<1000xf32>) -> tensor<1000xf32>
  return %1 : tensor<1000xf32>
}

}
