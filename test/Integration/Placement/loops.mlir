// Tensors that loops and branches carry: on the device that works on them, with
// copies where a body changes devices.
//
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=carried_on_gpu --input=4xf32=iota --expected=4xf32=0,8,16,24
// RUN: hetero-run %s --entry=changes_in_for --input=4xf32=iota --expected=4xf32=7,15,23,31
// RUN: hetero-run %s --entry=changes_in_while --input=4xf32=iota --input=index=3 --expected=4xf32=7,15,23,31
// RUN: hetero-run %s --entry=blocks --input=4xf32=iota --input=index=3 --expected=4xf32=0,8,16,24
// RUN: hetero-run %s --entry=one_arm --input=i1=1 --input=4xf32=iota --expected=4xf32=0,2,4,6
// RUN: hetero-run %s --entry=one_arm --input=i1=0 --input=4xf32=iota --expected=4xf32=0,1,2,3

// The loop carries its tensor on the gpu: one copy before, one after.

// CHECK-LABEL: @carried_on_gpu(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[R:.*]] = scf.for {{.*}} -> (tensor<4xf32, #hetero.device<gpu:0>>)
// CHECK-NOT: hetero.copy
// CHECK: }
// CHECK: hetero.copy %[[R]] {{.*}} -> tensor<4xf32>
// CHECK: return
func.func @carried_on_gpu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %0 = arith.addf %y, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A body that works on both devices has one copy each way and no more.

// CHECK-LABEL: @changes_in_for(
// CHECK-NOT: hetero.copy
// CHECK: scf.for {{.*}} -> (tensor<4xf32>)
// CHECK-COUNT-2: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @changes_in_for(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %0 = arith.addf %y, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = arith.addf %0, %one {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @changes_in_while(
// CHECK-NOT: hetero.copy
// CHECK: scf.while
// CHECK: } do {
// CHECK-COUNT-2: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @changes_in_while(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r:2 = scf.while (%y = %x, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %y, %i : tensor<4xf32>, index
  } do {
  ^bb0(%y: tensor<4xf32>, %i: index):
    %0 = arith.addf %y, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %1 = arith.addf %0, %one {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %1, %next : tensor<4xf32>, index
  }
  return %r#0 : tensor<4xf32>
}

// Blocks carry tensors like loops do.

// CHECK-LABEL: @blocks(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: ^bb1(%{{.*}}: tensor<4xf32, #hetero.device<gpu:0>>, %{{.*}}: index)
// CHECK-NOT: hetero.copy
// CHECK: ^bb3
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NEXT: return
func.func @blocks(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %c0 : tensor<4xf32>, index)
^head(%y: tensor<4xf32>, %i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %0 = arith.addf %y, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%0, %next : tensor<4xf32>, index)
^end:
  return %y : tensor<4xf32>
}

// Copies for one arm stand in it: the other needs none.

// CHECK-LABEL: @one_arm(
// CHECK-NOT: hetero.copy
// CHECK: scf.if
// CHECK-COUNT-2: hetero.copy
// CHECK: } else {
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @one_arm(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
