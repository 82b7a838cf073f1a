// RUN: hetero-opt %s --hetero-optimize-copies | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-optimize-copies -o %t.once
// RUN: hetero-opt %t.once --hetero-optimize-copies | diff %t.once -
// RUN: hetero-opt %s --hetero-optimize-copies --remarks-filter='hetero-optimize-copies' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = tensor<4xf32>
!gpu0 = tensor<4xf32, #gpu0>
!gpu1 = tensor<4xf32, #gpu1>

// CHECK: module attributes {hetero.phase = #hetero.phase<"copies-optimized">}

// Acts: the second copy of a value to a device is the first.
// CHECK-LABEL: func.func @duplicate
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[A]]
// CHECK-NEXT: return %[[C]], %[[C]]
// REMARK-DAG: remark: [Passed] merged with an earlier one {{.*}}copy of %arg0 of @duplicate from cpu:0 to gpu:0
func.func @duplicate(%a: !host) -> (!gpu0, !gpu0) {
  %0 = hetero.copy %a : !host -> !gpu0
  %1 = hetero.copy %a : !host -> !gpu0
  return %0, %1 : !gpu0, !gpu0
}

// Acts: a chain of copies starts where the value is; hops nobody reads go.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[A]] {hetero.value = "a"} : tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: return %[[C]]
// REMARK-DAG: remark: [Passed] chain shortened
// REMARK-DAG: remark: [Passed] unused copy removed
func.func @chain(%a: !gpu0) -> !gpu1 {
  %0 = hetero.copy %a {hetero.value = "a"} : !gpu0 -> !host
  %1 = hetero.copy %0 : !host -> !gpu1
  return %1 : !gpu1
}

// Acts: a value that comes back is the value that left.
// CHECK-LABEL: func.func @round_trip
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: return %[[A]]
// REMARK-DAG: remark: [Passed] round trip removed
func.func @round_trip(%a: !host) -> !host {
  %0 = hetero.copy %a : !host -> !gpu0
  %1 = hetero.copy %0 : !gpu0 -> !gpu1
  %2 = hetero.copy %1 : !gpu1 -> !host
  return %2 : !host
}

// Acts: a copy that nobody reads goes.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%a: !host) {
  %0 = hetero.copy %a : !host -> !gpu0
  return
}

// Must not act: copies of different values, or to different devices.
// CHECK-LABEL: func.func @needed
// CHECK-COUNT-3: hetero.copy
// CHECK: return
func.func @needed(%a: !host, %b: !host) -> (!gpu0, !gpu1, !gpu0) {
  %0 = hetero.copy %a : !host -> !gpu0
  %1 = hetero.copy %a : !host -> !gpu1
  %2 = hetero.copy %b : !host -> !gpu0
  return %0, %1, %2 : !gpu0, !gpu1, !gpu0
}

// Already done: one copy per value and device, read twice.
// CHECK-LABEL: func.func @already_done
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[A]]
// CHECK-NEXT: return %[[C]], %[[C]]
func.func @already_done(%a: !host) -> (!gpu0, !gpu0) {
  %0 = hetero.copy %a : !host -> !gpu0
  return %0, %0 : !gpu0, !gpu0
}

// Conflict: the host and another device want the value; both copies read it.
// CHECK-LABEL: func.func @fork
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: %[[H:.+]] = hetero.copy %[[A]] : {{.*}} -> tensor<4xf32>
// CHECK-NEXT: %[[D:.+]] = hetero.copy %[[A]] : {{.*}} -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: return %[[H]], %[[D]]
func.func @fork(%a: !gpu0) -> (!host, !gpu1) {
  %0 = hetero.copy %a : !gpu0 -> !host
  %1 = hetero.copy %0 : !host -> !gpu1
  return %0, %1 : !host, !gpu1
}

