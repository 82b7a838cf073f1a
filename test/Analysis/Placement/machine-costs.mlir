// RUN: hetero-opt-test-passes %s --test-hetero-print-costs -o /dev/null | FileCheck %s

// What a pass of others learns: work, how often, the time on each device and of
// copies, and why a device cannot run an operation.

module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, compute = 1000000000000, bandwidth = 2000000000, launch = 7>,
             <device = <gpu:1>, compute = 1000000000, bandwidth = 1000000000, types = [f64]>],
  links = [<from = <gpu:0>, to = <cpu:0>, bandwidth = 1000000000, latency = 5>]>} {
  func.func @main(%a: tensor<10x10xf32>, %n: index) -> tensor<10x10xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // In a loop of three iterations: 10 * 10 * 10 multiplications and additions.
    // CHECK: linalg.matmul: 2000 flops, 1600 bytes, 3.0{{.*}} times
    // CHECK-NEXT: cpu:0: 2000000 ps, result to cpu:0 0 ps
    // CHECK-NEXT: gpu:0: 800007 ps, result to cpu:0 400005 ps
    // CHECK-NEXT: gpu:1: {{.*}}f32
    // CHECK-NOT: result
    %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<10x10xf32> {
      %1 = linalg.matmul ins(%x, %a : tensor<10x10xf32>, tensor<10x10xf32>) outs(%x : tensor<10x10xf32>) -> tensor<10x10xf32>
      scf.yield %1 : tensor<10x10xf32>
    }
    return %0 : tensor<10x10xf32>
  }
}
