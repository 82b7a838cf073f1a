// Reductions that are no usual ones: loops along which only one factor moves,
// bodies that read indices, constants or nothing, several results, of different
// ranks. Each on the host, on a gpu, and where neither is asked for.

// DEFINE: %{default} = cpu
// DEFINE: %{run} = hetero-run %s --rules='{default: "%{default}"}' --entry
// RUN: %{run}=left_only --input=20x32x3xf32=1 --input=24x32xf32=2 --input=20x24xf32=1 --expected=20x24xf32=193
// RUN: %{run}=right_only --input=20x32xf32=2 --input=32x5x24xf32=1 --input=20x24xf32=0 --expected=20x24xf32=320
// RUN: %{run}=batched_left_only --input=2x20x32x3xf32=1 --input=2x24x32xf32=2 --input=2x20x24xf32=1 --expected=2x20x24xf32=193
// RUN: %{run}=indices --input=1024xf32=7 | FileCheck %s --check-prefix=INDICES
// RUN: %{run}=rows_of_indices --input=40x64xf32=7 | FileCheck %s --check-prefix=ROWS
// RUN: %{run}=count --input=100x37xf32=7 --input=100xi64=5 --expected=100xi64=42
// RUN: %{run}=constant --input=64x64xf32=7 --input=64xf32=1 --expected=64xf32=3
// RUN: %{run}=last --input=64x40xf32=7 --input=64xf32=1 --expected=64xf32=7
// RUN: %{run}=unchanged --input=64x40xf32=7 --input=64xf32=1 --expected=64xf32=1
// RUN: %{run}=two_results --input=64x40xf32=2 --input=64xf32=1 --expected=64xf32=81 --expected=64xf32=2
// RUN: %{run}=two_ranks --input=4x6xf32=2 --input=4xf32=1 --input=f32=3 --expected=4xf32=13 --expected=f32=51
// RUN: %{run}=only_indices --input=8xi32=1 | FileCheck %s --check-prefix=ONLY

// REDEFINE: %{default} = gpu:0
// RUN: %{run}=left_only --input=20x32x3xf32=1 --input=24x32xf32=2 --input=20x24xf32=1 --expected=20x24xf32=193
// RUN: %{run}=right_only --input=20x32xf32=2 --input=32x5x24xf32=1 --input=20x24xf32=0 --expected=20x24xf32=320
// RUN: %{run}=batched_left_only --input=2x20x32x3xf32=1 --input=2x24x32xf32=2 --input=2x20x24xf32=1 --expected=2x20x24xf32=193
// RUN: %{run}=indices --input=1024xf32=7 | FileCheck %s --check-prefix=INDICES
// RUN: %{run}=rows_of_indices --input=40x64xf32=7 | FileCheck %s --check-prefix=ROWS
// RUN: %{run}=count --input=100x37xf32=7 --input=100xi64=5 --expected=100xi64=42
// RUN: %{run}=constant --input=64x64xf32=7 --input=64xf32=1 --expected=64xf32=3
// RUN: %{run}=last --input=64x40xf32=7 --input=64xf32=1 --expected=64xf32=7
// RUN: %{run}=unchanged --input=64x40xf32=7 --input=64xf32=1 --expected=64xf32=1
// RUN: %{run}=two_results --input=64x40xf32=2 --input=64xf32=1 --expected=64xf32=81 --expected=64xf32=2
// RUN: %{run}=two_ranks --input=4x6xf32=2 --input=4xf32=1 --input=f32=3 --expected=4xf32=13 --expected=f32=51
// RUN: %{run}=only_indices --input=8xi32=1 | FileCheck %s --check-prefix=ONLY

// REDEFINE: %{default} = auto
// RUN: %{run}=left_only --input=20x32x3xf32=1 --input=24x32xf32=2 --input=20x24xf32=1 --expected=20x24xf32=193
// RUN: %{run}=indices --input=1024xf32=7 | FileCheck %s --check-prefix=INDICES
// RUN: %{run}=two_ranks --input=4x6xf32=2 --input=4xf32=1 --input=f32=3 --expected=4xf32=13 --expected=f32=51

// INDICES: i32=523776
// ROWS: 40xi32=2016 2016
// ONLY: 8xi32=1226 1226

func.func @left_only(%a: tensor<20x32x3xf32>, %b: tensor<24x32xf32>, %c: tensor<20x24xf32>) -> tensor<20x24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (n, k)>, affine_map<(m, n, k, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<20x32x3xf32>, tensor<24x32xf32>) outs(%c : tensor<20x24xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x24xf32>
  return %0 : tensor<20x24xf32>
}
func.func @right_only(%a: tensor<20x32xf32>, %b: tensor<32x5x24xf32>, %c: tensor<20x24xf32>) -> tensor<20x24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<20x32xf32>, tensor<32x5x24xf32>) outs(%c : tensor<20x24xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x24xf32>
  return %0 : tensor<20x24xf32>
}
func.func @batched_left_only(%a: tensor<2x20x32x3xf32>, %b: tensor<2x24x32xf32>, %c: tensor<2x20x24xf32>) -> tensor<2x20x24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k, l)>, affine_map<(b, m, n, k, l) -> (b, n, k)>, affine_map<(b, m, n, k, l) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<2x20x32x3xf32>, tensor<2x24x32xf32>) outs(%c : tensor<2x20x24xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x20x24xf32>
  return %0 : tensor<2x20x24xf32>
}
func.func @indices(%x: tensor<1024xf32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<1024xf32>) outs(%f : tensor<i32>) {
  ^bb0(%a: f32, %s: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %t = arith.addi %s, %j : i32
    linalg.yield %t : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @rows_of_indices(%x: tensor<40x64xf32>) -> tensor<40xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<40xi32>) -> tensor<40xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x64xf32>) outs(%f : tensor<40xi32>) {
  ^bb0(%a: f32, %s: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %t = arith.addi %s, %j : i32
    linalg.yield %t : i32
  } -> tensor<40xi32>
  return %0 : tensor<40xi32>
}
func.func @count(%x: tensor<100x37xf32>, %c: tensor<100xi64>) -> tensor<100xi64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<100x37xf32>) outs(%c : tensor<100xi64>) {
  ^bb0(%a: f32, %s: i64):
    %one = arith.constant 1 : i64
    %t = arith.addi %s, %one : i64
    linalg.yield %t : i64
  } -> tensor<100xi64>
  return %0 : tensor<100xi64>
}
func.func @constant(%x: tensor<64x64xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %three = arith.constant 3.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%c : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %three : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @last(%x: tensor<64x40xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x40xf32>) outs(%c : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %a : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @unchanged(%x: tensor<64x40xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x40xf32>) outs(%c : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @two_results(%x: tensor<64x40xf32>, %c: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x40xf32>) outs(%c, %c : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32, %m: f32):
    %t = arith.addf %s, %a : f32
    %u = arith.maximumf %m, %a : f32
    linalg.yield %t, %u : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}
func.func @two_ranks(%x: tensor<4x6xf32>, %rows: tensor<4xf32>, %all: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%rows, %all : tensor<4xf32>, tensor<f32>) {
  ^bb0(%a: f32, %r: f32, %s: f32):
    %1 = arith.addf %a, %r : f32
    %2 = arith.addf %a, %s : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}
func.func @only_indices(%c: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<50xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<50xi8>) outs(%c : tensor<8xi32>) {
  ^bb0(%a: i8, %s: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %t = arith.addi %s, %k : i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
