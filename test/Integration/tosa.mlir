// TOSA is placed as it is written and runs on every device.

// DEFINE: %{run} = hetero-run %s --entry
// DEFINE: %{cpu} = --rules='default: cpu'
// DEFINE: %{gpu} = --rules='{default: "gpu:0"}'

// RUN: %{run}=add %{cpu} --input=4xf32=1 --input=1xf32=2 --expected=4xf32=3
// RUN: %{run}=add %{gpu} --input=4xf32=1 --input=1xf32=2 --expected=4xf32=3 --report | FileCheck %s --check-prefix=KERNEL
// RUN: %{run}=add --input=4xf32=1 --input=1xf32=2 --expected=4xf32=3
// KERNEL: gpu:0 kernel
func.func @add(%a: tensor<4xf32>, %b: tensor<1xf32>) -> tensor<4xf32> {
  %0 = tosa.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Dynamic sizes are broadcast when the program runs.
// RUN: %{run}=dynamic %{cpu} --input=3x4xf32=1 --input=1x4xf32=2 --expected=3x4xf32=3
// RUN: %{run}=dynamic %{gpu} --input=3x4xf32=1 --input=1x4xf32=2 --expected=3x4xf32=3
// RUN: %{run}=dynamic --input=3x4xf32=1 --input=3x4xf32=2 --expected=3x4xf32=3
func.func @dynamic(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Some operations on the host, some on a device; constants go along.
// RUN: %{run}=network %{cpu} --input=1x4x4x1xf32=1 --expected=1x4xf32=5,5,5,5
// RUN: %{run}=network %{gpu} --input=1x4x4x1xf32=1 --expected=1x4xf32=5,5,5,5
// RUN: %{run}=network --input=1x4x4x1xf32=1 --expected=1x4xf32=5,5,5,5
// RUN: %{run}=network --rules='{rules: [{op: "tosa.conv2d", device: "gpu:0"}], default: cpu}' --input=1x4x4x1xf32=1 --expected=1x4xf32=5,5,5,5
// RUN: hetero-opt %s --hetero-pipeline='rules={rules: [{op: "tosa.conv2d", device: "gpu:0"}], default: cpu} stop-after=placed' | FileCheck %s --check-prefix=PLACED
// PLACED-LABEL: func.func @network
// PLACED: tosa.conv2d
// PLACED-SAME: hetero.device = #hetero.device<gpu:0>
func.func @network(%x: tensor<1x4x4x1xf32>) -> tensor<1x4xf32> {
  %w = "tosa.const"() <{values = dense<1.0> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %b = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %s = tosa.const_shape {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %1, %s : (tensor<1x2x2x1xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// RUN: %{run}=product %{cpu} --input=1x2x3xf32=iota --input=1x3x2xf32=iota --expected=1x2x1xf32=13,40
// RUN: %{run}=product %{gpu} --input=1x2x3xf32=iota --input=1x3x2xf32=iota --expected=1x2x1xf32=13,40
// RUN: %{run}=product --input=1x2x3xf32=iota --input=1x3x2xf32=iota --expected=1x2x1xf32=13,40
func.func @product(%a: tensor<1x2x3xf32>, %b: tensor<1x3x2xf32>) -> tensor<1x2x1xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<1x2x2xf32>) -> tensor<1x2x1xf32>
  return %1 : tensor<1x2x1xf32>
}

// RUN: %{run}=places %{cpu} --input=1x3x2xf32=iota --input=1x2xi32=2,0 --expected=1x2x2xf32=4,5,0,1
// RUN: %{run}=places %{gpu} --input=1x3x2xf32=iota --input=1x2xi32=2,0 --expected=1x2x2xf32=4,5,0,1
// RUN: %{run}=places --input=1x3x2xf32=iota --input=1x2xi32=2,0 --expected=1x2x2xf32=4,5,0,1
// RUN: not %{run}=places %{cpu} --input=1x3x2xf32=iota --input=1x2xi32=3,0 2>&1 | FileCheck %s --check-prefix=PLACES
// PLACES: to stay inside dimension 1
func.func @places(%t: tensor<1x3x2xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x2xf32> {
  %0 = tosa.gather %t, %i : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// A scatter becomes loops on the host.
// RUN: %{run}=scatter %{cpu} --input=1x3x2xf32=9 --input=1x2xi32=2,0 --input=1x2x2xf32=iota --expected=1x3x2xf32=2,3,9,9,0,1
// RUN: %{run}=scatter %{gpu} --input=1x3x2xf32=9 --input=1x2xi32=2,0 --input=1x2x2xf32=iota --expected=1x3x2xf32=2,3,9,9,0,1
func.func @scatter(%v: tensor<1x3x2xf32>, %i: tensor<1x2xi32>, %x: tensor<1x2x2xf32>) -> tensor<1x3x2xf32> {
  %0 = tosa.scatter %v, %i, %x : (tensor<1x3x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x3x2xf32>
  return %0 : tensor<1x3x2xf32>
}

// Control flow is the host's, what is in it goes where it should.
// RUN: %{run}=loop %{cpu} --input=4xf32=1 --input=i32=0 --expected=4xf32=4
// RUN: %{run}=loop %{gpu} --input=4xf32=1 --input=i32=0 --expected=4xf32=4
// RUN: %{run}=loop --input=4xf32=1 --input=i32=0 --expected=4xf32=4
func.func @loop(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %end = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = tosa.while_loop (%i = %n, %v = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %1 = tosa.greater %end, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %1 = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = tosa.add %v, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// RUN: %{run}=branch %{cpu} --input=i1=1 --input=4xf32=3 --expected=4xf32=6
// RUN: %{run}=branch %{gpu} --input=i1=0 --input=4xf32=3 --expected=4xf32=0
// RUN: %{run}=branch --input=i1=1 --input=4xf32=3 --expected=4xf32=6
func.func @branch(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.cond_if"(%p, %x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = tosa.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    %1 = tosa.sub %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }) : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What no region takes: a constant that is returned as it is, and scalars.
// RUN: %{run}=scaled %{cpu} --input=i32=-1000 --expected=2xi32=7,-9 --expected=i32=-500
// RUN: %{run}=scaled %{gpu} --input=i32=-1000 --expected=2xi32=7,-9 --expected=i32=-500
// RUN: %{run}=scaled --input=i32=-1000 --expected=2xi32=7,-9 --expected=i32=-500
func.func @scaled(%x: i32) -> (tensor<2xi32>, i32) {
  %c = "tosa.const"() {values = dense<[7, -9]> : tensor<2xi32>} : () -> tensor<2xi32>
  %m = arith.constant 1073741824 : i32
  %s = arith.constant 31 : i8
  %0 = tosa.apply_scale %x, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
  return %c, %0 : tensor<2xi32>, i32
}
