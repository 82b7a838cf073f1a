// RUN: hetero-opt %s --canonicalize | FileCheck %s -enable-var-scope

!host = tensor<4xf32>
!gpu0 = tensor<4xf32, #hetero.device<gpu:0>>
!gpu1 = tensor<4xf32, #hetero.device<gpu:1>>

// A copy never folds to its source across devices.
// CHECK-LABEL: func.func @copy_stays
// CHECK: hetero.copy
func.func @copy_stays(%x: !host) -> !gpu0 {
  %0 = hetero.copy %x : !host -> !gpu0
  return %0 : !gpu0
}

// A copy of a copy reads the first source.
// CHECK-LABEL: func.func @copy_of_copy
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[X]] : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: return %[[C]]
func.func @copy_of_copy(%x: !gpu0) -> !gpu1 {
  %0 = hetero.copy %x : !gpu0 -> !host
  %1 = hetero.copy %0 : !host -> !gpu1
  return %1 : !gpu1
}

// A round trip folds away, a longer cycle of copies, too.
// CHECK-LABEL: func.func @round_trip
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @round_trip(%x: !host) -> !host {
  %0 = hetero.copy %x : !host -> !gpu0
  %1 = hetero.copy %0 : !gpu0 -> !gpu1
  %2 = hetero.copy %1 : !gpu1 -> !host
  return %2 : !host
}

// A copy that the user wrote is a wish, not a transfer: it stays.
// CHECK-LABEL: func.func @user_copy
// CHECK: hetero.copy
// CHECK: hetero.copy
func.func @user_copy(%x: !host) -> !host {
  %0 = hetero.copy %x : !host on #hetero.device<cpu:0> -> !host on #hetero.device<gpu:0>
  %1 = hetero.copy %0 : !host on #hetero.device<gpu:0> -> !host on #hetero.device<cpu:0>
  return %1 : !host
}

// Unused operands and results go away.
// CHECK-LABEL: func.func @unused
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32, #hetero.device<gpu:0>>, %{{.+}}: f32)
// CHECK: %[[R:.+]] = hetero.execute "r" on #hetero.device<gpu:0> (%[[A:.+]] = %[[X]] : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK-NEXT: %[[E:.+]] = tensor.empty
// CHECK-NEXT: %[[V:.+]] = linalg.exp ins(%[[A]]
// CHECK-NEXT: hetero.yield %[[V]] :
// CHECK: return %[[R]]
func.func @unused(%x: !gpu0, %f: f32) -> !gpu0 {
  %0:2 = hetero.execute "r" on #hetero.device<gpu:0> (%s = %f : f32, %a = %x : !gpu0) -> (!gpu0, !gpu0) {
    %e = tensor.empty() : !host
    %1 = linalg.abs ins(%a : !host) outs(%e : !host) -> !host
    %2 = linalg.exp ins(%a : !host) outs(%e : !host) -> !host
    hetero.yield %1, %2 : !host, !host
  }
  return %0#1 : !gpu0
}

// An operand that is given twice is bound once, a value that is yielded twice
// is one result.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[R:.+]] = hetero.execute "r" on #hetero.device<gpu:0> (%[[A:.+]] = %{{.+}} : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
// CHECK: linalg.add ins(%[[A]], %[[A]]
// CHECK: return %[[R]], %[[R]]
func.func @repeated(%x: !gpu0) -> (!gpu0, !gpu0) {
  %0:2 = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : !gpu0, %b = %x : !gpu0) -> (!gpu0, !gpu0) {
    %e = tensor.empty() : !host
    %1 = linalg.add ins(%a, %b : !host, !host) outs(%e : !host) -> !host
    hetero.yield %1, %1 : !host, !host
  }
  return %0#0, %0#1 : !gpu0, !gpu0
}

// A region that only passes values through is gone.
// CHECK-LABEL: func.func @forwarding
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: return %[[X]]
func.func @forwarding(%x: !gpu0) -> !gpu0 {
  %0 = hetero.execute "r" on #hetero.device<gpu:0> (%a = %x : !gpu0) -> (!gpu0) {
    hetero.yield %a : !host
  }
  return %0 : !gpu0
}

// A region with a side effect stays, even without results.
// CHECK-LABEL: func.func @effect
// CHECK: hetero.execute
func.func private @log(tensor<4xf32>)
func.func @effect(%x: !host) {
  hetero.execute "r" on #hetero.device<cpu:0> (%a = %x : !host) {
    func.call @log(%a) : (!host) -> ()
    hetero.yield
  }
  return
}
