// Small values that go to one device cross as one, as do those that come back;
// the numbers are those of the host, and of a machine without a latency to save,
// where each crosses by itself.

// RUN: rm -f %t.log
// RUN: env HETERO_EMULATOR=log=%t.log hetero-run %s --entry=on_gpu --topology='#hetero.topology<devices = [<device = <cpu:0>, compute = 1000000000000, bandwidth = 50000000000>, <device = <gpu:0>, compute = 1000000000000, bandwidth = 50000000000>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 12000000000, latency = 10000000>, <from = <gpu:0>, to = <cpu:0>, bandwidth = 12000000000, latency = 10000000>]>' --input=8x4xf32=iota --input=4xf32=1,2,3,4 --input=4xf64=2 --input=2xi32=10,20 --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy --report | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log
// CHECK: copies: 2, 464 bytes
// CHECK: %arg1 of @on_gpu, %arg0 of @on_gpu, %arg2 of @on_gpu, %arg3 of @on_gpu {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}264 {{ *}}1
// CHECK: linalg.add {{.*}}, linalg.mul {{.*}}, linalg.add {{.*}}gpu:0 {{ *}}cpu:0 {{ *}}200 {{ *}}1
// LOG-NOT: h2d
// LOG: "kind": "h2d", "bytes": 264
// LOG-NOT: h2d
// LOG: "kind": "d2h", "bytes": 200
// LOG-NOT: memcpy

// RUN: hetero-run %s --entry=on_host --input=8x4xf32=iota --input=4xf32=1,2,3,4 --input=4xf64=2 --input=2xi32=10,20 --expected=@%t.0.npy --expected=@%t.1.npy --expected=@%t.2.npy | FileCheck %s --check-prefix=SAME
// RUN: hetero-run %s --entry=on_gpu --topology='#hetero.topology<devices = [<device = <cpu:0>, compute = 1000, bandwidth = 1000>, <device = <gpu:0>, compute = 1000, bandwidth = 1000>], links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000, latency = 0>, <from = <gpu:0>, to = <cpu:0>, bandwidth = 1000, latency = 0>]>' --input=8x4xf32=iota --input=4xf32=1,2,3,4 --input=4xf64=2 --input=2xi32=10,20 --expected=@%t.0.npy --expected=@%t.1.npy --expected=@%t.2.npy --report | FileCheck %s --check-prefixes=SAME,APART
// SAME: 3 result(s) as expected
// APART: copies: 7, 352 bytes

#gpu = #hetero.device<gpu:0>
!m = tensor<8x4xf32>

func.func @on_gpu(%x: !m, %bias: tensor<4xf32>, %scale: tensor<4xf64>, %n: tensor<2xi32>) -> (!m, tensor<4xf64>, tensor<2xi32>) {
  %e = tensor.empty() : !m
  %f = tensor.empty() : tensor<4xf64>
  %g = tensor.empty() : tensor<2xi32>
  %0 = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : !m) dimensions = [0] {hetero.device = #gpu}
  %1 = linalg.add {hetero.device = #gpu} ins(%x, %0 : !m, !m) outs(%e : !m) -> !m
  %2 = linalg.mul {hetero.device = #gpu} ins(%scale, %scale : tensor<4xf64>, tensor<4xf64>) outs(%f : tensor<4xf64>) -> tensor<4xf64>
  %3 = linalg.add {hetero.device = #gpu} ins(%n, %n : tensor<2xi32>, tensor<2xi32>) outs(%g : tensor<2xi32>) -> tensor<2xi32>
  return %1, %2, %3 : !m, tensor<4xf64>, tensor<2xi32>
}

func.func @on_host(%x: !m, %bias: tensor<4xf32>, %scale: tensor<4xf64>, %n: tensor<2xi32>) -> (!m, tensor<4xf64>, tensor<2xi32>) {
  %e = tensor.empty() : !m
  %f = tensor.empty() : tensor<4xf64>
  %g = tensor.empty() : tensor<2xi32>
  %0 = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : !m) dimensions = [0]
  %1 = linalg.add ins(%x, %0 : !m, !m) outs(%e : !m) -> !m
  %2 = linalg.mul ins(%scale, %scale : tensor<4xf64>, tensor<4xf64>) outs(%f : tensor<4xf64>) -> tensor<4xf64>
  %3 = linalg.add ins(%n, %n : tensor<2xi32>, tensor<2xi32>) outs(%g : tensor<2xi32>) -> tensor<2xi32>
  return %1, %2, %3 : !m, tensor<4xf64>, tensor<2xi32>
}
