// With `entry` a module has what one public function needs.

// RUN: hetero-opt %s --hetero-annotate='entry=main rules={rules: [{op: math.exp, nth: 1, device: "gpu:0"}]}' | FileCheck %s -enable-var-scope --implicit-check-not=@other --implicit-check-not=@unused --implicit-check-not=@outside_of_main
// RUN: hetero-opt %s --hetero-annotate='entry=main rules={rules: [{op: math.exp, nth: 1, device: "gpu:0"}]}' --hetero-annotate=entry=main | FileCheck %s -enable-var-scope --implicit-check-not=@other --implicit-check-not=@unused
// RUN: hetero-opt %s --hetero-annotate='entry=main rules={rules: [{op: math.exp, nth: 1, device: "gpu:0"}]}' --hetero-place | FileCheck %s --check-prefix=PLACED
// RUN: hetero-opt %s --hetero-annotate | FileCheck %s --check-prefix=ALL
// RUN: not hetero-opt %s --hetero-annotate=entry=mian 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not hetero-opt %s --hetero-annotate=entry=unused 2>&1 | FileCheck %s --check-prefix=PRIVATE

// NAME: annotate-entry.mlir:{{.*}}: error: no entry point 'mian'; there is 'other', 'both', 'main'
// PRIVATE: error: no entry point 'unused'; there is 'other', 'both', 'main'

// Acts: functions and globals that it does not reach are gone, and the pins with
// them. Must not act: without the option all are there.
// CHECK: module attributes {{{.*}}hetero.pins = 2 : i64
// ALL: func.func @other
// ALL: func.func private @unused
// ALL: memref.global "private" constant @outside_of_main
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.absf %0 {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @unused(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
memref.global "private" constant @outside_of_main : memref<2xf32> = dense<1.0>

// Call: what it calls, and what that reads, is there. A public function stays
// public, so that it is placed as without the option.
// CHECK: memref.global "private" constant @table
// CHECK: func.func @both
// CHECK: func.func private @declared
memref.global "private" constant @table : memref<2xf32> = dense<2.0>
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = memref.get_global @table : memref<2xf32>
  func.call @declared(%m) : (memref<2xf32>) -> ()
  return %x : tensor<4xf32>
}
func.func private @declared(memref<2xf32>)

// Control flow: calls in branches count. A rule counts over the whole module:
// this is its second operation.
// CHECK: func.func @main
// CHECK: call @both
// CHECK: math.exp %{{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// PLACED: math.exp %{{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
func.func @main(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    %1 = func.call @both(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %2 = math.exp %0 : tensor<4xf32>
  %3 = math.absf %2 {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}
