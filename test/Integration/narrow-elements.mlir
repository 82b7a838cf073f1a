// A truth value lies in a byte, wherever it is made and read.
// RUN: hetero-run %s --rules='default: cpu' --input=4xi1=1,0,1,0 --input=i1=1 --expected=4xi1=1,1,1,0 --expected=4xi32=1,10,1,0
// RUN: hetero-run %s --rules='default: cpu' --input=4xi1=1,1,1,0 --input=i1=0 --expected=4xi1=1,0,1,0 --expected=4xi32=1,0,1,0
// RUN: hetero-run %s --rules="{default: 'gpu:0'}" --input=4xi1=1,0,1,0 --input=i1=1 --expected=4xi1=1,1,1,0 --expected=4xi32=1,10,1,0
// RUN: hetero-run %s --input=4xi1=1,0,1,0 --input=i1=1 --expected=4xi1=1,1,1,0 --expected=4xi32=1,10,1,0

func.func @main(%t: tensor<4xi1>, %b: i1) -> (tensor<4xi1>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %inserted = tensor.insert %b into %t[%c1] : tensor<4xi1>
  %bit = tensor.extract %inserted[%c1] : tensor<4xi1>
  %numbers = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%inserted : tensor<4xi1>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i1, %o: i32):
    %0 = arith.extui %x : i1 to i32
    linalg.yield %0 : i32
  } -> tensor<4xi32>
  %ten = arith.constant 10 : i32
  %zero = arith.constant 0 : i32
  %number = arith.select %bit, %ten, %zero : i32
  %result = tensor.insert %number into %numbers[%c1] : tensor<4xi32>
  return %inserted, %result : tensor<4xi1>, tensor<4xi32>
}
