// What nobody pins and both devices need (cases 1 and 2): copied, made or asked
// for twice, or an error; with the same numbers.
//
// RUN: hetero-opt %s --hetero-place="conflict=replicate" -o %t.mlir
// RUN: hetero-opt %t.mlir --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %t.mlir --entry=shared_producer --input=4xf32=iota --input=4xf32=3 --expected=4xf32=-3,-2,-1,0
// RUN: hetero-run %s --entry=shared_producer --input=4xf32=iota --input=4xf32=3 --expected=4xf32=-3,-2,-1,0
// RUN: hetero-run %t.mlir --entry=calls_sub_joins --input=4xf32=iota --input=4xf32=2 --input=4xf32=5 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %s --entry=calls_sub_joins --input=4xf32=iota --input=4xf32=2 --input=4xf32=5 --expected=4xf32=-5,-4,-3,-2
// RUN: hetero-run %t.mlir --entry=both_returned --input=4xf32=iota --input=4xf32=2 --expected=4xf32=2,3,4,5 --expected=4xf32=4,5,6,7
// RUN: hetero-run %t.mlir --entry=any_gpu --input=4xf32=iota --expected=4xf32=0,-4,-8,-12
// RUN: not hetero-opt %s --hetero-place="conflict=error" 2>&1 | FileCheck %s --check-prefix=ERROR

// The producer of a shared operand runs on both devices, so that its operand
// crosses, not it.

// CHECK-LABEL: @shared_producer(
// CHECK: hetero.copy %arg1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: arith.negf {{.*}}"replicated for cpu:0"} : tensor<4xf32>
// CHECK-DAG: arith.negf {{.*}}"replicated for gpu:0"} : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
// ERROR: conflicts.mlir:[[#@LINE+4]]:8: error: expected a value that one device needs, got one that is needed on cpu:0, gpu:0
// ERROR: conflicts.mlir:[[#@LINE+4]]:8: note: 'arith.addf' op needs it on cpu:0
// ERROR: conflicts.mlir:[[#@LINE+4]]:8: note: 'arith.addf' op needs it on gpu:0
func.func @shared_producer(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.negf %x : tensor<4xf32>
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A private function asks for the argument on each of the devices.

// CHECK-LABEL: @calls_sub_joins(
// CHECK: %[[B:.*]] = hetero.copy %arg1 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: call @sub_joins(%arg0, %arg1, %arg2, %[[B]]) {{.*}} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32>
// CHECK-LABEL: func.func private @sub_joins(
// CHECK-DAG: hetero.copy %arg2 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: arith.addf %arg0, %arg1 {{.*}} : tensor<4xf32>
// CHECK-DAG: arith.addf %arg3, {{.*}} : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
// ERROR: error: expected a value that one device needs, got one that is needed on cpu:0, gpu:0
func.func @calls_sub_joins(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @sub_joins(%a, %b, %c) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @sub_joins(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = arith.addf %b, %c {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.subf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// The argument of a public function is copied in any case; what is pinned where
// it is made is no conflict.

// CHECK-LABEL: @both_returned(
// CHECK-COUNT-3: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: return
// ERROR: error: expected a value that one device needs, got one that is needed on cpu:0, gpu:0
// ERROR: conflicts.mlir:[[#@LINE+4]]:11: note: 'arith.addf' op needs it on cpu:0
// ERROR: conflicts.mlir:[[#@LINE+4]]:11: note: 'arith.addf' op needs it on gpu:0
// ERROR-NOT: error:
func.func @both_returned(%d1: tensor<4xf32>, %d2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %add1 = arith.addf %d1, %d2 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %add2 = arith.addf %add1, %d2 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %add1, %add2 : tensor<4xf32>, tensor<4xf32>
}

// A pin to any gpu agrees with a pin to one of them.

// CHECK-LABEL: @any_gpu(
// CHECK-COUNT-2: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @any_gpu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.negf %x : tensor<4xf32>
  %0 = arith.addf %b, %b {hetero.device = #hetero.device<gpu>} : tensor<4xf32>
  %1 = arith.addf %b, %b {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %2 = arith.addf %0, %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
