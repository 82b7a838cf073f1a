// RUN: hetero-opt %s --split-input-file --hetero-clone-for-host --verify-diagnostics -o %t.mlir && FileCheck %s < %t.mlir
// RUN: hetero-opt %t.mlir --split-input-file --hetero-clone-for-host --verify-roundtrip | diff - %t.mlir

// A region on a device becomes one on the host, without copies; constants lose
// their device; what is called is there for the host as well; the original stays.
// CHECK-LABEL: func.func private @part(
// CHECK: hetero.execute "part_gpu1_0" on #hetero.device<gpu:1>
// CHECK-LABEL: func.func private @part_on_host(%{{.*}}: tensor<8xf32> {hetero.device = #hetero.device<cpu:0>}) -> (tensor<8xf32> {hetero.device = #hetero.device<cpu:0>}) {
// CHECK: hetero.execute "part_gpu1_0" on #hetero.device<cpu:0>
// CHECK-LABEL: func.func @f(
// CHECK: hetero.copy
// CHECK: hetero.execute "f_gpu0_0" on #hetero.device<gpu:0>
// CHECK: call @part(
// CHECK-LABEL: func.func @f_on_host(%arg0: tensor<8xf32>) -> tensor<8xf32>
// CHECK-SAME: hetero.fallback_devices = [#hetero.device<gpu:0>, #hetero.device<gpu:1>]
// CHECK-SAME: hetero.fallback_of = "f"
// CHECK-NOT: hetero.copy
// CHECK: arith.constant dense<2.000000e+00> : tensor<8xf32>{{$}}
// CHECK: %[[R:.*]] = hetero.execute "f_gpu0_0" on #hetero.device<cpu:0> (%{{.*}} = %arg0 : tensor<8xf32>
// CHECK: call @part_on_host(%[[R]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NOT: hetero.copy
// CHECK: return
// CHECK-LABEL: func.func @host_only(
// CHECK-NOT: func.func
// CHECK: // -----

!gpu0 = tensor<8xf32, #hetero.device<gpu:0>>
!gpu1 = tensor<8xf32, #hetero.device<gpu:1>>
func.func private @part(%x: !gpu1 {hetero.device = #hetero.device<gpu:1>}) -> (!gpu1 {hetero.device = #hetero.device<gpu:1>}) {
  %0 = hetero.execute "part_gpu1_0" on #hetero.device<gpu:1> (%a = %x : !gpu1) -> (!gpu1) {
    %1 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    hetero.yield %1 : tensor<8xf32>
  }
  return %0 : !gpu1
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<2.0> : !gpu0
  %0 = hetero.copy %x : tensor<8xf32> -> !gpu0
  %1 = hetero.execute "f_gpu0_0" on #hetero.device<gpu:0> (%a = %0 : !gpu0, %b = %c : !gpu0) -> (!gpu0) {
    %2 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    hetero.yield %2 : tensor<8xf32>
  }
  %3 = hetero.copy %1 : !gpu0 -> !gpu1
  %4 = func.call @part(%3) : (!gpu1) -> !gpu1
  %5 = hetero.copy %4 : !gpu1 -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func @host_only(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// What is carried by a loop, and what a region captures from a branch.
// CHECK-LABEL: func.func @loop_on_host(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<8xf32>)
// CHECK: hetero.execute {{.*}} on #hetero.device<cpu:0>
// CHECK: scf.yield %{{.*}} : tensor<8xf32>{{$}}
!gpu = tensor<8xf32, #hetero.device<gpu:0>>
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = hetero.copy %x : tensor<8xf32> -> !gpu
  %1 = scf.for %i = %zero to %n step %one iter_args(%a = %0) -> !gpu {
    %2 = hetero.execute "loop_gpu0_0" on #hetero.device<gpu:0> (%b = %a : !gpu) -> (!gpu) {
      %3 = linalg.negf ins(%b : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      hetero.yield %3 : tensor<8xf32>
    }
    scf.yield %2 : !gpu
  }
  %4 = hetero.copy %1 : !gpu -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// A caller that has values on a device keeps them there.
// CHECK-LABEL: func.func @on_device(
// CHECK-NOT: func.func
!gpu = tensor<8xf32, #hetero.device<gpu:0>>
// expected-remark @+1 {{no variant for the host: its caller has values on a device}}
func.func @on_device(%x: !gpu {hetero.device = #hetero.device<gpu:0>}) -> tensor<8xf32> {
  %0 = hetero.copy %x : !gpu -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
