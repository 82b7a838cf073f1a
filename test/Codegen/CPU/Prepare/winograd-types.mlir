// Convolutions of other elements than f32 stay as they are.

// RUN: hetero-opt %s --hetero-pipeline="rules={default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: winograd}]} stop-after=codegen" --remarks-filter=hetero-codegen -o /dev/null 2>&1 | FileCheck %s
// CHECK: its elements are not f32
func.func @main(%x: tensor<1x16x16x16xf64>) -> tensor<1x16x14x14xf64> {
  %weights = arith.constant dense<0.5> : tensor<16x16x3x3xf64>
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<1x16x14x14xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<1x16x14x14xf64>) -> tensor<1x16x14x14xf64>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %weights : tensor<1x16x16x16xf64>, tensor<16x16x3x3xf64>) outs(%zeros : tensor<1x16x14x14xf64>) -> tensor<1x16x14x14xf64>
  return %0 : tensor<1x16x14x14xf64>
}
