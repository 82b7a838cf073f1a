// What no tensor goes into is made on each device that needs it, or once and
// copied, whichever is cheaper.

// RUN: hetero-opt %s --split-input-file --pass-pipeline='builtin.module(hetero-annotate,hetero-place{report=-},hetero-materialize-copies)' | FileCheck %s
// Placed again, nothing changes.
// RUN: hetero-opt %s --split-input-file --pass-pipeline='builtin.module(hetero-annotate,hetero-place)' | hetero-opt --split-input-file --pass-pipeline='builtin.module(hetero-annotate,hetero-place,hetero-materialize-copies)' | FileCheck %s --check-prefix=AGAIN

// A million elements of two exponentials each take 4 ms on either device, and a
// copy takes 4 us. The other copy is that of a result.

// CHECK: "cost_seconds": [[COST:0\.0[0-9]+]]
// CHECK-NEXT: "lower_bound_seconds": [[COST]]
// CHECK: "optimal": true
// CHECK-LABEL: func.func @dear
// CHECK: linalg.generic
// CHECK-SAME: hetero.origin = "cost: copies are cheaper than repetition"
// CHECK-COUNT-2: math.exp
// CHECK-NOT: linalg.generic
// CHECK: %[[THERE:.*]] = hetero.copy
// CHECK: math.absf %[[THERE]]
// CHECK: return
// AGAIN-LABEL: func.func @dear
// AGAIN: linalg.generic
// AGAIN-NOT: linalg.generic
// AGAIN: %[[THERE:.*]] = hetero.copy
// AGAIN: math.absf %[[THERE]]
// AGAIN: return
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000, bandwidth = 50000000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000000, latency = 1000>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000000, latency = 1000>]>} {
  func.func @dear() -> (tensor<1000000xf32>, tensor<1000000xf32>) {
    %e = tensor.empty() : tensor<1000000xf32>
    %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<1000000xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %x = arith.sitofp %j : i32 to f32
      %y = math.exp %x : f32
      %z = math.exp %y : f32
      linalg.yield %z : f32
    } -> tensor<1000000xf32>
    %a = math.absf %f {hetero.device = #hetero.device<cpu:0>} : tensor<1000000xf32>
    %b = math.absf %f {hetero.device = #hetero.device<gpu:0>} : tensor<1000000xf32>
    return %a, %b : tensor<1000000xf32>, tensor<1000000xf32>
  }
}

// -----

// A copy takes 4 ms here, and making the elements a fraction of one.

// CHECK: "optimal": true
// CHECK-LABEL: func.func @cheap
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: math.absf
// CHECK: hetero.copy
// CHECK-NOT: hetero.copy
// CHECK: return
// AGAIN-LABEL: func.func @cheap
// AGAIN-COUNT-2: linalg.generic
// AGAIN: hetero.copy
// AGAIN-NOT: hetero.copy
// AGAIN: return
module attributes {hetero.topology = #hetero.topology<devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 10000000000, bandwidth = 50000000000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 1000>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
  func.func @cheap() -> (tensor<1000000xf32>, tensor<1000000xf32>) {
    %e = tensor.empty() : tensor<1000000xf32>
    %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<1000000xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %x = arith.sitofp %j : i32 to f32
      linalg.yield %x : f32
    } -> tensor<1000000xf32>
    %a = math.absf %f {hetero.device = #hetero.device<cpu:0>} : tensor<1000000xf32>
    %b = math.absf %f {hetero.device = #hetero.device<gpu:0>} : tensor<1000000xf32>
    return %a, %b : tensor<1000000xf32>, tensor<1000000xf32>
  }
}
