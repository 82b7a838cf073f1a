// Copies between blocks.
// RUN: hetero-opt %s --hetero-materialize-copies --hetero-verify | FileCheck %s -enable-var-scope

// A block may stand before the one that makes what it reads.
// CHECK-LABEL: func.func @blocks_in_any_order
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[COPY:.*]] = hetero.copy %[[X]]
// CHECK: ^[[LAST:bb[0-9]+]]:
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[HOST:.*]], %[[HOST]] {{{.*}}cpu:0
// CHECK-NEXT: return %[[SUM]]
// CHECK: %[[DOUBLE:.*]] = arith.addf %[[COPY]], %[[COPY]] {{{.*}}gpu:0
// CHECK-NEXT: %[[HOST]] = hetero.copy %[[DOUBLE]]
// CHECK-NEXT: cf.br ^[[LAST]]
func.func @blocks_in_any_order(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^first
^last:
  %sum = arith.addf %double, %double {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  return %sum : tensor<4xf32>
^first:
  %double = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  cf.br ^last
}
