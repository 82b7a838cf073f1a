// A reduction in parts begins with a value that changes no result, on every kind
// of device.
//
// RUN: hetero-run %s --rules='{default: cpu}' --entry=zeros --input=1000xf32=-0.0 --expected=f32=-inf | FileCheck %s
// RUN: hetero-run %s --rules='{devices: [cpu, "gpu:0"], default: "gpu:0"}' --entry=zeros --input=1000xf32=-0.0 --expected=f32=-inf | FileCheck %s
// RUN: hetero-run %s --rules='{default: cpu}' --entry=indices --input=900xindex=7 --expected=index=7 --expected=index=5 --expected=index=6305 --expected=index=5
// RUN: hetero-run %s --rules='{devices: [cpu, "gpu:0"], default: "gpu:0"}' --entry=indices --input=900xindex=7 --expected=index=7 --expected=index=5 --expected=index=6305 --expected=index=5

// The sum of negative zeros is one: its reciprocal is negative.
// CHECK: f32=-inf
func.func @zeros(%a: tensor<1000xf32>) -> tensor<f32> {
  %negative = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%negative : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%a : tensor<1000xf32>) outs(%i : tensor<f32>) dimensions = [0]
  %one = arith.constant dense<1.0> : tensor<f32>
  %0 = arith.divf %one, %sum : tensor<f32>
  return %0 : tensor<f32>
}

func.func @indices(%a: tensor<900xindex>) -> (tensor<index>, tensor<index>, tensor<index>, tensor<index>) {
  %five = arith.constant 5 : index
  %e = tensor.empty() : tensor<index>
  %i = linalg.fill ins(%five : index) outs(%e : tensor<index>) -> tensor<index>
  %0 = linalg.reduce {arith.maxsi} ins(%a : tensor<900xindex>) outs(%i : tensor<index>) dimensions = [0]
  %1 = linalg.reduce {arith.andi} ins(%a : tensor<900xindex>) outs(%i : tensor<index>) dimensions = [0]
  %2 = linalg.reduce {arith.addi} ins(%a : tensor<900xindex>) outs(%i : tensor<index>) dimensions = [0]
  %3 = linalg.reduce {arith.minui} ins(%a : tensor<900xindex>) outs(%i : tensor<index>) dimensions = [0]
  return %0, %1, %2, %3 : tensor<index>, tensor<index>, tensor<index>, tensor<index>
}