// Control flow: a copy of a value from outside leaves all loops around it.
// CHECK-LABEL: func.func @loops
// CHECK: hetero.copy
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NOT: hetero.copy
// CHECK: return
// REMARK-DAG: remark: [Passed] hoisted {{.*}}
func.func @loops(%a: !host, %i: !gpu0, %m: index, %n: index) -> !gpu0 {
  %r = scf.for %x = %m to %n step %n iter_args(%it = %i) -> !gpu0 {
    %q = scf.for %y = %m to %n step %n iter_args(%jt = %it) -> !gpu0 {
      %0 = hetero.copy %a : !host -> !gpu0
      %1 = linalg.add ins(%0, %jt : !gpu0, !gpu0) outs(%jt : !gpu0) -> !gpu0
      scf.yield %1 : !gpu0
    }
    scf.yield %q : !gpu0
  }
  return %r : !gpu0
}

// Control flow: a copy of what the loop itself computes stays.
// CHECK-LABEL: func.func @loop_carried
// CHECK: scf.for
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: scf.yield
func.func @loop_carried(%a: !host, %n: index) -> !host {
  %r = scf.for %x = %n to %n step %n iter_args(%it = %a) -> !host {
    %0 = hetero.copy %it : !host -> !gpu0
    %1 = linalg.exp ins(%0 : !gpu0) outs(%0 : !gpu0) -> !gpu0
    %2 = hetero.copy %1 : !gpu0 -> !host
    scf.yield %2 : !host
  }
  return %r : !host
}

// Control flow: copies in both arms become one above the if; a copy in one arm
// alone stays there.
// CHECK-LABEL: func.func @arms
// CHECK-SAME: (%{{.+}}: i1, %[[A:.+]]: tensor<4xf32>, %[[B:.+]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[A]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield %[[C]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[D:.+]] = hetero.copy %[[B]]
// CHECK-NEXT: linalg.add {{.*}}ins(%[[C]], %[[D]]
func.func @arms(%p: i1, %a: !host, %b: !host) -> !gpu0 {
  %r = scf.if %p -> !gpu0 {
    %0 = hetero.copy %a : !host -> !gpu0
    scf.yield %0 : !gpu0
  } else {
    %0 = hetero.copy %a : !host -> !gpu0
    %1 = hetero.copy %b : !host -> !gpu0
    %2 = linalg.add ins(%0, %1 : !gpu0, !gpu0) outs(%0 : !gpu0) -> !gpu0
    scf.yield %2 : !gpu0
  }
  return %r : !gpu0
}

// Control flow: copies in two of three arms stay, since that costs less than one
// above, but the second one in an arm goes.
// CHECK-LABEL: func.func @some_arms
// CHECK: scf.index_switch
// CHECK: case 0 {
// CHECK-NEXT: %[[C:.+]] = hetero.copy
// CHECK-NEXT: linalg.add {{.*}}ins(%[[C]], %[[C]]
// CHECK: case 1 {
// CHECK-NEXT: %[[D:.+]] = hetero.copy
// CHECK-NEXT: scf.yield %[[D]]
// CHECK: default {
// CHECK-NEXT: scf.yield
func.func @some_arms(%n: index, %a: !host, %b: !gpu0) -> !gpu0 {
  %r = scf.index_switch %n -> !gpu0
  case 0 {
    %0 = hetero.copy %a : !host -> !gpu0
    %1 = hetero.copy %a : !host -> !gpu0
    %2 = linalg.add ins(%0, %1 : !gpu0, !gpu0) outs(%0 : !gpu0) -> !gpu0
    scf.yield %2 : !gpu0
  }
  case 1 {
    %0 = hetero.copy %a : !host -> !gpu0
    scf.yield %0 : !gpu0
  }
  default {
    scf.yield %b : !gpu0
  }
  return %r : !gpu0
}

// Call: what a callee returns is a new value; nothing is known of its copies.
// CHECK-LABEL: func.func @call
// CHECK: hetero.copy
// CHECK-NEXT: call
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: return
func.func private @callee(!gpu0) -> !gpu0
func.func @call(%a: !host) -> !host {
  %0 = hetero.copy %a : !host -> !gpu0
  %1 = call @callee(%0) : (!gpu0) -> !gpu0
  %2 = hetero.copy %1 : !gpu0 -> !host
  return %2 : !host
}

// REMARK: remark: [Analysis] summary {{.*}}chains={{[0-9]+}}, duplicates=3, hoisted=2
