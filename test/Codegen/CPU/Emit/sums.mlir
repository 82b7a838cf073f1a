// RUN: hetero-opt --verify-roundtrip %s --hetero-codegen | FileCheck %s --enable-var-scope
// RUN: hetero-run %s --entry=kept --default=cpu --input=1x1048576xf32=0.1 --expected=1x1xf32=104857.6 --rtol=1e-6
// RUN: hetero-run %s --entry=columns --default=cpu --input=1000000x3xf32=0.1 --expected=3xf32=100000 --rtol=1e-6
// RUN: hetero-run %s --entry=chain --default=cpu --input=1000000xf32=0.1 --expected=f32=110000 --rtol=1e-6

module attributes {hetero.vector_bits = 512} {

// A sum that keeps its dimension has vectors. Sixteen of each accumulator are
// added up in f32, and their sums in f64.
// CHECK-LABEL: @kept
// CHECK: hetero.execute
// CHECK-NOT: linalg.
// CHECK: scf.for {{.*}} step %c1024 iter_args({{.*}}) -> (vector<16xf64>, vector<16xf64>, vector<16xf64>, vector<16xf64>)
// CHECK: scf.for {{.*}} step %c64{{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: arith.extf {{.*}} : vector<16xf32> to vector<16xf64>
// CHECK: vector.reduction <add>, {{.*}} : vector<16xf64> into f64
func.func @kept(%x: tensor<1x1048576xf32>) -> tensor<1x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = hetero.execute "sum" on #hetero.device<cpu:0> (%a = %x : tensor<1x1048576xf32>, %c = %f : tensor<1x1xf32>) -> (tensor<1x1xf32>) {
    %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, 0)>], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<1x1048576xf32>) outs(%c : tensor<1x1xf32>) {
    ^bb0(%b: f32, %o: f32):
      %y = arith.addf %o, %b : f32
      linalg.yield %y : f32
    } -> tensor<1x1xf32>
    hetero.yield %s : tensor<1x1xf32>
  }
  return %r : tensor<1x1xf32>
}

// Blocks of a sum along columns are the rows of a pass, whose sums are in memory.
// CHECK-LABEL: @columns
// CHECK: scf.for {{.*}} step %c8 iter_args({{.*}}) -> (tensor<3xf64>)
// CHECK-COUNT-7: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK: arith.addf {{.*}} : vector<4xf64>
func.func @columns(%x: tensor<1000000x3xf32>) -> tensor<3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = hetero.execute "sum" on #hetero.device<cpu:0> (%a = %x : tensor<1000000x3xf32>, %c = %f : tensor<3xf32>) -> (tensor<3xf32>) {
    %s = linalg.reduce {arith.addf} ins(%a : tensor<1000000x3xf32>) outs(%c : tensor<3xf32>) dimensions = [0]
    hetero.yield %s : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

// A sum that adds several numbers, one after the other, is one of f64.
// CHECK-LABEL: @chain
// CHECK: %[[FIRST:.*]] = arith.addf {{.*}} : f64
// CHECK: arith.addf %[[FIRST]], {{.*}} : f64
func.func @chain(%x: tensor<1000000xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = hetero.execute "sum" on #hetero.device<cpu:0> (%a = %x : tensor<1000000xf32>, %c = %f : tensor<f32>) -> (tensor<f32>) {
    %s = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<1000000xf32>) outs(%c : tensor<f32>) {
    ^bb0(%b: f32, %o: f32):
      %q = arith.mulf %b, %b : f32
      %y = arith.addf %o, %b : f32
      %w = arith.addf %y, %q : f32
      linalg.yield %w : f32
    } -> tensor<f32>
    hetero.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}

}
