// RUN: hetero-opt %s --hetero-codegen --cse --hetero-verify | FileCheck %s -enable-var-scope

#gpu0 = #hetero.device<gpu:0>
!gpu0 = tensor<?xf32, #gpu0>
!gpu4 = tensor<4xf32, #gpu0>

module attributes {hetero.phase = "partitioned"} {

// Acts: dynamic sizes that meet in one operation are compared before the region,
// once, and the destination's size is traced to where it comes from.
// CHECK-LABEL: func.func @acts
// CHECK-SAME: (%[[X:[^:]+]]: {{.*}}, %[[Y:[^:]+]]: {{.*}})
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %{{.+}} :
// CHECK-DAG: %[[N:.+]] = tensor.dim %[[Y]], %{{.+}} :
// CHECK: %[[P:.+]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[P]], "expected equal sizes in linalg.add at size-checks.mlir:[[# @LINE + 10]]:10, but dimension 0 of operand 1 differs; pass tensors whose sizes match"
// CHECK-NOT: cf.assert
// CHECK: hetero.execute
// CHECK-NOT: cf.assert
// CHECK: return
func.func @acts(%x: !gpu0 {hetero.device = #gpu0}, %y: !gpu0 {hetero.device = #gpu0}) -> (!gpu0 {hetero.device = #gpu0}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : !gpu0
  %0 = hetero.execute "acts_gpu0_0" on #gpu0 (%a = %x : !gpu0, %b = %y : !gpu0, %s = %n : index) -> (!gpu0) {
    %e = tensor.empty(%s) : tensor<?xf32>
    %1 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.sub ins(%1, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %2 : tensor<?xf32>
  }
  return %0 : !gpu0
}

// Acts: a static size that meets a dynamic one is compared, too.
// CHECK-LABEL: func.func @static
// CHECK: %[[N:.+]] = tensor.dim
// CHECK: arith.cmpi eq, %[[N]]
// CHECK: cf.assert
// CHECK: return
func.func @static(%x: !gpu0 {hetero.device = #gpu0}) -> (!gpu4 {hetero.device = #gpu0}) {
  %0 = hetero.execute "static_gpu0_0" on #gpu0 (%a = %x : !gpu0) -> (!gpu4) {
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : tensor<?xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%i: f32, %o: f32):
      linalg.yield %i : f32
    } -> tensor<4xf32>
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : !gpu4
}

// Acts: a window must stay inside of what it slides over.
// CHECK-LABEL: func.func @window
// CHECK-SAME: (%[[X:[^:]+]]: {{.*}}, %[[K:[^:]+]]: {{.*}}, %[[O:[^:]+]]: {{.*}})
// CHECK: arith.cmpi sle
// CHECK: cf.assert %{{.*}}, "expected accesses of linalg.conv_1d at {{.*}} to dimension 0 of operand 0 in bounds; pass a larger tensor or a smaller window"
// CHECK: hetero.execute
func.func @window(%x: !gpu0 {hetero.device = #gpu0}, %k: !gpu0 {hetero.device = #gpu0}, %o: !gpu0 {hetero.device = #gpu0}) -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.execute "window_gpu0_0" on #gpu0 (%a = %x : !gpu0, %b = %k : !gpu0, %c = %o : !gpu0) -> (!gpu0) {
    %1 = linalg.conv_1d ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %1 : tensor<?xf32>
  }
  return %0 : !gpu0
}

// Must not act: static sizes are checked by the operation's verifier, and a
// size is equal to itself, however it comes in.
// CHECK-LABEL: func.func @must_not
// CHECK-NOT: cf.assert
// CHECK: return
func.func @must_not(%x: !gpu0 {hetero.device = #gpu0}, %y: !gpu4 {hetero.device = #gpu0}) -> (!gpu0 {hetero.device = #gpu0}, !gpu4 {hetero.device = #gpu0}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : !gpu0
  %0:2 = hetero.execute "must_not_gpu0_0" on #gpu0 (%a = %x : !gpu0, %b = %y : !gpu4, %s = %n : index) -> (!gpu0, !gpu4) {
    %e = tensor.empty(%s) : tensor<?xf32>
    %f = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.add ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    %3 = linalg.add ins(%1, %a : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %3, %2 : tensor<?xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : !gpu0, !gpu4
}
}
