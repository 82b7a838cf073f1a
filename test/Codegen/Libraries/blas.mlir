// Products in regions for openblas are calls of it where it is found, and
// generated code where it is not.

// RUN: hetero-opt %s --hetero-codegen --hetero-verify | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -
// RUN: hetero-opt %s --hetero-codegen --remarks-filter=hetero-codegen --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#blas = #hetero.device<cpu:0, codegen = "openblas">
#maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
module attributes {hetero.phase = #hetero.phase<partitioned>} {

// A product that starts from zeros does not need them: the call writes, the
// zeros are where the loops are.
// REMARK: remark: {{.*}}a product is a call of openblas
// CHECK-LABEL: func @matmul
// CHECK: %[[E:.*]] = tensor.empty
// CHECK-NOT: linalg.fill
// CHECK: %[[HAS:.*]] = hetero.has_library "openblas"
// CHECK: scf.if %[[HAS]]
// CHECK-NEXT: hetero.library_call "openblas" "gemm" ins(%{{.*}}, %{{.*}} : tensor<?x64xf32>, tensor<64x32xf32>) outs(%[[E]] : tensor<?x32xf32>)
// CHECK-SAME: {orders = [array<i64: 0, 1>, array<i64: 0, 1>, array<i64: 0, 1>]}
// CHECK-NEXT: scf.yield
// CHECK: } else {
// CHECK: vector.transfer_read
func.func @matmul(%a: tensor<?x64xf32>, %b: tensor<64x32xf32>, %m: index) -> tensor<?x32xf32> {
  %0 = hetero.execute "r" on #blas (%x = %a : tensor<?x64xf32>, %y = %b : tensor<64x32xf32>, %s = %m : index) -> (tensor<?x32xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty(%s) : tensor<?x32xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
    %c = linalg.matmul ins(%x, %y : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
    hetero.yield %c : tensor<?x32xf32>
  }
  return %0 : tensor<?x32xf32>
}

// What the destination holds is added; the dimensions are told, not moved.
// CHECK-LABEL: func @transposed
// CHECK: hetero.library_call "openblas" "gemm" {{.*}} outs(%{{.*}} : tensor<2x8x32xf64>)
// CHECK-SAME: {accumulate, orders = [array<i64: 0, 2, 1>, array<i64: 0, 2, 1>, array<i64: 0, 1, 2>]}
func.func @transposed(%a: tensor<2x16x8xf64>, %b: tensor<2x32x16xf64>, %c: tensor<2x8x32xf64>) -> tensor<2x8x32xf64> {
  %0 = hetero.execute "r" on #blas (%x = %a : tensor<2x16x8xf64>, %y = %b : tensor<2x32x16xf64>, %i = %c : tensor<2x8x32xf64>) -> (tensor<2x8x32xf64>) {
    %d = linalg.generic {indexing_maps = #maps, iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %y : tensor<2x16x8xf64>, tensor<2x32x16xf64>) outs(%i : tensor<2x8x32xf64>) {
    ^bb0(%p: f64, %q: f64, %s: f64):
      %t = arith.mulf %p, %q : f64
      %u = arith.addf %s, %t : f64
      linalg.yield %u : f64
    } -> tensor<2x8x32xf64>
    hetero.yield %d : tensor<2x8x32xf64>
  }
  return %0 : tensor<2x8x32xf64>
}

// A vector is a matrix of one column.
// CHECK-LABEL: func @matvec
// CHECK: hetero.library_call "openblas" "gemm"
// CHECK-SAME: orders = [array<i64: 0, 1>, array<i64: 0, -1>, array<i64: 0, -1>]
func.func @matvec(%a: tensor<16x64xf32>, %v: tensor<64xf32>, %c: tensor<16xf32>) -> tensor<16xf32> {
  %0 = hetero.execute "r" on #blas (%x = %a : tensor<16x64xf32>, %y = %v : tensor<64xf32>, %i = %c : tensor<16xf32>) -> (tensor<16xf32>) {
    %d = linalg.matvec ins(%x, %y : tensor<16x64xf32>, tensor<64xf32>) outs(%i : tensor<16xf32>) -> tensor<16xf32>
    hetero.yield %d : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// A convolution with a window of one element is a product, too.
// CHECK-LABEL: func @pointwise
// CHECK: hetero.library_call "openblas" "gemm" {{.*}} outs(%{{.*}} : tensor<1x32x196xf32>)
func.func @pointwise(%a: tensor<1x64x14x14xf32>, %f: tensor<32x64x1x1xf32>, %c: tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32> {
  %0 = hetero.execute "r" on #blas (%x = %a : tensor<1x64x14x14xf32>, %y = %f : tensor<32x64x1x1xf32>, %i = %c : tensor<1x32x14x14xf32>) -> (tensor<1x32x14x14xf32>) {
    %d = linalg.conv_2d_nchw_fchw ins(%x, %y : tensor<1x64x14x14xf32>, tensor<32x64x1x1xf32>) outs(%i : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
    hetero.yield %d : tensor<1x32x14x14xf32>
  }
  return %0 : tensor<1x32x14x14xf32>
}

// Integers, other bodies and what a BLAS cannot walk are generated code.
// REMARK: remark: {{.*}}openblas has nothing for region integers
// CHECK-LABEL: func @others
// CHECK-NOT: hetero.library_call
// CHECK: return
func.func @others(%a: tensor<16x16xi32>, %b: tensor<16x16xf32>) -> (tensor<16x16xi32>, tensor<16x16xf32>) {
  %0 = hetero.execute "integers" on #blas (%x = %a : tensor<16x16xi32>) -> (tensor<16x16xi32>) {
    %d = linalg.matmul ins(%x, %x : tensor<16x16xi32>, tensor<16x16xi32>) outs(%x : tensor<16x16xi32>) -> tensor<16x16xi32>
    hetero.yield %d : tensor<16x16xi32>
  }
  %1 = hetero.execute "smallest" on #blas (%x = %b : tensor<16x16xf32>) -> (tensor<16x16xf32>) {
    %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%x : tensor<16x16xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %t = arith.addf %p, %q : f32
      %u = arith.minimumf %s, %t : f32
      linalg.yield %u : f32
    } -> tensor<16x16xf32>
    hetero.yield %d : tensor<16x16xf32>
  }
  return %0, %1 : tensor<16x16xi32>, tensor<16x16xf32>
}
}
