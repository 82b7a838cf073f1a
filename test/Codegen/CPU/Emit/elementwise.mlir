// RUN: hetero-opt %s --hetero-codegen | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-codegen --remarks-filter=hetero-codegen --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: left as scalar loops

module attributes {hetero.vector_bits = 512 : i64} {

// A chain becomes one loop over vectors; small work gets no parallel loop and
// the ragged end of 37 elements a row is a shorter masked vector.
// CHECK-LABEL: @small
// CHECK-NOT: scf.forall
// CHECK-NOT: linalg.
// CHECK: vector.transfer_read
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-NEXT: arith.mulf {{.*}} : vector<16xf32>
// CHECK: vector.constant_mask [5] : vector<8xi1>
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @small(%x: tensor<5x37xf32>, %y: tensor<5x37xf32>) -> tensor<5x37xf32> {
  %r = hetero.execute "small" on #hetero.device<cpu:0>
      (%a = %x : tensor<5x37xf32>, %b = %y : tensor<5x37xf32>) -> (tensor<5x37xf32>) {
    %0 = arith.addf %a, %b : tensor<5x37xf32>
    %1 = arith.mulf %0, %b : tensor<5x37xf32>
    hetero.yield %1 : tensor<5x37xf32>
  }
  return %r : tensor<5x37xf32>
}

// A size that is not known may be large: it is split, and small ones are one
// tile.
// CHECK-LABEL: @unknown
// CHECK: scf.forall
// CHECK: vector.create_mask
// CHECK: return
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = hetero.execute "unknown" on #hetero.device<cpu:0>
      (%a = %x : tensor<?xf32>) -> (tensor<?xf32>) {
    %0 = arith.addf %a, %a : tensor<?xf32>
    hetero.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Large work is split; a tile is worth a thread.
// CHECK-LABEL: @large
// CHECK: scf.forall ({{.*}}) = (0) to (1048576) step ([[STEP:[0-9]+]])
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<16xf32>
// CHECK: tensor.parallel_insert_slice
// CHECK: hetero.grain = 1
func.func @large(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %r = hetero.execute "large" on #hetero.device<cpu:0>
      (%a = %x : tensor<1048576xf32>) -> (tensor<1048576xf32>) {
    %0 = math.exp %a : tensor<1048576xf32>
    hetero.yield %0 : tensor<1048576xf32>
  }
  return %r : tensor<1048576xf32>
}

// Lanes past the end would divide by zero: the end is scalar.
// CHECK-LABEL: @division
// CHECK: arith.divsi {{.*}} : vector<16xi32>
// CHECK-NOT: mask
// CHECK: arith.divsi {{.*}} : i32
func.func @division(%x: tensor<37xi32>) -> tensor<37xi32> {
  %r = hetero.execute "division" on #hetero.device<cpu:0>
      (%a = %x : tensor<37xi32>) -> (tensor<37xi32>) {
    %0 = arith.divsi %a, %a : tensor<37xi32>
    hetero.yield %0 : tensor<37xi32>
  }
  return %r : tensor<37xi32>
}

// An i1 in memory is a byte, in a vector a bit: scalar.
// CHECK-LABEL: @predicate
// CHECK-NOT: vector
// CHECK: linalg.generic
func.func @predicate(%x: tensor<64xf32>) -> tensor<64xi1> {
  %r = hetero.execute "predicate" on #hetero.device<cpu:0>
      (%a = %x : tensor<64xf32>) -> (tensor<64xi1>) {
    %0 = arith.cmpf olt, %a, %a : tensor<64xf32>
    hetero.yield %0 : tensor<64xi1>
  }
  return %r : tensor<64xi1>
}

// Regions of other devices are left alone, and so are regions that nothing has
// to be done in.
// CHECK-LABEL: @identity
// CHECK: hetero.yield %{{.*}} : tensor<4xf32>
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = hetero.execute "identity" on #hetero.device<cpu:0>
      (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    hetero.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

}
