// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-convert-elementwise-to-linalg --hetero-convert-elementwise-to-linalg --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-annotate --hetero-convert-elementwise-to-linalg --hetero-place | FileCheck %s --check-prefix=PINS

// No annotation gets lost.

// PINS: hetero.phase = #hetero.phase<placed>, hetero.pins = 6

// The annotation, its origin and the location stay on the new operation, and
// the flags of the old one in its body; dynamic sizes come from an operand.

// CHECK-LABEL: @dynamic
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<5x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"} : tensor<5x?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[A]], %{{.*}} : {{.*}}) outs(%[[E]] : {{.*}}) attrs =  {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf {{.*}} fastmath<fast> : f32
// CHECK: -> tensor<5x?xf32> loc("sum")
// CHECK-NOT: arith.addf {{.*}} : tensor
func.func @dynamic(%a: tensor<5x?xf32>, %b: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %0 = arith.addf %a, %b fastmath<fast> {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"} : tensor<5x?xf32> loc("sum")
  return %0 : tensor<5x?xf32>
}

// A splat constant becomes a scalar in the body; another one stays an operand.

// CHECK-LABEL: @constants
// CHECK-NOT: arith.constant dense<2
// CHECK: %[[C:.*]] = arith.constant dense<[1.0{{.*}}, 2.0{{.*}}]> : tensor<2xf32>
// CHECK: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<2xf32>)
// CHECK: %[[S:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK: arith.mulf %{{.*}}, %[[S]] : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[C]] : tensor<2xf32>, tensor<2xf32>)
func.func @constants(%a: tensor<2xf32>) -> tensor<2xf32> {
  %s = arith.constant dense<2.0> : tensor<2xf32>
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = arith.mulf %a, %s : tensor<2xf32>
  %1 = arith.mulf %0, %c : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Operands that are scalars go in by value; results may have another type.

// CHECK-LABEL: @select
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : i1, tensor<4xi32>, tensor<4xi32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xi1>)
// CHECK: arith.cmpi slt, {{.*}} : i32
func.func @select(%p: i1, %a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi1> {
  %0 = arith.select %p, %a, %b : tensor<4xi32>
  %1 = arith.cmpi slt, %0, %b : tensor<4xi32>
  return %1 : tensor<4xi1>
}

// Scalars, vectors and linalg operations are not touched.

// CHECK-LABEL: @untouched
// CHECK-NEXT: arith.addf {{.*}} : f32
// CHECK-NEXT: arith.addf {{.*}} : vector<4xf32>
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @untouched(%s: f32, %v: vector<4xf32>, %t: tensor<4xf32>) -> (f32, vector<4xf32>, tensor<4xf32>) {
  %0 = arith.addf %s, %s : f32
  %1 = arith.addf %v, %v : vector<4xf32>
  %2 = linalg.exp ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : f32, vector<4xf32>, tensor<4xf32>
}

// Operations in control flow are converted where they stand.

// CHECK-LABEL: @control_flow
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: math.exp {{.*}} : f32
func.func @control_flow(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    %1 = math.exp %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Operations whose results cannot carry a device are taken apart, and every
// part has the annotation.

// CHECK-LABEL: @splat
// CHECK: tensor.empty() {hetero.device = #hetero.device<gpu:0>}
// CHECK: linalg.fill {hetero.device = #hetero.device<gpu:0>}
func.func @splat(%s: f32) -> tensor<4xf32> {
  %0 = tensor.splat %s {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @concat
// CHECK: tensor.empty() {hetero.device = #hetero.device<gpu:0>}
// CHECK: tensor.insert_slice {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK: tensor.insert_slice {{.*}} {hetero.device = #hetero.device<gpu:0>}
func.func @concat(%a: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tensor.concat dim(0) %a, %a {hetero.device = #hetero.device<gpu:0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @pad
// CHECK: linalg.fill {hetero.device = #hetero.device<gpu:0>}
// CHECK: tensor.insert_slice {{.*}} {hetero.device = #hetero.device<gpu:0>}
func.func @pad(%a: tensor<4xf32>, %s: f32) -> tensor<6xf32> {
  %0 = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @generate
// CHECK: linalg.generic {{.*}} attrs =  {hetero.device = #hetero.device<gpu:0>}
// CHECK: linalg.index 0
func.func @generate() -> tensor<4xi64> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %1 = arith.index_cast %i : index to i64
    tensor.yield %1 : i64
  } {hetero.device = #hetero.device<gpu:0>} : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @pack
// CHECK: linalg.fill {hetero.device = #hetero.device<gpu:0>}
// CHECK: tensor.expand_shape {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK: linalg.transpose {{.*}} {hetero.device = #hetero.device<gpu:0>}
// CHECK-NOT: linalg.pack
func.func @pack(%a: tensor<15x8xf32>, %s: f32) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<2x8x8xf32>
  %0 = linalg.pack %a padding_value(%s : f32) inner_dims_pos = [0] inner_tiles = [8] into %e {hetero.device = #hetero.device<gpu:0>} : tensor<15x8xf32> -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}
