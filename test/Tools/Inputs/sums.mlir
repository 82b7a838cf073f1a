ml_program.global private mutable @sum(dense<10.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @calls(dense<0> : tensor<1xi32>) : tensor<1xi32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ml_program.global_load @sum : tensor<4xf32>
  %0 = arith.addf %x, %s : tensor<4xf32>
  ml_program.global_store @sum = %0 : tensor<4xf32>
  %one = arith.constant dense<1> : tensor<1xi32>
  %n = ml_program.global_load @calls : tensor<1xi32>
  %1 = arith.addi %n, %one : tensor<1xi32>
  ml_program.global_store @calls = %1 : tensor<1xi32>
  return %0 : tensor<4xf32>
}
