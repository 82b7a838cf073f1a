// RUN: hetero-run %s --input 4x6xf32=iota --input i1=1 | FileCheck %s
// RUN: not hetero-run %s --input 4x6xf32=iota --input i1=0 2>&1 | FileCheck %s --check-prefix=WRONG

// A branch that is not taken may cast a tensor to sizes that it never has: the
// program compiles, and only a run that gets there fails.

// CHECK: 4x6xf32=[0 2 4 6 8 10]
// WRONG: expected dimension 0 in tensor.cast at {{.*}} to be 1
#row = affine_map<(d0, d1) -> (0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<4x6xf32>, %isWhole: i1) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %empty = tensor.empty(%c4, %c6) : tensor<?x?xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id],
                           iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %in : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  %result = scf.if %isWhole -> (tensor<?x?xf32>) {
    scf.yield %twice : tensor<?x?xf32>
  } else {
    %cast = tensor.cast %twice : tensor<?x?xf32> to tensor<1x?xf32>
    %rows = linalg.generic {indexing_maps = [#row, #id],
                            iterator_types = ["parallel", "parallel"]}
        ins(%cast : tensor<1x?xf32>) outs(%empty : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x?xf32>
    scf.yield %rows : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>
}
