// RUN: hetero-opt %s --hetero-pipeline -o /dev/null

// Three sizes that only the program knows become one, and then two: the check of
// the product reads all three.

func.func @main(%x: tensor<?x?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
