// RUN: hetero-opt %s --hetero-codegen --cse --hetero-verify | FileCheck %s -enable-var-scope

#gpu0 = #hetero.device<gpu:0>
!gpu0 = tensor<?xf32, #gpu0>
!gpu4 = tensor<4xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<partitioned>} {

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
// Acts: a size that an earlier region computes inside is known after it as the
// size of its result, or as what the region got it from.
// CHECK-LABEL: func.func @earlier
// CHECK-SAME: (%[[X:[^:]+]]: {{.*}}, %[[Y:[^:]+]]: {{.*}}, %[[N:[^:]+]]: index)
// CHECK: hetero.execute "earlier_gpu0_0"
// CHECK: %[[M:.+]] = tensor.dim %[[Y]]
// CHECK: %[[P:.+]] = arith.cmpi eq, %[[N]], %[[M]]
// CHECK: cf.assert %[[P]], "expected equal sizes in linalg.add
// CHECK: hetero.execute "earlier_gpu0_1"
func.func @earlier(%x: !gpu0 {hetero.device = #gpu0}, %y: !gpu0 {hetero.device = #gpu0}, %n: index) -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.execute "earlier_gpu0_0" on #gpu0 (%a = %x : !gpu0, %s = %n : index) -> (!gpu0) {
    %1 = tensor.extract_slice %a[0] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    hetero.yield %1 : tensor<?xf32>
  }
  %2 = hetero.execute "earlier_gpu0_1" on #gpu0 (%a = %0 : !gpu0, %b = %y : !gpu0) -> (!gpu0) {
    %3 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %3 : tensor<?xf32>
  }
  return %2 : !gpu0
}

// Acts: a size that is computed inside of a region is computed before it.
// CHECK-LABEL: func.func @inner
// CHECK-SAME: (%[[X:[^:]+]]: {{.*}}, %[[N:[^:]+]]: index)
// CHECK: %[[PRODUCT:.+]] = arith.muli %[[N]], %{{.+}} : index
// CHECK: arith.cmpi eq, %{{.+}}, %[[PRODUCT]]
// CHECK: cf.assert %{{.+}}, "expected the sizes of tensor.expand_shape
// CHECK: hetero.execute
func.func @inner(%x: !gpu0 {hetero.device = #gpu0}, %n: index) -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.execute "inner_gpu0_0" on #gpu0 (%a = %x : !gpu0, %s = %n : index) -> (!gpu0) {
    %1 = tensor.expand_shape %a [[0, 1]] output_shape [%s, 2] : tensor<?xf32> into tensor<?x2xf32>
    %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
    hetero.yield %2 : tensor<?xf32>
  }
  return %0 : !gpu0
}

// Must not act: an expansion to the sizes that were collapsed fits, and a slice
// of everything does.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: cf.assert
// CHECK: return
func.func @proven(%x: tensor<?x?xf32, #gpu0> {hetero.device = #gpu0}) -> (!gpu0 {hetero.device = #gpu0}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32, #gpu0>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32, #gpu0>
  %nm = arith.muli %n, %m : index
  %0 = hetero.execute "proven_gpu0_0" on #gpu0 (%a = %x : tensor<?x?xf32, #gpu0>, %s = %nm : index) -> (!gpu0) {
    %1 = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [%s, 1] : tensor<?xf32> into tensor<?x1xf32>
    %3 = tensor.extract_slice %2[0, 0] [%s, 1] [1, 1] : tensor<?x1xf32> to tensor<?xf32>
    hetero.yield %3 : tensor<?xf32>
  }
  return %0 : !gpu0
}
}
