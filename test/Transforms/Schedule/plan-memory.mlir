// RUN: hetero-opt %s --hetero-plan-memory --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-plan-memory -o %t.once
// RUN: hetero-opt %t.once --hetero-plan-memory | diff %t.once -

#gpu0 = #hetero.device<gpu:0>
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>

// CHECK: module attributes {hetero.phase = #hetero.phase<planned>}
module attributes {hetero.phase = #hetero.phase<scheduled>} {

// Acts: memory of a device is freed after its last use, since the stream keeps
// the order; memory of the host after its last use, too.
// CHECK-LABEL: func.func @acts
// CHECK: %[[D:.+]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[H:.+]] = memref.alloc() : memref<4xf32>
// CHECK: memref.copy %[[D]], %[[H]]
// CHECK-NEXT: memref.dealloc %[[D]]
// CHECK-NEXT: hetero.wait
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK-NEXT: return
func.func @acts(%x: !host) {
  %d = memref.alloc() : !gpu0
  memref.copy %x, %d : !host to !gpu0
  linalg.exp ins(%d : !gpu0) outs(%d : !gpu0)
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host
  hetero.wait on #gpu0
  linalg.exp ins(%h : !host) outs(%h : !host)
  return
}

// Acts: what a device sends to the host is there after the wait, not before, and
// nothing else needs that memory.
// CHECK-LABEL: func.func @awaited
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[D:[a-z0-9]+]]: memref
// CHECK: %[[H:.+]] = memref.alloc() : memref<4xf32>
// CHECK: memref.copy %[[D]], %[[H]]
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:1>
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: hetero.wait on #hetero.device<gpu:0>
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK-NEXT: linalg.exp
func.func @awaited(%x: !host, %d: !gpu0) {
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host
  hetero.wait on #hetero.device<gpu:1>
  linalg.exp ins(%x : !host) outs(%x : !host)
  hetero.wait on #gpu0
  linalg.exp ins(%x : !host) outs(%x : !host)
  return
}

// Acts: memory is allocated before its first use, wherever that is.
// CHECK-LABEL: func.func @late
// CHECK: linalg.exp
// CHECK-NEXT: %[[D:.+]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: scf.for
// CHECK: memref.dealloc %[[D]]
func.func @late(%x: !host, %y: !gpu0, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = memref.alloc() : !gpu0
  linalg.exp ins(%x : !host) outs(%x : !host)
  scf.for %i = %zero to %n step %one {
    linalg.exp ins(%y : !gpu0) outs(%d : !gpu0)
    linalg.exp ins(%d : !gpu0) outs(%y : !gpu0)
  }
  return
}

// Acts: a copy to a device has read memory of the host when it is enqueued.
// CHECK-LABEL: func.func @sent
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[D:[a-z0-9]+]]: memref
// CHECK: %[[H:.+]] = memref.alloc() : memref<4xf32>
// CHECK: memref.copy %[[H]], %[[D]]
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK-NEXT: linalg.exp
func.func @sent(%x: !host, %d: !gpu0) {
  %h = memref.alloc() : !host
  linalg.exp ins(%x : !host) outs(%h : !host)
  memref.copy %h, %d : !host to !gpu0
  linalg.exp ins(%x : !host) outs(%x : !host)
  return
}

// Acts: what a call returns is its caller's, and freed like what that allocates.
// CHECK-LABEL: func.func @call_result
// CHECK: %[[R:.+]] = call @result
// CHECK: linalg.exp
// CHECK: %[[BASE:.+]], %{{.+}}, %{{.+}}, %{{.+}} = memref.extract_strided_metadata %[[R]]
// CHECK-NEXT: memref.dealloc %[[BASE]]
// CHECK-NEXT: return
func.func @call_result(%x: !host) {
  %0 = call @result(%x) : (!host) -> !host
  linalg.exp ins(%0 : !host) outs(%x : !host)
  return
}

// Must not act: a result leaves the function.
// CHECK-LABEL: func.func @result
// CHECK: %[[M:.+]] = memref.alloc()
// CHECK-NOT: dealloc
// CHECK: return %[[M]]
func.func @result(%x: !host) -> !host {
  %0 = memref.alloc() : !host
  linalg.exp ins(%x : !host) outs(%0 : !host)
  return %0 : !host
}

