// RUN: hetero-opt %s --split-input-file --hetero-annotate --hetero-erase-unused --hetero-verify --remarks-filter=hetero-erase-unused 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: hetero-opt %s --split-input-file --hetero-pipeline=stop-after=placed | FileCheck %s --check-prefix=PLACED

#gpu = #hetero.device<gpu:0>

// A chain that no result depends on goes to its first operation, whatever is annotated.
// CHECK: hetero.pins = 0
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: math.exp
// CHECK-NEXT: return
// PLACED-LABEL: func.func @chain
// PLACED-NOT: gpu:0
// REMARK: [Passed] unused | {{.*}}Reason="no result depends on it", Remark="'arith.mulf' on gpu:0 is not computed"
func.func @chain(%x: tensor<64xf32>, %y: tensor<64x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %1 = linalg.broadcast ins(%x : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0]
  %2 = arith.addf %1, %y : tensor<64x64xf32>
  %3 = arith.mulf %2, %2 {hetero.device = #gpu} : tensor<64x64xf32>
  %4 = math.exp %x : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// -----

// What a result depends on stays, through values that loops and branches carry.
// CHECK-LABEL: func.func @needed
// PLACED-LABEL: func.func @needed
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[A:.*]] = {{.*}}, %[[B:.*]] = {{.*}})
// CHECK: math.exp %[[B]]
// CHECK: math.sin %[[A]]
func.func @needed(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<64xf32>, tensor<64xf32>) {
    %1 = math.exp %b : tensor<64xf32>
    %2 = math.sin %a : tensor<64xf32>
    scf.yield %1, %2 : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0 : tensor<64xf32>
}

// -----

#gpu = #hetero.device<gpu:0>

// A value that a loop carries only to itself goes, and what makes it.
// CHECK: hetero.pins = 1
// CHECK-LABEL: func.func @carried
// CHECK-NOT: math.{{sin|cos}}
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (tensor<64xf32>)
// CHECK-NOT: ub.poison
// CHECK: scf.yield %{{.*}} : tensor<64xf32>
// CHECK-NEXT: } {hetero.device = #hetero.device<gpu:0>}
func.func @carried(%x: tensor<64xf32>, %y: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = math.cos %y : tensor<64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<64xf32>, tensor<64xf32>) {
    %1 = math.exp %a : tensor<64xf32>
    %2 = math.sin %b {hetero.device = #gpu} : tensor<64xf32>
    scf.yield %1, %2 : tensor<64xf32>, tensor<64xf32>
  } {hetero.device = #gpu}
  return %r#0 : tensor<64xf32>
}

// -----

// A `while` keeps what its condition reads, though no result is it.
// CHECK-LABEL: func.func @while
// CHECK: scf.while (%{{.*}} = %arg0, %[[K:.*]] = %arg2) : (tensor<64xf32>, i32)
// CHECK-NEXT: arith.cmpi slt, %[[K]]
// CHECK-NEXT: scf.condition(%{{.*}}) %{{.*}}, %[[K]]
// CHECK: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.yield
func.func @while(%x: tensor<64xf32>, %y: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %c1 = arith.constant 1 : i32
  %r:3 = scf.while (%a = %x, %b = %y, %k = %n) : (tensor<64xf32>, tensor<64xf32>, i32) -> (tensor<64xf32>, tensor<64xf32>, i32) {
    %c = arith.cmpi slt, %k, %c1 : i32
    %s = math.tanh %b : tensor<64xf32>
    scf.condition(%c) %a, %s, %k : tensor<64xf32>, tensor<64xf32>, i32
  } do {
  ^bb0(%a : tensor<64xf32>, %b : tensor<64xf32>, %k : i32):
    %1 = math.exp %a : tensor<64xf32>
    %2 = math.sin %b : tensor<64xf32>
    %3 = arith.addi %k, %c1 : i32
    scf.yield %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, i32
  }
  return %r#0 : tensor<64xf32>
}

// -----

// Branches make what is read of them; the weights stay.
// CHECK-LABEL: func.func @branches
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (tensor<64xf32>) {
// CHECK-NEXT: math.exp
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {hetero.branch_weights = array<i32: 9, 1>}
// CHECK: scf.index_switch %{{.*}} -> tensor<64xf32>
// CHECK-NOT: math.tan
// CHECK: return
func.func @branches(%x: tensor<64xf32>, %c: i1, %i: index) -> tensor<64xf32> {
  %r:2 = scf.if %c -> (tensor<64xf32>, tensor<64xf32>) {
    %1 = math.exp %x : tensor<64xf32>
    %2 = math.tan %x : tensor<64xf32>
    scf.yield %1, %2 : tensor<64xf32>, tensor<64xf32>
  } else {
    %2 = math.tan %x : tensor<64xf32>
    scf.yield %x, %2 : tensor<64xf32>, tensor<64xf32>
  } {hetero.branch_weights = array<i32: 9, 1>}
  %s:2 = scf.index_switch %i -> tensor<64xf32>, tensor<64xf32>
  case 0 {
    %2 = math.tan %r#0 : tensor<64xf32>
    %3 = math.exp %r#0 : tensor<64xf32>
    scf.yield %2, %3 : tensor<64xf32>, tensor<64xf32>
  } default {
    scf.yield %r#0, %r#0 : tensor<64xf32>, tensor<64xf32>
  }
  return %s#1 : tensor<64xf32>
}

// -----

// Loops and branches without effects go as a whole; an assertion keeps the loop that it is in, and only that.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: cf.assert
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @whole(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<64xf32>) {
    %2 = math.exp %a : tensor<64xf32>
    scf.yield %2 : tensor<64xf32>
  }
  %3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %1) -> (tensor<64xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    cf.assert %c, "in range"
    %4 = math.sin %a : tensor<64xf32>
    scf.yield %4 : tensor<64xf32>
  }
  return %x : tensor<64xf32>
}

