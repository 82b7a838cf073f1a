// RUN: hetero-opt %s --hetero-annotate='rules=[{min_flops: 1e6, device: gpu:0}]' 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: hetero-opt %s --hetero-annotate='dynamic-size=1000 rules=[{min_flops: 1e6, device: gpu:0}]' | FileCheck %s
// RUN: hetero-opt %s --hetero-pipeline='dynamic-size=1000 rules="[{min_flops: 1e6, device: gpu:0}]" stop-after=annotated' | FileCheck %s

// What rules ask of operations goes by the sizes that costs go by.

// DEFAULT: warning: rule 1 matches no operation
// CHECK: hetero.dynamic_size = 1000 : i64
func.func @sum(%a: tensor<?x?xf32>, %b: tensor<?x?xf32> {hetero.dynamic_sizes = array<i64: 10, 10>}) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  // DEFAULT: linalg.add ins
  // CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
  %0 = linalg.add ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: linalg.add ins
  %1 = linalg.add ins(%b, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
