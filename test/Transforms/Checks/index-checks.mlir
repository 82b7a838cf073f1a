// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen" --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-pipeline="stop-after=codegen bounds-checks=false" | FileCheck %s --check-prefix=UNCHECKED
// UNCHECKED-NOT: cf.assert

// An index that the body computes is compared where it is used.
// CHECK-LABEL: func.func @checked
// CHECK: hetero.execute
// CHECK: arith.cmpi ult
// CHECK: cf.assert {{.*}}"expected index 0 of tensor.extract at index-checks.mlir:[[# @LINE + 6]]:10 to stay inside dimension 0 of its tensor; pass indices that fit"
// CHECK-NOT: cf.assert
func.func @checked(%t: tensor<4x3xf32>, %i: tensor<3xindex>, %e: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i : tensor<3xindex>) outs(%e : tensor<3xf32>) {
  ^bb0(%place: index, %out: f32):
    %column = linalg.index 0 : index
    %1 = tensor.extract %t[%place, %column] : tensor<4x3xf32>
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// One whose range is known to fit is not: the body, or the loop, sees to that.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: cf.assert
func.func @proven(%t: tensor<4x?xf32>, %i: tensor<?xi32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %n = tensor.dim %t, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%out: f32):
    %column = linalg.index 0 : index
    %number = arith.index_cast %column : index to i32
    %low = arith.maxsi %number, %zero : i32
    %row = arith.minsi %low, %three : i32
    %place = arith.index_cast %row : i32 to index
    %1 = tensor.extract %t[%place, %column] : tensor<4x?xf32>
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
