// RUN: hetero-opt %s --hetero-codegen --cse --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-codegen --hetero-codegen --cse --hetero-verify | FileCheck %s -enable-var-scope

// The second run shows what is already done: no comparison is inserted twice.

!host = tensor<?xf32>

module attributes {hetero.phase = #hetero.phase<partitioned>} {

// Control flow: a region in a branch is checked in the branch, so that a
// mismatch in the arm that does not run is no error.
// CHECK-LABEL: func.func @branch
// CHECK-NOT: cf.assert
// CHECK: scf.if
// CHECK: %[[EQUAL:.+]] = arith.cmpi eq
// CHECK: cf.assert %[[EQUAL]], "expected equal sizes in linalg.add
// CHECK-NEXT: hetero.execute "branch_cpu0_0"
// CHECK: } else {
// CHECK-NOT: cf.assert
// CHECK: return
func.func @branch(%p: i1, %x: !host, %y: !host) -> !host {
  %0 = scf.if %p -> !host {
    %1 = hetero.execute "branch_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host, %b = %y : !host) -> (!host) {
      %2 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
      hetero.yield %2 : tensor<?xf32>
    }
    scf.yield %1 : !host
  } else {
    scf.yield %x : !host
  }
  return %0 : !host
}

// Control flow: a region in a loop is checked in each iteration, since what the
// loop carries may change its size.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.+]] = %{{.+}})
// CHECK: tensor.dim %[[CARRIED]]
// CHECK: cf.assert
// CHECK: hetero.execute "loop_cpu0_0"
func.func @loop(%n: index, %x: !host, %y: !host) -> (!host) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (!host) {
    %1 = hetero.execute "loop_cpu0_0" on #hetero.device<cpu:0> (%a = %c : !host, %b = %y : !host) -> (!host) {
      %2 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
      hetero.yield %2 : tensor<?xf32>
    }
    scf.yield %1 : !host
  }
  return %0 : !host
}

// Control flow: sizes that only a loop inside of the region knows are left to
// the region; the region's own operands are compared before it.
// CHECK-LABEL: func.func @inside
// CHECK: cf.assert
// CHECK: hetero.execute "inside_cpu0_0"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @inside(%x: !host, %y: !host) -> !host {
  %0 = hetero.execute "inside_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host, %b = %y : !host) -> (!host) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a) -> (tensor<?xf32>) {
      %2 = linalg.add ins(%c, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %2 : tensor<?xf32>
    }
    %3 = linalg.sub ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %3 : tensor<?xf32>
  }
  return %0 : !host
}

// Call: the size of what a callee returns is compared in the caller, and the
// callee compares its own arguments.
// CHECK-LABEL: func.func private @callee
// CHECK: cf.assert
// CHECK: hetero.execute "callee_cpu0_0"
func.func private @callee(%x: !host, %y: !host) -> !host {
  %0 = hetero.execute "callee_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host, %b = %y : !host) -> (!host) {
    %1 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %1 : tensor<?xf32>
  }
  return %0 : !host
}

// CHECK-LABEL: func.func @caller
// CHECK: %[[RETURNED:.+]] = call @callee
// CHECK: tensor.dim %[[RETURNED]]
// CHECK: cf.assert
// CHECK: hetero.execute "caller_cpu0_0"
func.func @caller(%x: !host, %y: !host, %z: !host) -> !host {
  %0 = call @callee(%x, %y) : (!host, !host) -> !host
  %1 = hetero.execute "caller_cpu0_0" on #hetero.device<cpu:0> (%a = %0 : !host, %b = %z : !host) -> (!host) {
    %2 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    hetero.yield %2 : tensor<?xf32>
  }
  return %1 : !host
}

// Conflict: of several sizes that meet, static ones too, each is compared with
// the first, and each message names the operand that differs.
// CHECK-LABEL: func.func @conflict
// CHECK-DAG: %[[FIRST:.+]] = tensor.dim %arg0,
// CHECK-DAG: %[[SECOND:.+]] = tensor.dim %arg1,
// CHECK: arith.cmpi eq, %[[FIRST]], %[[SECOND]]
// CHECK: cf.assert {{.*}} operand 1 differs
// CHECK: %[[FOUR:.+]] = arith.constant 4 : index
// CHECK: arith.cmpi eq, %[[FIRST]], %[[FOUR]]
// CHECK: cf.assert {{.*}} operand 2 differs
// CHECK: hetero.execute
func.func @conflict(%x: !host, %y: !host) -> tensor<4xf32> {
  %0 = hetero.execute "conflict_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host, %b = %y : !host) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
}
