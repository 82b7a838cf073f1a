// Callers on different devices: a callee gets its signature from its calls, and
// a clone per signature.
//
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies --hetero-optimize-copies --hetero-verify | FileCheck %s
// RUN: hetero-run %s --entry=two_callers --input=4xf32=iota --expected=4xf32=3,4,5,6 --expected=4xf32=6,7,8,9
// RUN: hetero-run %s --entry=recursive --input=4xf32=iota --input=i32=3 --expected=4xf32=0,8,16,24

// What surrounds the calls is on two devices, and nothing crosses but the
// argument and the result of those on the gpu.

// CHECK-LABEL: @two_callers(
// CHECK: hetero.copy %arg0 {{.*}} -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: call @[[HOST:plus_one[_0-9]*]]({{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: call @[[GPU:plus_one[_0-9]*]]({{.*}} : (tensor<4xf32, #hetero.device<gpu:0>>) -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NOT: hetero.copy
// CHECK: func.func private @plus_one
// CHECK: func.func private @plus_one
// CHECK-NOT: func.func private @plus_one
module attributes {hetero.topology = #hetero.topology<devices = [
  #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>,
  #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 1000000000, compute = 1000000000000, bandwidth = 50000000000>],
  links = [
  #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 25000000000, latency = 8000000>,
  #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 25000000000, latency = 8000000>]>} {
  func.func @two_callers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %0 = arith.addf %x, %two {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
    %1 = func.call @plus_one(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = arith.addf %x, %two {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %3 = func.call @plus_one(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = arith.addf %3, %two {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %5 = arith.addf %4, %one {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    return %1, %5 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @plus_one(%x: tensor<4xf32>) -> tensor<4xf32> {
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %0 = arith.addf %x, %one : tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // A function that calls itself has one signature.

  // CHECK-LABEL: @recursive(
  // CHECK: call @double(
  // CHECK-LABEL: func.func private @double(
  // CHECK: call @double(
  // CHECK-NOT: func.func private @double
  func.func @recursive(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
    %0 = func.call @double(%x, %n) : (tensor<4xf32>, i32) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @double(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = arith.cmpi sgt, %n, %c0 : i32
    %r = scf.if %p -> tensor<4xf32> {
      %m = arith.subi %n, %c1 : i32
      %0 = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
      %1 = func.call @double(%0, %m) : (tensor<4xf32>, i32) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}
