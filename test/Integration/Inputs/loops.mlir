// A counted loop and a loop with a condition, both carrying tensors.
// inputs: 3x5xf32=randint:1 3x5xf32=randint:2
func.func @main(%a: tensor<3x5xf32>, %step: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<3x5xf32>
  %counted = scf.for %i = %c0 to %c4 step %c1 iter_args(%value = %a) -> tensor<3x5xf32> {
    %0 = linalg.add ins(%value, %step : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = linalg.sub ins(%0, %a : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %1 : tensor<3x5xf32>
  }
  %last:2 = scf.while (%count = %zero, %value = %counted) : (i32, tensor<3x5xf32>) -> (i32, tensor<3x5xf32>) {
    %more = arith.cmpi slt, %count, %three : i32
    scf.condition(%more) %count, %value : i32, tensor<3x5xf32>
  } do {
  ^bb0(%count: i32, %value: tensor<3x5xf32>):
    %next = arith.addi %count, %one : i32
    %0 = linalg.add ins(%value, %value : tensor<3x5xf32>, tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
    scf.yield %next, %0 : i32, tensor<3x5xf32>
  }
  return %counted, %last#1, %last#0 : tensor<3x5xf32>, tensor<3x5xf32>, i32
}
