// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s -enable-var-scope

// An operation between two devices goes where fewer bytes are copied: the
// result is wanted on the host.

// CHECK: module attributes {hetero.phase = #hetero.phase<placed>}
// CHECK-LABEL: @shared_operand
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>, hetero.origin = "pinned"}
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
// CHECK: linalg.sub {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
func.func @shared_operand(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>, %c: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %0 = linalg.add {hetero.device = #hetero.device<cpu>} ins(%a, %b : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %1 = linalg.add {hetero.device = #hetero.device<gpu:0>} ins(%b, %c : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %2 = linalg.sub ins(%0, %1 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %2 : tensor<5x7xf32>
}

// -----

// Elementwise operations of other dialects are placed like linalg.

// CHECK-LABEL: @arith
// CHECK: arith.addf {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
// CHECK: arith.subf {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
func.func @arith(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<gpu>} : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = arith.subf %0, %1 {hetero.device = #hetero.device<gpu>} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Nothing annotated: everything stays on the host.

// CHECK-LABEL: @nothing_annotated
// CHECK-NOT: gpu
func.func @nothing_annotated(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %a : tensor<8xf32>
  %1 = arith.addf %0, %a : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Scalars and shape queries are the host's, and say so.

// CHECK-LABEL: @scalars
// CHECK: arith.constant {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: no tensors"} 0 : index
// CHECK: tensor.dim {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: tensor.dim is a shape query, which the host answers"}
// CHECK: tensor.empty({{.*}}) {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
func.func @scalars(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) {hetero.device = #hetero.device<gpu:0>} : tensor<?xf32>
  %0 = linalg.exp {hetero.device = #hetero.device<gpu:0>} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// What an earlier run decided stands, with its origin.

// CHECK-LABEL: @already_placed
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 7"}
// CHECK: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:1>, hetero.origin = "cost"}
module attributes {hetero.phase = #hetero.phase<placed>, hetero.pins = 5 : i64} {
  func.func @already_placed(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = math.exp %a {hetero.device = #hetero.device<gpu:1>, hetero.origin = "rule 7"} : tensor<8xf32>
    %1 = math.sqrt %0 {hetero.device = #hetero.device<gpu:1>, hetero.origin = "cost"} : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// A device without an ordinal is the neighbours' if it can be, else the first
// of its kind; so is a unit, where one of the device has one.

// CHECK-LABEL: @partial
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:1, unit = "u">
// CHECK: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:1, unit = "u", codegen = "c">
// CHECK: math.tanh {{.*}} {hetero.device = #hetero.device<gpu:0>
func.func @partial(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = math.exp %a {hetero.device = #hetero.device<gpu:1>} : tensor<8xf32>
  %1 = math.sqrt %0 {hetero.device = #hetero.device<gpu, unit = "u", codegen = "c">} : tensor<8xf32>
  %2 = math.tanh %b {hetero.device = #hetero.device<gpu>} : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The control of a loop is the host's; its annotation is the default for the
// operations inside, which an annotation inside overrides. What the loop and the
// branch pass is where that costs least.

// CHECK-LABEL: @control_flow
// CHECK: scf.for
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned at {{.*}}"}
// CHECK: scf.if
// CHECK: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:0>
// CHECK: math.tanh {{.*}} {hetero.device = #hetero.device<cpu:0>
// CHECK: } {hetero.carried = [#hetero.device<gpu:0>], hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: control flow"}
// CHECK: } {hetero.carried = [#hetero.device<gpu:0>], hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: control flow"}
func.func @control_flow(%a: tensor<8xf32>, %n: index, %p: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8xf32> {
    %0 = math.exp %x : tensor<8xf32>
    %1 = scf.if %p -> tensor<8xf32> {
      %2 = math.sqrt %0 : tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    } else {
      %3 = math.tanh %0 {hetero.device = #hetero.device<cpu>} : tensor<8xf32>
      scf.yield %3 : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  } {hetero.device = #hetero.device<gpu:0>}
  return %r : tensor<8xf32>
}

// -----

// Bodies of linalg operations are left alone.

// CHECK-LABEL: @body
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp %{{.*}} : f32
func.func @body(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = math.exp %x : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A call is made by the host; its operands go where the callee's signature
// wants them, which draws their producers there.

// CHECK-LABEL: @callee
// CHECK-SAME: %{{.*}}: tensor<8xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<8xf32> {hetero.device = #hetero.device<gpu:0>})
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
func.func private @callee(%a: tensor<8xf32> {hetero.device = #hetero.device<gpu>}) -> (tensor<8xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @caller
// CHECK: math.absf {{.*}} {hetero.device = #hetero.device<gpu:0>
// CHECK: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
// CHECK: call @callee({{.*}}) {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: func.call is a call, which the host makes"}
func.func @caller(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.absf %a {hetero.device = #hetero.device<gpu:0>} : tensor<8xf32>
  %1 = math.sqrt %0 : tensor<8xf32>
  %2 = call @callee(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Constants and fills are made where they are used, and draw nobody.

// CHECK-LABEL: @replicable
// CHECK: arith.constant {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"} dense
// CHECK: linalg.fill {hetero.device = #hetero.device<gpu:0>, hetero.origin = "cost"}
// CHECK: linalg.matmul {hetero.device = #hetero.device<gpu:0>
func.func @replicable(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %cst = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%a, %cst : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A copy that the user wrote pins both ends.

// CHECK-LABEL: @user_copy
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned at {{.*}}"}
// CHECK: hetero.copy {{.*}} {hetero.device = #hetero.device<gpu:1>, hetero.origin = "pinned"}
// CHECK: math.sqrt {{.*}} {hetero.device = #hetero.device<gpu:1>, hetero.origin = "pinned at {{.*}}"}
func.func @user_copy(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %a : tensor<8xf32>
  %1 = hetero.copy %0 : tensor<8xf32> on #hetero.device<gpu:0> -> tensor<8xf32> on #hetero.device<gpu:1>
  %2 = math.sqrt %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// What stands in a parallel loop is the host's.

// CHECK-LABEL: @parallel
// CHECK: scf.forall
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<cpu:0>, hetero.origin = "host: math.exp is in a parallel loop, which the host runs"}
func.func @parallel(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = scf.forall (%i) in (4) shared_outs(%o = %e) -> tensor<4x8xf32> {
    %s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %1 = math.exp %s : tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// A rule for control flow is the origin of what stands inside.

// CHECK-LABEL: @rule_around
// CHECK: math.exp {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 4"}
func.func @rule_around(%a: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %0 = scf.if %p -> tensor<8xf32> {
    %1 = math.exp %a : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  } {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 4"}
  return %0 : tensor<8xf32>
}

// -----

// A kernel that is already outlined, and a region that is already on its
// device, are not entered.

// CHECK-LABEL: gpu.func @kernel
// CHECK-NEXT: arith.constant 1.0
// CHECK-LABEL: @outlined
// CHECK: hetero.execute "main" on #hetero.device<gpu:0>
// CHECK-SAME: attributes {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned"}
// CHECK-NEXT: math.exp %{{[a-z0-9]+}} : tensor<8xf32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel() kernel {
      %0 = arith.constant 1.0 : f32
      gpu.return
    }
  }
  func.func @outlined(%a: tensor<8xf32, #hetero.device<gpu:0>>) -> tensor<8xf32, #hetero.device<gpu:0>> {
    %0 = hetero.execute "main" on #hetero.device<gpu:0> (%x = %a : tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>>) {
      %1 = math.exp %x : tensor<8xf32>
      hetero.yield %1 : tensor<8xf32>
    }
    return %0 : tensor<8xf32, #hetero.device<gpu:0>>
  }
}
