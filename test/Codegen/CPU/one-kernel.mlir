// A kernel of the host from its plan to its numbers, on sizes that are no
// multiple of a vector or of a tile: docs/Design/House.md begins here.

// What the plan is, and why.
// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=partitioned" --hetero-explain-codegen -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: remark: "main_cpu0_0": contraction of 13 x 67 x 32 {{.*}}vectors of 16 along loop 1, register tile of 5 rows along loop 0 by 4 vectors, because the rows share what is loaded

// The loops that it becomes: 5 rows by 4 vectors of sums, in registers.
// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu} stop-after=codegen" | FileCheck %s --check-prefix=LOOPS
// LOOPS: %[[SUMS:.+]]:20 = scf.for
// LOOPS: arith.mulf {{.*}} fastmath<contract> : vector<16xf32>
// LOOPS: vector.transfer_write %[[SUMS]]#0, {{.*}} : vector<16xf32>

// The numbers, with the vectors of this machine.
// RUN: rm -rf %t && mkdir %t
// RUN: %hetero_python -c "import numpy as np; r = np.random.default_rng(1); x, y = (r.integers(-9, 9, s).astype('f') for s in ((13, 32), (32, 67))); [np.save('%t/' + n, v) for n, v in (('x', x), ('y', y), ('z', x @ y))]"
// RUN: hetero-run %s --rules="{default: cpu}" --input=@%t/x.npy --input=@%t/y.npy --expected=@%t/z.npy

module attributes {hetero.vector_bits = 512 : i64} {
  func.func @main(%x: tensor<13x32xf32>, %y: tensor<32x67xf32>) -> tensor<13x67xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<13x67xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<13x67xf32>) -> tensor<13x67xf32>
    %product = linalg.matmul ins(%x, %y : tensor<13x32xf32>, tensor<32x67xf32>) outs(%fill : tensor<13x67xf32>) -> tensor<13x67xf32>
    return %product : tensor<13x67xf32>
  }
}
