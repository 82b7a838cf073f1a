// RUN: hetero-opt %s --verify-roundtrip | FileCheck %s
// RUN: hetero-opt %s --mlir-print-op-generic | hetero-opt | FileCheck %s

// The node of a device stands on operations, in types and in attributes; node 0
// is not written, and fields may stand in any order.

// CHECK: <device = <gpu:0, node = 1>
// CHECK-SAME: <from = <cpu:0, node = 1>, to = <gpu:0, node = 1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    <device = <cpu:0>, compute = 1000000, bandwidth = 1000000>,
    <device = <cpu:0, node = 1>, compute = 1000000, bandwidth = 1000000>,
    <device = <gpu:0, node = 1>, compute = 1000000, bandwidth = 1000000>],
  links = [
    <from = <cpu:0>, to = <cpu:0, node = 1>, bandwidth = 1000000, latency = 10>,
    <from = <cpu:0, node = 1>, to = <cpu:0>, bandwidth = 1000000, latency = 10>,
    <from = <cpu:0, node = 1>, to = <gpu:0, node = 1>, bandwidth = 1000000, latency = 10>,
    <from = <gpu:0, node = 1>, to = <cpu:0, node = 1>, bandwidth = 1000000, latency = 10>]>} {
// CHECK-LABEL: @devices
func.func @devices(%x: tensor<4xf32>) {
  // CHECK: math.exp %{{.*}} {hetero.device = #hetero.device<gpu:0>}
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0, node = 0>} : tensor<4xf32>
  // CHECK: math.exp %{{.*}} {hetero.device = #hetero.device<gpu:1, node = 3, unit = "a", codegen = "mlir">}
  %1 = math.exp %x {hetero.device = #hetero.device<gpu:1, codegen = "mlir", node = 3, unit = "a">} : tensor<4xf32>
  // CHECK: math.exp %{{.*}} {hetero.device = #hetero.device<gpu, node = 65535>}
  %2 = math.exp %x {hetero.device = #hetero.device<gpu, node = 65535>} : tensor<4xf32>
  return
}

// The host of another node is no host here: it is in the type.
// CHECK-LABEL: @types
// CHECK-SAME: tensor<4xf32, #hetero.device<cpu:0, node = 1>>
func.func @types(%x: tensor<4xf32, #hetero.device<cpu:0, node = 1>>) -> tensor<4xf32> {
  // CHECK: hetero.copy %{{.*}} : tensor<4xf32, #hetero.device<cpu:0, node = 1>> -> tensor<4xf32, #hetero.device<gpu:0, node = 1>>
  %0 = hetero.copy %x : tensor<4xf32, #hetero.device<cpu:0, node = 1>> -> tensor<4xf32, #hetero.device<gpu:0, node = 1>>
  // CHECK: hetero.execute "r" on #hetero.device<gpu:0, node = 1>
  %1 = hetero.execute "r" on #hetero.device<gpu:0, node = 1> (%a = %0 : tensor<4xf32, #hetero.device<gpu:0, node = 1>>) -> (tensor<4xf32, #hetero.device<gpu:0, node = 1>>) {
    %3 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %3 : tensor<4xf32>
  }
  %2 = hetero.copy %1 : tensor<4xf32, #hetero.device<gpu:0, node = 1>> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
}
