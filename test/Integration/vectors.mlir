// Vectors in a program, as schedules make them: reductions of several dimensions.

// RUN: hetero-run %s --entry=main --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --rules='default: cpu' --expected=f32=60
// RUN: hetero-run %s --entry=main --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --rules='{default: "gpu:0"}' --expected=f32=60

func.func @main(%x: tensor<3x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<3x4xf32>, vector<3x4xf32>
  %init = arith.constant -18.0 : f32
  %sum = vector.multi_reduction <add>, %v, %init [0, 1] : vector<3x4xf32> to f32
  return %sum : f32
}
