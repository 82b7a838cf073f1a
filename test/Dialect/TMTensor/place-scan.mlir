// A device runs a scan of enough rows, a thread for each; one of few rows, or
// whose body may fail, falls back. The same holds of a linalg.generic.

// RUN: hetero-opt %s --hetero-place=default=gpu:0 | FileCheck %s

// CHECK-LABEL: func.func @many
// CHECK: tm_tensor.scan {{.*}} {hetero.device = #hetero.device<gpu:0>, hetero.origin = "default"}
func.func @many(%x: tensor<32x9xf32>, %s: tensor<32xf32>) -> tensor<32x9xf32> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<32x9xf32>) outs(%x, %s : tensor<32x9xf32>, tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tm_tensor.yield %t : f32
  } -> tensor<32x9xf32>, tensor<32xf32>
  return %0#0 : tensor<32x9xf32>
}

// CHECK-LABEL: func.func @few
// CHECK: tm_tensor.scan {{.*}} hetero.origin = "fallback: tm_tensor.scan has no gpu kernel for fewer rows than 32"
func.func @few(%x: tensor<9x31xf32>, %s: tensor<31xf32>) -> tensor<9x31xf32> {
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<9x31xf32>) outs(%x, %s : tensor<9x31xf32>, tensor<31xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tm_tensor.yield %t : f32
  } -> tensor<9x31xf32>, tensor<31xf32>
  return %0#0 : tensor<9x31xf32>
}

// CHECK-LABEL: func.func @divides
// CHECK: tm_tensor.scan {{.*}} hetero.origin = "fallback: tm_tensor.scan has no gpu kernel whose body may fail"
func.func @divides(%x: tensor<?x9xi32>, %s: tensor<?xi32>) -> tensor<?x9xi32> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<?x9xi32>) outs(%x, %s : tensor<?x9xi32>, tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %t = arith.divsi %a, %b : i32
    tm_tensor.yield %t : i32
  } -> tensor<?x9xi32>, tensor<?xi32>
  return %0#0 : tensor<?x9xi32>
}

// CHECK-LABEL: func.func @vector
// CHECK: tm_tensor.scan {{.*}} hetero.origin = "fallback: no gpu kernel for tm_tensor.scan whose body holds vector.broadcast"
func.func @vector(%x: tensor<32x9xf32>, %s: tensor<32xf32>) -> tensor<32x9xf32> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<32x9xf32>) outs(%x, %s : tensor<32x9xf32>, tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = vector.broadcast %b : f32 to vector<4xf32>
    %u = vector.reduction <add>, %t, %a : vector<4xf32> into f32
    tm_tensor.yield %u : f32
  } -> tensor<32x9xf32>, tensor<32xf32>
  return %0#0 : tensor<32x9xf32>
}

// CHECK-LABEL: func.func @structured
// CHECK: linalg.generic {{.*}} hetero.origin = "fallback: linalg.generic is a scan of fewer rows than the threads of a gpu need"
func.func @structured(%x: tensor<9xf32>, %s: tensor<f32>) -> tensor<9xf32> {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<9xf32>) outs(%x, %s : tensor<9xf32>, tensor<f32>) {
  ^bb0(%in: f32, %out: f32, %sum: f32):
    %t = arith.addf %sum, %in : f32
    linalg.yield %t, %t : f32, f32
  } -> (tensor<9xf32>, tensor<f32>)
  return %0#0 : tensor<9xf32>
}
