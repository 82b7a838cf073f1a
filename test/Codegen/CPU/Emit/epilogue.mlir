// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen --hetero-codegen | FileCheck %s --enable-var-scope

module attributes {hetero.vector_bits = 512 : i64} {

// A sum with another tensor and a maximum are done on the accumulators, which are
// stored once. The rows of the other tensor are asked for before the sums.
// CHECK-LABEL: @in_registers
// CHECK: %[[REST:.+]] = bufferization.to_buffer %{{.*}} read_only : tensor<12x64xf32>
// CHECK: scf.for
// CHECK-COUNT-24: memref.prefetch %[[REST]]{{.*}} read, locality<2>
// CHECK: %[[SUMS:.+]]:24 = scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: vector.transfer_write
// CHECK: arith.addf %[[SUMS]]#0, {{.*}} : vector<16xf32>
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
// CHECK-COUNT-24: vector.transfer_write {{.*}} : vector<16xf32>, tensor<12x64xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @in_registers(%x: tensor<12x32xf32>, %y: tensor<32x64xf32>, %z: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %r = hetero.execute "chain" on #hetero.device<cpu:0>
      (%a = %x : tensor<12x32xf32>, %b = %y : tensor<32x64xf32>, %rest = %z : tensor<12x64xf32>) -> (tensor<12x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<12x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x64xf32>)
        outs(%fill : tensor<12x64xf32>) -> tensor<12x64xf32>
    %sum = linalg.add ins(%product, %rest : tensor<12x64xf32>, tensor<12x64xf32>)
        outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    %relu = linalg.max ins(%sum, %fill : tensor<12x64xf32>, tensor<12x64xf32>)
        outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    hetero.yield %relu : tensor<12x64xf32>
  }
  return %r : tensor<12x64xf32>
}

// What would be long for each of 24 accumulators is a loop over the rows of the tile,
// right after its sums.
// CHECK-LABEL: @in_rows
// CHECK: scf.for
// CHECK: %[[SUMS:.+]]:24 = scf.for
// CHECK-COUNT-24: vector.transfer_write {{.*}} : vector<16xf32>, tensor<12x64xf32>
// CHECK: scf.for
// CHECK-COUNT-4: math.erf {{.*}} : vector<16xf32>
// CHECK-NOT: math.erf
// CHECK: return
func.func @in_rows(%x: tensor<12x32xf32>, %y: tensor<32x64xf32>) -> tensor<12x64xf32> {
  %r = hetero.execute "chain" on #hetero.device<cpu:0>
      (%a = %x : tensor<12x32xf32>, %b = %y : tensor<32x64xf32>) -> (tensor<12x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<12x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x64xf32>)
        outs(%fill : tensor<12x64xf32>) -> tensor<12x64xf32>
    %erf = linalg.erf ins(%product : tensor<12x64xf32>)
        outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    hetero.yield %erf : tensor<12x64xf32>
  }
  return %r : tensor<12x64xf32>
}

// Sizes need not be known, and are those of the result.
// CHECK-LABEL: @dynamic
// CHECK: scf.forall
// CHECK: %[[SUMS:.+]]:12 = scf.for
// CHECK-NOT: scf.for
// CHECK: arith.addf %[[SUMS]]#0, {{.*}} : vector<16xf32>
// CHECK: return
func.func @dynamic(%x: tensor<?x32xf32>, %y: tensor<32x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = hetero.execute "chain" on #hetero.device<cpu:0>
      (%a = %x : tensor<?x32xf32>, %b = %y : tensor<32x?xf32>, %rest = %z : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x32xf32>
    %n = tensor.dim %b, %c1 : tensor<32x?xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    %product = linalg.matmul ins(%a, %b : tensor<?x32xf32>, tensor<32x?xf32>)
        outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
    %sum = linalg.add ins(%product, %rest : tensor<?x?xf32>, tensor<?x?xf32>)
        outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    hetero.yield %sum : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// Must not act: something else reads the product, too.
// CHECK-LABEL: @read_twice
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, ){23}vector<16xf32>}})
// CHECK-COUNT-24: vector.transfer_write
// CHECK: scf.for
// CHECK: arith.negf
// CHECK: return
func.func @read_twice(%x: tensor<12x32xf32>, %y: tensor<32x64xf32>) -> (tensor<12x64xf32>, tensor<12x64xf32>) {
  %r:2 = hetero.execute "chain" on #hetero.device<cpu:0>
      (%a = %x : tensor<12x32xf32>, %b = %y : tensor<32x64xf32>) -> (tensor<12x64xf32>, tensor<12x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<12x64xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x64xf32>)
        outs(%fill : tensor<12x64xf32>) -> tensor<12x64xf32>
    %negative = linalg.negf ins(%product : tensor<12x64xf32>)
        outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
    hetero.yield %product, %negative : tensor<12x64xf32>, tensor<12x64xf32>
  }
  return %r#0, %r#1 : tensor<12x64xf32>, tensor<12x64xf32>
}

// Each of two products that are added up starts from what it is added to: the
// one that the sum is not written to is no accumulator of the sum.
// CHECK-LABEL: @two_sums
// CHECK: hetero.execute {{.*}} (%[[A:.+]] = %{{.+}} : {{.*}}, %[[B:.+]] = %{{.+}} : {{.*}}, %[[C:.+]] = %{{.+}} : {{.*}}, %[[D:.+]] = %{{.+}} : {{[^,]*}}) ->
// CHECK-COUNT-4: vector.transfer_read %[[C]]
// CHECK: vector.transfer_read %[[B]]
// CHECK-COUNT-4: vector.transfer_read %[[D]]
// CHECK: vector.transfer_read %[[B]]
// CHECK: return
func.func @two_sums(%x: tensor<4x16xf32>, %y: tensor<16x16xf32>, %s: tensor<4x16xf32>, %t: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = hetero.execute "chain" on #hetero.device<cpu:0>
      (%a = %x : tensor<4x16xf32>, %b = %y : tensor<16x16xf32>, %c = %s : tensor<4x16xf32>, %d = %t : tensor<4x16xf32>) -> (tensor<4x16xf32>) {
    %empty = tensor.empty() : tensor<4x16xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x16xf32>) outs(%d : tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = linalg.add ins(%0, %1 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
    hetero.yield %2 : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}

}
