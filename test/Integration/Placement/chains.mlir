// Chains: alternating devices, neighbours that cost pulls together, transfers
// that the user wrote.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=convolutions --input=1x1x4x4xf32=1 --input=1x1x2x2xf32=1 --expected=1x1x2x2xf32=32
// RUN: hetero-run %s --entry=tuple --input=4xf32=iota --expected=4xf32=0,8,16,24
// RUN: hetero-run %s --entry=zig_zag --input=4xf32=iota --expected=4xf32=0,64,128,192
// RUN: hetero-run %s --entry=transfers --input=4xf32=iota --expected=4xf32=0,2,4,6
// RUN: hetero-run %s --entry=cycle --input=4xf32=iota --expected=4xf32=0,4,8,12
// RUN: hetero-run %s --entry=argument_on_cpu --input=4xf32=iota --input=4xf32=1 --expected=4xf32=0,2,4,6

// Two convolutions on the host, a sum on the gpu, a convolution on the host,
// and one weight for all of them: the weight does not move.

// CHECK-LABEL: @convolutions(
// CHECK-SAME: %[[X:[^:]*]]: {{[^,]*}}, %[[W:[^:]*]]:
// CHECK-NOT: hetero.copy %[[W]]
// CHECK: hetero.copy %{{.*}} -> tensor<1x1x3x3xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %{{.*}} -> tensor<1x1x3x3xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %{{.*}} -> tensor<1x1x3x3xf32>
// CHECK-NOT: hetero.copy
// CHECK: func
func.func @convolutions(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x3x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %e2 = tensor.empty() : tensor<1x1x2x2xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %twice = arith.addf %x, %x {hetero.device = #hetero.device<cpu>} : tensor<1x1x4x4xf32>
  %less = arith.subf %twice, %x {hetero.device = #hetero.device<cpu>} : tensor<1x1x4x4xf32>
  %0 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu>} ins(%less, %w : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) outs(%z : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %1 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu>} ins(%x, %w : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) outs(%z : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %2 = arith.addf %0, %1 {hetero.device = #hetero.device<gpu:0>} : tensor<1x1x3x3xf32>
  %3 = linalg.conv_2d_nchw_fchw {hetero.device = #hetero.device<cpu>} ins(%2, %w : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) outs(%z2 : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %3 : tensor<1x1x2x2xf32>
}

// Both results of one operation, one of them on the other device.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @tuple(
// CHECK: %[[T:.*]]:2 = linalg.generic
// CHECK: hetero.copy %[[T]]#1 {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy %[[T]]#0
// CHECK: func
func.func @tuple(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>)
      attrs = {hetero.device = #hetero.device<gpu:0>} {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %double = arith.addf %in, %in : f32
    %more = arith.addf %double, %double : f32
    linalg.yield %double, %more : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %1 = arith.addf %0#0, %0#0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.addf %0#1, %1 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Open neighbours of operations on both devices: where the kinds alternate
// only because someone wrote them so, cost puts the open ones together.

// PLACE-LABEL: @zig_zag
// PLACE: arith.addf {{.*}}<gpu:0>, hetero.origin = "pinned
// PLACE-NEXT: arith.addf {{.*}}<cpu:0>, hetero.origin = "cost"
// PLACE-NEXT: arith.addf {{.*}}<cpu:0>, hetero.origin = "pinned
// PLACE-NEXT: arith.addf {{.*}}<cpu:0>, hetero.origin = "cost"
// PLACE-NEXT: arith.addf {{.*}}<cpu:0>, hetero.origin = "cost"
// PLACE-NEXT: arith.addf {{.*}}<cpu:0>, hetero.origin = "cost"
// CHECK-LABEL: @zig_zag(
// CHECK-COUNT-2: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: func
func.func @zig_zag(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.addf %0, %0 : tensor<4xf32>
  %2 = arith.addf %1, %1 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %3 = arith.addf %2, %2 : tensor<4xf32>
  %4 = arith.addf %3, %3 : tensor<4xf32>
  %5 = arith.addf %4, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// A chain of transfers is one transfer from its first device to its last.

// CHECK-LABEL: @transfers(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[S:.*]] = arith.addf
// CHECK: hetero.copy %[[S]] {{.*}}: tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: func
func.func @transfers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = hetero.copy %0 : tensor<4xf32> on #hetero.device<gpu:0> -> tensor<4xf32> on #hetero.device<gpu:1>
  %2 = hetero.copy %1 : tensor<4xf32> on #hetero.device<gpu:1> -> tensor<4xf32> on #hetero.device<cpu:0>
  return %2 : tensor<4xf32>
}

// A cycle of transfers ends where it began: no transfer is left of it.

// CHECK-LABEL: @cycle(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[A:.*]] = hetero.copy %[[X]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[S]], %[[S]]
// CHECK-NEXT: %[[C:.*]] = hetero.copy %[[R]] {{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @cycle(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = hetero.copy %0 : tensor<4xf32> on #hetero.device<gpu:0> -> tensor<4xf32> on #hetero.device<gpu:1>
  %2 = hetero.copy %1 : tensor<4xf32> on #hetero.device<gpu:1> -> tensor<4xf32> on #hetero.device<gpu:0>
  %3 = arith.addf %2, %2 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Operands on both devices: each is looked at alone.

// CHECK-LABEL: @argument_on_cpu(
// CHECK-SAME: %[[A:[^:]*]]: {{[^,]*}}, %[[B:[^:]*]]: tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: hetero.copy %[[A]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func @argument_on_cpu(%a: tensor<4xf32> {hetero.device = #hetero.device<cpu:0>}, %b: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<4xf32> {hetero.device = #hetero.device<cpu:0>}) {
  %0 = arith.mulf %a, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.addf %0, %a {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
