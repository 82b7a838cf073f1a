// Values that operations on several devices need: each crosses once per
// destination, and an open operation goes where fewer values cross.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=sub_joins --input=4xf32=iota --input=4xf32=2 --input=4xf32=5 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=shared_producer --input=4xf32=iota --input=4xf32=3 --expected=4xf32=-3,-2,-1,0
// RUN: hetero-run %s --entry=both_returned --input=4xf32=iota --input=4xf32=2 --expected=4xf32=2,3,4,5 --expected=4xf32=4,5,6,7
// RUN: hetero-run %s --entry=used_results --input=4xf32=iota --expected=4xf32=-1,0,1,2
// RUN: hetero-run %s --entry=left_on_cpu --input=4xf32=iota --input=4xf32=2 --input=4xf32=5 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=both_on_cpu --input=4xf32=iota --input=4xf32=2 --input=4xf32=5 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=shared_by_three --input=4xf32=iota --expected=4xf32=0,4,8,12
// RUN: hetero-run %s --entry=each_way --input=2x2xf32=1,2,3,4 --input=2x2xf32=2 --expected=2x2xf32=20 --expected=2x2xf32=48000,48000,112000,112000

// Both operands of the sum on the gpu cross, and the sum comes back.

// PLACE-LABEL: @sub_joins
// PLACE: arith.addf {{.*}}<cpu:0>
// PLACE: arith.addf {{.*}}<gpu:0>
// PLACE: arith.subf {{.*}}<cpu:0>, hetero.origin = "cost"
// CHECK-LABEL: @sub_joins(
// CHECK-SAME: %[[A:[^:]*]]: {{[^,]*}}, %[[B:[^:]*]]: {{[^,]*}}, %[[C:[^:]*]]:
// CHECK: hetero.copy %[[B]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %[[C]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @sub_joins(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// What both devices need is made on both from what both need anyway.

// PLACE-LABEL: @shared_producer
// PLACE: arith.negf {{.*}}<cpu:0>, hetero.origin = "cost: repetition is cheaper than copies", hetero.repeated
// PLACE: arith.subf {{.*}}<cpu:0>, hetero.origin = "cost"
// CHECK-LABEL: @shared_producer(
// CHECK-SAME: %{{[^:]*}}: {{[^,]*}}, %[[X:[^:]*]]:
// CHECK: %[[THERE:.*]] = hetero.copy %[[X]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: arith.negf %[[X]]
// CHECK: arith.negf %[[THERE]]
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @shared_producer(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.negf %x : tensor<4xf32>
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @both_returned(
// CHECK-SAME: %{{[^:]*}}: {{[^,]*}}, %[[B:[^:]*]]:
// CHECK: hetero.copy %[[B]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: hetero.copy %[[SUM]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @both_returned(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %0, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Only the used results of an operation with three cross.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @used_results(
// CHECK: %[[SPLIT:.*]]:3 = linalg.generic
// CHECK: hetero.copy %[[SPLIT]]#0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %[[SPLIT]]#1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: arith.subf
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @used_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e, %e, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      attrs = {hetero.device = #hetero.device<cpu>} {
  ^bb0(%in: f32, %o0: f32, %o1: f32, %o2: f32):
    %one = arith.constant 1.0 : f32
    %double = arith.addf %in, %in : f32
    %more = arith.addf %in, %one : f32
    linalg.yield %double, %more, %in : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = arith.subf %0#0, %0#1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// With one sum or both on the host, the rest joins them: nothing crosses.

// CHECK-LABEL: @left_on_cpu(
// CHECK-NOT: hetero.copy
func.func @left_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %c : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK-LABEL: @both_on_cpu(
// CHECK-NOT: hetero.copy
func.func @both_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %c {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Two users on the gpu share one copy.

// PLACE-LABEL: @shared_by_three
// PLACE: arith.addf {{.*}}<cpu:0>
// PLACE: arith.addf {{.*}}<gpu:0>, hetero.origin = "pinned
// PLACE: arith.addf {{.*}}<gpu:0>, hetero.origin = "pinned
// PLACE: arith.subf {{.*}}<gpu:0>, hetero.origin = "cost"
// PLACE: arith.addf {{.*}}<cpu:0>, hetero.origin = "cost"
// CHECK-LABEL: @shared_by_three(
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: hetero.copy %[[SUM]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @shared_by_three(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %0, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.addf %1, %0 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %3 = arith.subf %2, %1 : tensor<4xf32>
  %4 = arith.addf %3, %0 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Two products in a row, each on its device, and two users of the second: it
// crosses back once, and the product of it with itself stays.

// PLACE-LABEL: @each_way
// PLACE: linalg.matmul {{.*}}<cpu:0>
// PLACE: linalg.matmul {{.*}}<gpu:0>
// PLACE: arith.minimumf {{.*}}<cpu:0>
// PLACE: linalg.matmul {{.*}}<gpu:0>
// CHECK-LABEL: @each_way(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: hetero.copy %[[P]] {{.*}} -> tensor<2x2xf32, #hetero.device<gpu:0>>
// CHECK: %[[Q:.*]] = linalg.matmul
// CHECK: hetero.copy %[[Q]] {{.*}} -> tensor<2x2xf32>
// CHECK: %[[R:.*]] = linalg.matmul
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @each_way(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %zero = arith.constant 0.0 : f32
  %limit = arith.constant dense<20.0> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = linalg.matmul {hetero.device = #hetero.device<cpu>} ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%p, %p : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  %clip = arith.minimumf %q, %limit {hetero.device = #hetero.device<cpu>} : tensor<2x2xf32>
  %r = linalg.matmul {hetero.device = #hetero.device<gpu:0>} ins(%q, %q : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %clip, %r : tensor<2x2xf32>, tensor<2x2xf32>
}
