// RUN: hetero-opt %s --hetero-place="memory-budget=gpu:0=32KiB" | FileCheck %s
// RUN: hetero-opt %s --hetero-place="memory-budget=gpu:0=32KiB" | hetero-opt --hetero-place | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed memory-budget=cpu:0=1TiB,gpu:0=32KiB,gpu:1=1MiB" | FileCheck %s --check-prefix=MORE
// RUN: hetero-opt %s --hetero-place="memory-budget=gpu:0=32KiB" --remarks-filter=hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:0" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu=4GiB" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:0=4GB" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:0=-1" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:0=99999999TiB" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:7=4GiB" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not hetero-opt %s --hetero-place="memory-budget=gpu:0=1KiB" 2>&1 | FileCheck %s --check-prefix=NOTHING

// A budget limits a device of the default topology, too. It stays on the
// module for later phases.
// CHECK: hetero.memory_budget = {"gpu:0" = 32768 : i64}
// CHECK-LABEL: @main
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
// MORE: hetero.memory_budget = {"cpu:0" = 1099511627776 : i64, "gpu:0" = 32768 : i64, "gpu:1" = 1048576 : i64}
// REMARK: streamed{{.*}}constants of gpu:0 are copied for each use
// SIZE: error: expected the option 'memory-budget' to be a list like gpu:0=4GiB,gpu:1=512MiB, got 'gpu{{.*}}'; write bytes, KiB, MiB, GiB or TiB for one device each
// DEVICE: error: the memory budget names gpu:7, which the topology does not have (cpu:0, gpu:0, gpu:1); name one of these
// NOTHING: error: found no placement that fits: 12000 bytes live on gpu:0 here, but it has a memory of 1024 bytes; annotate less for it, split the tensors, or raise its memory-budget
func.func @main(%x: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %a = arith.constant dense<1.0> : tensor<1000xf32>
  %b = arith.constant dense<2.0> : tensor<1000xf32>
  %c = arith.constant dense<3.0> : tensor<1000xf32>
  %d = arith.constant dense<4.0> : tensor<1000xf32>
  %f = arith.constant dense<5.0> : tensor<1000xf32>
  %g = arith.constant dense<6.0> : tensor<1000xf32>
  %h = arith.constant dense<7.0> : tensor<1000xf32>
  %e = tensor.empty() : tensor<1000xf32>
  %0 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%x, %a : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %1 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%0, %b : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %2 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%1, %c : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %3 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%2, %d : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %4 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%3, %f : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %5 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%4, %g : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %6 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%5, %h : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %7 = linalg.exp {hetero.device = #hetero.device<gpu:1>} ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  return %6, %7 : tensor<1000xf32>, tensor<1000xf32>
}
