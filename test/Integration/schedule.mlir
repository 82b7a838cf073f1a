// A region compiled by a schedule has the numbers of one that is not.

// RUN: hetero-run %s --input=61x37xf32=randint:1 --input=37x50xf32=randint:2 --rules="{default: cpu}" > %t.strategy
// RUN: hetero-run %s --input=61x37xf32=randint:1 --input=37x50xf32=randint:2 --rules="{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: 'schedule:%S/../Codegen/Passes/Inputs/tile.mlir'}]}" > %t.schedule
// RUN: diff %t.strategy %t.schedule

func.func @main(%a: tensor<61x37xf32>, %b: tensor<37x50xf32>) -> tensor<61x50xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x50xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<61x50xf32>) -> tensor<61x50xf32>
  %c = linalg.matmul ins(%a, %b : tensor<61x37xf32>, tensor<37x50xf32>) outs(%z : tensor<61x50xf32>) -> tensor<61x50xf32>
  return %c : tensor<61x50xf32>
}
