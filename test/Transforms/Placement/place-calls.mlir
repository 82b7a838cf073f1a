// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-materialize-copies --hetero-verify --hetero-optimize-copies | FileCheck %s --check-prefix=COPIES

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>

// Calls with tensors on different devices get a clone each, whose signature is
// where the tensors are, so that nothing is copied.

// CHECK-LABEL: func.func @two_signatures
// CHECK: call @negate(
// CHECK: call @negate_0(
// CHECK: func.func private @negate(%{{.+}}: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
// CHECK: linalg.negf {hetero.device = #hetero.device<cpu:0>
// CHECK: func.func private @negate_0(%{{.+}}: tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>}) {
// CHECK: linalg.negf {hetero.device = #hetero.device<gpu:0>
// COPIES-LABEL: func.func @two_signatures
// COPIES-NOT: hetero.copy
// COPIES: return
func.func @two_signatures(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32> {hetero.device = #gpu0}) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32> {hetero.device = #gpu0}) {
  %0 = func.call @negate(%a) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = func.call @negate(%b) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0, %1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
func.func private @negate(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %0 = linalg.negf ins(%a : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Calls that come out alike keep one function between them.

// CHECK-LABEL: func.func @one_signature
// CHECK: call @exp(
// CHECK: call @exp(
// CHECK: func.func private @exp(%{{.+}}: tensor<4xf32>)
// CHECK-NOT: func.func
func.func @one_signature(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @exp(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @exp(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Clones of callers need clones of callees: two calls each make four, and two
// are left.

// CHECK-LABEL: func.func @nested
// CHECK: call @outer(
// CHECK: call @outer_0(
// CHECK: func.func private @outer(
// CHECK: call @inner(
// CHECK: func.func private @outer_0(%{{.+}}: tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>})
// CHECK: call @[[INNER:inner_[0-9]+]](
// CHECK: func.func private @inner(%{{.+}}: tensor<1024x1024xf32>)
// CHECK: func.func private @[[INNER]](%{{.+}}: tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>})
// CHECK-NOT: func.func
func.func @nested(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %0 = func.call @outer(%a) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = func.call @outer(%b) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0, %1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
func.func private @outer(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = func.call @inner(%a) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
func.func private @inner(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %0 = linalg.negf ins(%a : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// A function that calls itself has one signature for all calls.

// CHECK-LABEL: func.func @recursive
// CHECK: call @countdown(
// CHECK: func.func private @countdown(
// CHECK: call @countdown(
// CHECK-NOT: func.func
func.func @recursive(%a: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %0 = func.call @countdown(%a, %n) : (tensor<4xf32>, i32) -> tensor<4xf32>
  %1 = func.call @countdown(%0, %n) : (tensor<4xf32>, i32) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @countdown(%a: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  %r = scf.if %p -> tensor<4xf32> {
    %m = arith.subi %n, %c1 : i32
    %0 = func.call @countdown(%a, %m) : (tensor<4xf32>, i32) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A public function keeps its signature, whoever calls it.

// CHECK-LABEL: func.func @caller
// CHECK: call @public(
// CHECK: call @public(
// CHECK: func.func @public(%{{.+}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NOT: func.func
func.func @caller(%a: tensor<4xf32>, %b: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @public(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @public(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @public(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

#gpu0 = #hetero.device<gpu:0>

// What a recursion does counts like the body of a loop, also where two functions
// call each other: their signatures are where they compute, and the caller has
// the copies.

// CHECK-LABEL: func.func @recursive_on_device
// CHECK-LABEL: func.func private @ping(
// CHECK-SAME: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:0>})
// CHECK-LABEL: func.func private @pong(
// CHECK-SAME: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:0>})
// COPIES-LABEL: func.func @recursive_on_device
// COPIES-COUNT-2: hetero.copy
// COPIES-NOT: hetero.copy
func.func @recursive_on_device(%n: i32, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @ping(%n, %a) : (i32, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @ping(%n: i32, %a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  %r = scf.if %p -> tensor<4xf32> {
    %m = arith.subi %n, %c1 : i32
    %0 = arith.addf %a, %a {hetero.device = #gpu0} : tensor<4xf32>
    %1 = func.call @pong(%m, %0) : (i32, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func private @pong(%n: i32, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %a, %a {hetero.device = #gpu0} : tensor<4xf32>
  %1 = func.call @ping(%n, %0) : (i32, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
