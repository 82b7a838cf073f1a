// RUN: hetero-opt %s --hetero-pipeline="stop-after=placed" | FileCheck %s --check-prefix=PLACED
// RUN: hetero-opt %s --hetero-pipeline="stop-after=bufferized" | FileCheck %s --check-prefix=BUFFERIZED
// RUN: hetero-opt %s --hetero-pipeline | FileCheck %s
// RUN: not %hetero_opt %s --hetero-pipeline="stop-after=bogus" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// PLACED: hetero.phase = #hetero.phase<placed>
// PLACED: linalg.exp
// BUFFERIZED: hetero.phase = #hetero.phase<bufferized>
// BUFFERIZED-NOT: tensor<
// CHECK: hetero.phase = #hetero.phase<llvm>
// CHECK: llvm.func @main(%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: i32) -> i32
// UNKNOWN: expected one of annotated, placed, {{.*}}, llvm, got 'bogus'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
