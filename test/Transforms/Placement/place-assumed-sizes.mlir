// RUN: hetero-opt %s --split-input-file --hetero-place --verify-roundtrip | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-annotate="rules={rules: [{min_flops: 1, device: cpu}]}" | FileCheck %s --check-prefix=ANNOTATED
// RUN: hetero-opt %s --split-input-file --hetero-place=dynamic-size=64 | FileCheck %s --check-prefix=ANNOTATED
// RUN: hetero-opt %s --split-input-file --hetero-place --remarks-filter=hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --split-input-file --hetero-place="report=%t.json" -o /dev/null && FileCheck %s --check-prefix=REPORT --input-file=%t.json

// Sizes of arguments that nobody has said are assumed, and stay on them. A
// number for all of them is what counts otherwise; rules take away what they assume.

// ANNOTATED-NOT: hetero.dynamic_sizes

// A convolution says which dimension is the batch and which ones are sides of
// images, also through what keeps sizes.

// CHECK-LABEL: @image
// CHECK-SAME: {{.*}}: tensor<?x3x?x?xf32> {{{.*}}hetero.dynamic_sizes = array<i64: 1, 224, 224>{{.*}}}, %
// CHECK-SAME: tensor<?x8x?x?xf32> {hetero.dynamic_sizes = array<i64: 1, 224, 224>})
// REMARK: dimension 0 of %arg0 of @image counts as 1, by what reads it
// REMARK: dimension 2 of %arg0 of @image counts as 224, by what reads it
func.func @image(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, %y: tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %scaled = arith.addf %x, %x : tensor<?x3x?x?xf32>
  %padded = tensor.pad %scaled low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%padded, %w : tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) outs(%y : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
  return %0 : tensor<?x8x?x?xf32>
}

// -----

// A window that slides in one dimension goes over a sequence. What costs go by
// anyway is not written.

// CHECK-LABEL: @sound
// CHECK-NOT: hetero.dynamic_sizes
// REMARK: dimension 2 of %arg0 of @sound counts as 128, by what reads it
func.func @sound(%x: tensor<?x4x?xf32>, %w: tensor<8x4x3xf32>, %y: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
  %0 = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<?x4x?xf32>, tensor<8x4x3xf32>) outs(%y : tensor<?x8x?xf32>) -> tensor<?x8x?xf32>
  return %0 : tensor<?x8x?xf32>
}

// -----

// The name of a dimension comes first; where neither it nor a reader says
// anything, the last two dimensions count as 128, and others as 1.

// CHECK-LABEL: @names
// CHECK-SAME: array<i64: 1, 1, 224>
// CHECK-SAME: array<i64: 128, 1>
// REMARK: dimension 0 of %arg0 of @names counts as 1, by its name
// REPORT: "assumed_shapes": [
// REPORT: "argument": "%arg0 of @named_last"
// REPORT: "shape": [
// REPORT-NEXT: 1,
// REPORT-NEXT: 1,
// REPORT-NEXT: 224
func.func @names(%x: tensor<?x?x?xf32> {hetero.dimension_names = ["nBatch", "batch_size_2", "imageHeight"]},
                 %y: tensor<?x?x8x8xf32> {hetero.dimension_names = ["past_seq_len", ""]}) -> (tensor<?x?x?xf32>, tensor<?x?x8x8xf32>) {
  %0 = math.exp %x : tensor<?x?x?xf32>
  %1 = math.exp %y : tensor<?x?x8x8xf32>
  return %0, %1 : tensor<?x?x?xf32>, tensor<?x?x8x8xf32>
}

// -----

// A private function has the sizes of its first call; a product's batch is one.

// CHECK-LABEL: @called
// REMARK: dimension 0 of %arg0 of @called counts as 1, by what reads it
// CHECK: func.func private @callee({{.*}}hetero.dynamic_sizes = array<i64: 1, 129, 128>
func.func @called(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %e = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %0 = linalg.batch_matmul ins(%x, %x : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %half = arith.ceildivui %b, %c2 : index
  %two = arith.muli %half, %c2 : index
  %more = arith.addi %two, %c1 : index
  %f = tensor.empty(%a, %more, %c) : tensor<?x?x?xf32>
  %1 = call @callee(%f) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}
func.func private @callee(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = math.exp %x : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: @named_last
func.func @named_last(%x: tensor<?x?x?xf32> {hetero.dimension_names = ["N", "batch", "w"]}) -> tensor<?x?x?xf32> {
  %0 = math.exp %x : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
