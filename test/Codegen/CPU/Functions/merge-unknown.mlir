// RUN: hetero-opt %s --hetero-codegen | FileCheck %s
// RUN: hetero-opt %s --hetero-codegen --hetero-verify --hetero-bufferize --hetero-verify

module attributes {hetero.phase = #hetero.phase<partitioned>, hetero.vector_bits = 512 : i64} {

// A call has the types of the kernel that it calls, although canonicalization
// finds out that a tensor has a known size.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: hetero.invoke @main_kernel {{.*}} outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: func.func private @main_kernel({{.*}}) -> tensor<?xf32>
func.func @main(%x: f32, %y: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = hetero.execute "main" on #hetero.device<cpu:0> (%a = %x : f32, %b = %y : f32) -> (tensor<?xf32>, tensor<?xf32>) {
    %n = arith.constant 128 : index
    %e = tensor.empty(%n) : tensor<?xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = arith.addf %f, %a : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = arith.addf %f, %b : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    hetero.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

}
