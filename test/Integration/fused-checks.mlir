// An operation whose body checks an index and that is fused into its user is not
// left without results, and the check goes along.

// DEFINE: %{run} = hetero-run %s --entry=main --input=2xf32=1,2
// DEFINE: %{fits} = --input=3xf32=10,20,30 --input=3xindex=2,0,1 --expected=3x2xf32=31,32,11,12,21,22
// RUN: %{run} --rules='default: cpu' %{fits}
// RUN: %{run} --rules='{default: "gpu:0"}' %{fits}
// RUN: %{run} %{fits}
// RUN: not %{run} --rules='default: cpu' --input=3xf32=10,20,30 --input=3xindex=2,3,1 2>&1 | FileCheck %s
// RUN: not %{run} --rules='{default: "gpu:0"}' --input=3xf32=10,20,30 --input=3xindex=2,3,1 2>&1 | FileCheck %s
// CHECK: expected index 0 of tensor.extract at fused-checks.mlir:[[# @LINE + 11]]:10 to stay inside dimension 0 of its tensor
func.func @main(%v: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?xindex>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %v, %c0 : tensor<?xf32>
  %columns = tensor.dim %i, %c0 : tensor<?xindex>
  %e = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %0 = linalg.broadcast ins(%v : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %i : tensor<?x?xf32>, tensor<?xindex>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %place: index, %o: f32):
    // The element that the check is of:
    %y = tensor.extract %d[%place] : tensor<?xf32>
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  %n = tensor.dim %1, %c1 : tensor<?x?xf32>
  %m = tensor.dim %1, %c0 : tensor<?x?xf32>
  %et = tensor.empty(%n, %m) : tensor<?x?xf32>
  %2 = linalg.transpose ins(%1 : tensor<?x?xf32>) outs(%et : tensor<?x?xf32>) permutation = [1, 0]
  return %2 : tensor<?x?xf32>
}
