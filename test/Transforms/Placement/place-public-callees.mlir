// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-place=conflict=replicate --hetero-materialize-copies | FileCheck %s --check-prefix=REPLICATE -enable-var-scope

// A public function keeps its signature for callers outside; those in the module
// use a variant where the tensors are.

// CHECK-LABEL: func.func @main
// CHECK: call @layer_device(
// CHECK: func.func @layer(%{{.+}}: tensor<64xf32>) -> tensor<64xf32> {
// CHECK: math.absf {{.*}}{hetero.device = #hetero.device<cpu:0>
// CHECK: func.func private @layer_device(%{{.+}}: tensor<64xf32> {hetero.device = #hetero.device<gpu:0>}) -> (tensor<64xf32> {hetero.device = #hetero.device<gpu:0>}) {
// CHECK: math.absf {{.*}}{hetero.device = #hetero.device<gpu:0>
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  %1 = func.call @layer(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = math.sin %1 {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  return %2 : tensor<64xf32>
}
func.func @layer(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// What comes out the same is the public function again.

// CHECK-LABEL: func.func @same
// CHECK: call @callee(
// CHECK: func.func @callee(
// CHECK-NOT: func.func
func.func @same(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = func.call @callee(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @callee(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// One that calls itself, and one that another public one calls: variants call
// variants. An annotated argument stays where it is, and a donated one is not
// donated by callers inside.

// CHECK-LABEL: func.func @calls
// CHECK: call @outer_device(
// CHECK: func.func @outer(%{{.+}}: tensor<64xf32> {hetero.donated}
// CHECK: func.func private @outer_device(%{{.+}}: tensor<64xf32> {hetero.device = #hetero.device<gpu:0>},
// CHECK: call @[[INNER:inner_device[_0-9]*]](
// CHECK: func.func @inner(
// CHECK: func.func private @[[INNER]](%{{.+}}: tensor<64xf32> {hetero.device = #hetero.device<gpu:0>})
func.func @calls(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  %1 = func.call @outer(%0, %n) : (tensor<64xf32>, index) -> tensor<64xf32>
  %2 = math.sin %1 {hetero.device = #hetero.device<gpu:0>} : tensor<64xf32>
  return %2 : tensor<64xf32>
}
func.func @outer(%x: tensor<64xf32> {hetero.donated}, %n: index) -> tensor<64xf32> {
  %0 = func.call @inner(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @inner(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// With conflict=replicate a caller inside passes the argument on each device; the
// signature for those outside has it once.

// REPLICATE-LABEL: func.func @asks
// REPLICATE: %[[C:.*]] = hetero.copy %arg0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// REPLICATE: call @both_device(%arg0, %[[C]])
// REPLICATE: func.func @both(%{{.+}}: tensor<4xf32>)
// REPLICATE: func.func private @both_device(%{{.+}}: tensor<4xf32> {{.*}}, %{{.+}}: tensor<4xf32, #hetero.device<gpu:0>> {{.*}})
func.func @asks(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = func.call @both(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %1 = math.sin %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
