// RUN: hetero-opt %s --hetero-materialize-copies --hetero-partition -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: hetero-opt %t.once --hetero-partition | diff %t.once -

// Copies get the names that reports print: of what they copy.

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#map = affine_map<(i) -> (i)>

// Arguments and results by position.
// CHECK-LABEL: func.func @operations
// CHECK: hetero.copy %arg1 {hetero.value = "%arg1 of @operations"}
// CHECK: hetero.copy {{.*}} {hetero.value = "linalg.add at [[#@LINE+3]]:8"}
func.func @operations(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() {hetero.device = #cpu} : tensor<4xf32>
  %0 = linalg.add {hetero.device = #gpu0} ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One of several results.
// CHECK-LABEL: func.func @results
// CHECK: hetero.copy {{.*}} {hetero.value = "result 0 of linalg.generic at
// CHECK: hetero.copy {{.*}} {hetero.value = "result 1 of linalg.generic at
func.func @results(%a: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu0}, tensor<4xf32> {hetero.device = #gpu0}) {
  %0:2 = linalg.generic {hetero.device = #cpu, indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%a, %a : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.addf %x, %x : f32
    linalg.yield %x, %1 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// Arguments of loops and blocks.
// CHECK-LABEL: func.func @loop
// CHECK: hetero.copy {{.*}} {hetero.value = "%arg1 of scf.for at
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant {hetero.device = #cpu} 0 : index
  %one = arith.constant {hetero.device = #cpu} 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> tensor<4xf32> {
    %1 = linalg.exp {hetero.device = #gpu0} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @blocks
// CHECK: hetero.copy {{.*}} {hetero.value = "block argument 0 of @blocks"}
func.func @blocks(%a: tensor<4xf32>) -> (tensor<4xf32> {hetero.device = #gpu0}) {
  cf.br ^bb1(%a : tensor<4xf32>)
^bb1(%b: tensor<4xf32>):
  return %b : tensor<4xf32>
}

// A name that the source gives a value is the name in the report.
// CHECK-LABEL: func.func @named
// CHECK: hetero.copy {{.*}} {hetero.value = "encoder/input"}
func.func @named(%a: tensor<4xf32> loc("encoder/input")) -> (tensor<4xf32> {hetero.device = #gpu0}) {
  return %a : tensor<4xf32>
}