// Must not act: arguments belong to the caller.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: dealloc
// CHECK: return
func.func @argument(%x: !gpu0) {
  linalg.exp ins(%x : !gpu0) outs(%x : !gpu0)
  return
}

// Conflict: a result that would be the caller's own memory is a copy of it, in
// the same memory.
// CHECK-LABEL: func.func @returned_argument
// CHECK-SAME: (%[[X:.+]]: memref<4xf32, #hetero.device<gpu:0>>)
// CHECK: %[[M:.+]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: memref.copy %[[X]], %[[M]]
// CHECK: return %[[M]]
func.func @returned_argument(%x: !gpu0) -> !gpu0 {
  return %x : !gpu0
}

// Control flow: what a loop allocates in an iteration is freed there or handed
// to the next one.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK: %[[M:.+]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: linalg.exp
// CHECK: memref.dealloc %[[M]]
// CHECK: }
// CHECK-NOT: dealloc
// CHECK: return
func.func @control_flow(%n: index, %x: !gpu0) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : !gpu0
    linalg.exp ins(%x : !gpu0) outs(%0 : !gpu0)
    linalg.exp ins(%0 : !gpu0) outs(%x : !gpu0)
  }
  return
}

// Call: the caller owns what a private function returns.
// CHECK-LABEL: func.func @caller
// CHECK: %[[R:.+]] = call @callee
// CHECK: %[[B:[^,]+]], {{.*}} = memref.extract_strided_metadata %[[R]]
// CHECK: memref.dealloc %[[B]]
// CHECK: return
func.func private @callee(%x: !host) -> !host {
  %0 = memref.alloc() : !host
  linalg.exp ins(%x : !host) outs(%0 : !host)
  return %0 : !host
}
func.func @caller(%x: !host, %y: !host) {
  %0 = call @callee(%x) : (!host) -> !host
  linalg.exp ins(%0 : !host) outs(%y : !host)
  return
}

// Control flow: what a branch yields is the buffer under another name, which is
// freed after its last use.
// CHECK-LABEL: func.func @branch
// CHECK: %[[D:.+]] = memref.alloc() : memref<4xf32, #hetero.device<gpu:0>>
// CHECK: scf.if
// CHECK-NOT: memref.dealloc %[[D]]
// CHECK: linalg.exp
// CHECK: memref.dealloc %[[D]]
// CHECK: return
func.func @branch(%x: !host, %p: i1) {
  %d = memref.alloc() : !gpu0
  memref.copy %x, %d : !host to !gpu0
  %0 = scf.if %p -> (memref<2xf32, strided<[1], offset: ?>, #gpu0>) {
    %1 = memref.subview %d[0] [2] [1] : !gpu0 to memref<2xf32, strided<[1]>, #gpu0>
    %2 = memref.cast %1 : memref<2xf32, strided<[1]>, #gpu0> to memref<2xf32, strided<[1], offset: ?>, #gpu0>
    scf.yield %2 : memref<2xf32, strided<[1], offset: ?>, #gpu0>
  } else {
    %1 = memref.subview %d[2] [2] [1] : !gpu0 to memref<2xf32, strided<[1], offset: 2>, #gpu0>
    %2 = memref.cast %1 : memref<2xf32, strided<[1], offset: 2>, #gpu0> to memref<2xf32, strided<[1], offset: ?>, #gpu0>
    scf.yield %2 : memref<2xf32, strided<[1], offset: ?>, #gpu0>
  }
  %h = memref.alloc() : memref<2xf32>
  linalg.exp ins(%0 : memref<2xf32, strided<[1], offset: ?>, #gpu0>) outs(%0 : memref<2xf32, strided<[1], offset: ?>, #gpu0>)
  memref.copy %0, %h : memref<2xf32, strided<[1], offset: ?>, #gpu0> to memref<2xf32>
  hetero.wait on #gpu0
  linalg.exp ins(%h : memref<2xf32>) outs(%h : memref<2xf32>)
  return
}
}
