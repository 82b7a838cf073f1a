// Function arguments and results on devices, and operations that are all on
// one.
//
// RUN: hetero-opt %s --hetero-place | FileCheck %s --check-prefix=PLACE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=all_on_gpu --input=4xf32=iota --expected=4xf32=0,4,8,12
// RUN: hetero-run %s --entry=arguments --input=4xf32=iota --input=4xf32=2 --expected=4xf32=0,2,4,6
// RUN: hetero-run %s --entry=result_on_gpu --input=4xf32=iota --expected=4xf32=0,4,8,12
// RUN: hetero-run %s --entry=result_elsewhere --input=4xf32=iota --expected=4xf32=0,2,4,6
// RUN: hetero-run %s --entry=returned_as_it_is --input=4xf32=iota --expected=4xf32=0,1,2,3
// RUN: hetero-run %s --entry=nothing_annotated --input=4xf32=iota --expected=4xf32=0,4,8,12

// Everything on one gpu: nothing crosses inside.

// PLACE-LABEL: @all_on_gpu
// PLACE-COUNT-3: arith.{{addf|subf}} {{.*}}<gpu:0>
// CHECK-LABEL: @all_on_gpu(
// CHECK: hetero.copy %{{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: hetero.copy %{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return
func.func @all_on_gpu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hetero.device = #hetero.device<gpu:0>} {
  %0 = arith.addf %x, %x : tensor<4xf32>
  %1 = arith.subf %0, %x : tensor<4xf32>
  %2 = arith.addf %0, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Each argument is where its annotation says.

// PLACE-LABEL: @arguments
// CHECK-LABEL: @arguments(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xf32> {{.*}}%[[B:[^:]*]]: tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy %[[A]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NEXT: hetero.copy %[[P]] {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
func.func @arguments(%a: tensor<4xf32> {hetero.device = #hetero.device<cpu>}, %b: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> tensor<4xf32> {
  %0 = arith.mulf %a, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// From one gpu to the other, where the result stays.

// CHECK-LABEL: @result_on_gpu(
// CHECK-SAME: -> (tensor<4xf32, #hetero.device<gpu:1>>
// CHECK: hetero.copy %{{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: %[[S:.*]] = arith.addf
// CHECK-NEXT: %[[T:.*]] = hetero.copy %[[S]] {{.*}}: tensor<4xf32, #hetero.device<gpu:0>> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[T]], %[[T]]
// CHECK-NEXT: return %[[R]]
func.func @result_on_gpu(%x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:1>}) {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = arith.addf %0, %0 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A result that is made on the host is copied to where the signature says.

// CHECK-LABEL: @result_elsewhere(
// CHECK: %[[S:.*]] = arith.addf
// CHECK-NEXT: %[[C:.*]] = hetero.copy %[[S]] {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: return %[[C]]
func.func @result_elsewhere(%x: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) {
  %0 = arith.addf %x, %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An argument that is returned needs no kernel, just the copy.

// CHECK-LABEL: @returned_as_it_is(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[C:.*]] = hetero.copy %[[X]] {{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @returned_as_it_is(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Nothing annotated: everything stays on the host.

// PLACE-LABEL: @nothing_annotated
// PLACE-NOT: <gpu
// PLACE: return
// CHECK-LABEL: @nothing_annotated(
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @nothing_annotated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  %2 = arith.addf %1, %x : tensor<4xf32>
  return %2 : tensor<4xf32>
}
