// A slice whose rows do not follow each other is copied before it is returned,
// also if only the run knows its size.
//
// RUN: hetero-run %s --entry=columns --input=3x4xf32=iota --input=index=2 --default=cpu:0 | FileCheck %s
// RUN: hetero-run %s --entry=columns --input=3x4xf32=iota --input=index=2 --default=gpu:0 | FileCheck %s

// CHECK: 3x2xf32=[-0 -1][-4 -5][-8 -9]
func.func @columns(%x: tensor<3x4xf32>, %size: index) -> tensor<3x?xf32> {
  %empty = tensor.empty() : tensor<3x4xf32>
  %negated = linalg.negf ins(%x : tensor<3x4xf32>) outs(%empty : tensor<3x4xf32>) -> tensor<3x4xf32>
  %slice = tensor.extract_slice %negated[0, 0] [3, %size] [1, 1] : tensor<3x4xf32> to tensor<3x?xf32>
  return %slice : tensor<3x?xf32>
}
