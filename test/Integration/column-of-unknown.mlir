// A tensor of two unknown sizes as a column, after a computation.

// RUN: hetero-run %s --entry=main --input=2x3xf32=-1,2,-3,4,-5,6 --input=index=6 --rules='default: cpu' --expected=6x1xf32=1,2,3,4,5,6 --expected=2x3xf32=1,2,3,4,5,6
// RUN: hetero-run %s --entry=main --input=2x3xf32=-1,2,-3,4,-5,6 --input=index=6 --rules='{default: "gpu:0"}' --expected=6x1xf32=1,2,3,4,5,6 --expected=2x3xf32=1,2,3,4,5,6
// RUN: hetero-run %s --entry=main --input=2x3xf32=-1,2,-3,4,-5,6 --input=index=6 --expected=6x1xf32=1,2,3,4,5,6 --expected=2x3xf32=1,2,3,4,5,6

func.func @main(%x: tensor<?x?xf32>, %k: index) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = math.absf %x : tensor<?x?xf32>
  %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %m = arith.muli %d0, %d1 : index
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%m, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %e, %a : tensor<?x1xf32>, tensor<?x?xf32>
}