// -----

// Arguments of blocks that only lead to themselves go.
// CHECK-LABEL: func.func @blocks
// CHECK: cf.br ^bb1(%{{.*}}, %arg0 : index, tensor<64xf32>)
// CHECK: ^bb1(%{{.*}}: index, %{{.*}}: tensor<64xf32>):
// CHECK-NEXT: math.exp
// CHECK-NOT: math.sin
// CHECK: return
func.func @blocks(%x: tensor<64xf32>, %y: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %x, %y : index, tensor<64xf32>, tensor<64xf32>)
^loop(%i: index, %a: tensor<64xf32>, %b: tensor<64xf32>):
  %1 = math.exp %a : tensor<64xf32>
  %2 = math.sin %b : tensor<64xf32>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %n : index
  cf.cond_br %c, ^loop(%j, %1, %2 : index, tensor<64xf32>, tensor<64xf32>), ^end
^end:
  return %1 : tensor<64xf32>
}

// -----

// Functions that no public one reaches go, and those that only they call, and recursive ones; calls without effects go if nobody reads their results.
// CHECK-LABEL: @uncalled
// CHECK-NOT: func.func private @{{nobody|through|odd|even|pure}}
// CHECK: func.func private @stated
// CHECK-NOT: func.func private @{{nobody|through|odd|even|pure}}
// CHECK: func.func @main
// CHECK-NEXT: call @stated
// CHECK-NEXT: return
module @uncalled {
  ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
  func.func private @nobody(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @through(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @through(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.exp %x : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @odd(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @even(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @odd(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @pure(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.exp %x : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @stated(%x: tensor<4xf32>) -> tensor<4xf32> {
    ml_program.global_store @state = %x : tensor<4xf32>
    return %x : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @pure(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = func.call @stated(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = func.call @pure(%2) : (tensor<4xf32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
}

// -----

// A module without public functions says not what it is for: all stay.
// CHECK-LABEL: func.func private @alone
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func private @alone(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %1 = math.exp %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A private function loses the arguments that nothing reads and the results that no call needs, through several calls; a public one keeps its signature.
// CHECK-LABEL: @signatures
// CHECK: func.func private @inner(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: math.exp
// CHECK-NEXT: return %{{.*}} : tensor<4xf32>
// CHECK: func.func private @outer(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = call @inner(%[[X]]) {hetero.conflict = #hetero.conflict<copy>} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
// CHECK: func.func @main(%[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
// CHECK-NEXT: %[[C:.*]] = call @outer(%[[A]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[C]]
// CHECK: func.func private @down(%{{.*}}: tensor<4xf32>, %{{.*}}: i1) -> tensor<4xf32>
module @signatures {
  func.func private @inner(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = math.sin %y : tensor<4xf32>
    %2 = math.exp %x : tensor<4xf32>
    return %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @outer(%y: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %1:2 = func.call @inner(%x, %y) {hetero.conflict = #hetero.conflict<copy>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %1#1, %1#0 : tensor<4xf32>, tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.cos %y : tensor<4xf32>
    %2:2 = func.call @outer(%1, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %2#0 : tensor<4xf32>
  }
  // What a recursion passes only to itself goes.
  func.func private @down(%x: tensor<4xf32>, %c: i1, %rest: tensor<4xf32>) -> tensor<4xf32> {
    %1 = math.cos %rest : tensor<4xf32>
    %2 = scf.if %c -> tensor<4xf32> {
      %3 = func.call @down(%x, %c, %1) : (tensor<4xf32>, i1, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %2 : tensor<4xf32>
  }
  func.func @recursive(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
    %1 = func.call @down(%x, %c, %x) : (tensor<4xf32>, i1, tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
