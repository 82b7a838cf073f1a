// A gpu that only just holds what the program needs as it stands: the values of
// one item at a time. Copies that overlap would need more.

// RUN: hetero-run %s --input=64xf32=1 --input=64xf32=2 --input=64xf32=3 --input=64xf32=4 --expected=64xf32=120 --report | FileCheck %s
// CHECK: copies: 8, 2048 bytes

// RUN: hetero-opt %s --hetero-pipeline=stop-after=planned --remarks-filter='hetero-schedule|hetero-plan-memory' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: lean
// REMARK: arena{{.*}}Bytes=512

// With more memory nothing waits for it.
// RUN: sed -e 's/memory = 512/memory = 51200/' %s > %t.mlir
// RUN: hetero-opt %t.mlir --hetero-pipeline=stop-after=planned --remarks-filter='hetero-schedule|hetero-plan-memory' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE-NOT: lean

// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --input=64xf32=1 --input=64xf32=2 --input=64xf32=3 --input=64xf32=4 --expected=64xf32=120 --time=3

#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 500000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #gpu0, memory = 512, compute = 10000000000000, bandwidth = 500000000000, launch = 5000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 12000000000, latency = 1000>,
    #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 12000000000, latency = 1000>]>} {
func.func @main(%x0: tensor<64xf32>, %x1: tensor<64xf32>, %x2: tensor<64xf32>, %x3: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %s0 = linalg.add {hetero.device = #gpu0} ins(%x0, %x0 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %q0 = linalg.square {hetero.device = #gpu0} ins(%s0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r0 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%zero, %q0 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s1 = linalg.add {hetero.device = #gpu0} ins(%x1, %x1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %q1 = linalg.square {hetero.device = #gpu0} ins(%s1 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r1 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%r0, %q1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s2 = linalg.add {hetero.device = #gpu0} ins(%x2, %x2 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %q2 = linalg.square {hetero.device = #gpu0} ins(%s2 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r2 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%r1, %q2 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s3 = linalg.add {hetero.device = #gpu0} ins(%x3, %x3 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %q3 = linalg.square {hetero.device = #gpu0} ins(%s3 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r3 = linalg.add {hetero.device = #hetero.device<cpu:0>} ins(%r2, %q3 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r3 : tensor<64xf32>
}
}
