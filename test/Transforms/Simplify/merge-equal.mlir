// RUN: hetero-opt %s --hetero-merge-equal | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-merge-equal --hetero-merge-equal | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-merge-equal --remarks-filter=hetero-merge-equal -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --hetero-merge-equal --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NAMES
// RUN: hetero-opt %s --hetero-pipeline=stop-after=placed 2>&1 | FileCheck %s --check-prefix=PLACED

// REMARK: [Passed] merged | {{.*}} Remark="'math.exp' is computed once"
// REMARK: [Analysis] summary | Category:hetero-merge-equal | merged=6, unused=2

// No annotation is missing when the program is placed.
// PLACED-NOT: {{error|warning}}
// PLACED: hetero.phase<placed>, hetero.pins = 3 : i64

// Acts: equal chains are one, and what nobody reads is gone. What stays has the
// names of both.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT:    %[[EXP:.*]] = math.exp
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[EXP]], %[[EXP]]
// CHECK-NEXT:    return %[[SUM]], %[[SUM]]
// NAMES-LABEL: func.func @equal
// NAMES-NEXT:    math.exp {{.*}}loc(fused["a", "b"])
func.func @equal(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32> loc("a")
  %1 = math.exp %x : tensor<4xf32> loc("b")
  %2 = arith.addf %0, %0 : tensor<4xf32>
  %3 = arith.addf %1, %1 : tensor<4xf32>
  %4 = math.sin %1 : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// Must not act: they differ, or each has an effect.
// CHECK-LABEL: func.func @different
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    math.exp2
// CHECK-NEXT:    call @print
// CHECK-NEXT:    call @print
func.func private @print(tensor<4xf32>)
func.func @different(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.exp2 %x : tensor<4xf32>
  call @print(%x) : (tensor<4xf32>) -> ()
  call @print(%x) : (tensor<4xf32>) -> ()
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Conflict: what is annotated is computed on each of the devices, and apart from
// what is not; once on one device. An annotated value that nobody reads goes too.
// CHECK-LABEL: func.func @devices
// CHECK-NEXT:    %[[ANY:.*]] = math.exp %{{.*}} : tensor<4xf32>
// CHECK-NEXT:    %[[FIRST:.*]] = math.exp %{{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK-NEXT:    %[[SECOND:.*]] = math.exp %{{.*}} {hetero.device = #hetero.device<gpu:1>}
// CHECK-NEXT:    return %[[ANY]], %[[FIRST]], %[[SECOND]], %[[FIRST]]
func.func @devices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = math.exp %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  %3 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %4 = math.sin %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Control flow: what is computed before it, or before a loop, is not computed in
// it again; but an annotation of the if holds for what is in it, which is equal
// to what has the same one.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    %[[ANY:.*]] = math.exp %{{.*}} : tensor<4xf32>
// CHECK-NEXT:    %[[ON:.*]] = math.exp %{{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      %[[INNER:.*]] = math.exp %{{.*}} : tensor<4xf32>
// CHECK-NEXT:      scf.yield %[[INNER]]
// CHECK:         } {hetero.device = #hetero.device<gpu:1>}
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      scf.yield %[[ON]]
// CHECK:         } {hetero.device = #hetero.device<gpu:0>}
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      scf.yield %[[ANY]]
func.func @branches(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = scf.if %c -> tensor<4xf32> {
    %5 = math.exp %x : tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.device = #hetero.device<gpu:1>}
  %3 = scf.if %c -> tensor<4xf32> {
    %5 = math.exp %x : tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {hetero.device = #hetero.device<gpu:0>}
  %4 = scf.if %c -> tensor<4xf32> {
    %5 = math.exp %x : tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Call: each call stays, and reads what is computed once.
// CHECK-LABEL: func.func @calls
// CHECK-NEXT:    %[[EXP:.*]] = math.exp
// CHECK-NEXT:    call @print(%[[EXP]])
// CHECK-NEXT:    call @print(%[[EXP]])
func.func @calls(%x: tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  call @print(%0) : (tensor<4xf32>) -> ()
  %1 = math.exp %x : tensor<4xf32>
  call @print(%1) : (tensor<4xf32>) -> ()
  return
}
