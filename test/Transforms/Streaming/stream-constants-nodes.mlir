// RUN: hetero-opt %s --hetero-stream-constants --verify-roundtrip | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-stream-constants --hetero-schedule --hetero-verify -o /dev/null

// What gpu:0@1 has no room for stays on the host of its node.
#gpu1 = #hetero.device<gpu:0, node = 1>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <cpu:0, node = 1>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0, node = 1>, memory = 4096, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0, node = 1>, to = <gpu:0, node = 1>, bandwidth = 1000000000, latency = 1000>,
           <from = <gpu:0, node = 1>, to = <cpu:0, node = 1>, bandwidth = 1000000000, latency = 1000>],
  network = #hetero.network<bandwidth = 1000000000, latency = 1000>>} {
// CHECK: memref.global "private" constant @a : memref<256xf32, #hetero.device<gpu:0, node = 1>>
// CHECK: memref.global "private" constant @b_host : memref<256xf32, #hetero.device<cpu:0, node = 1>> =
// CHECK: memref.global "private" constant @c_host : memref<256xf32, #hetero.device<cpu:0, node = 1>> =
// CHECK: memref.global "private" constant @d_host : memref<256xf32, #hetero.device<cpu:0, node = 1>> =
memref.global "private" constant @a : memref<256xf32, #gpu1> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu1> = dense<2.0>
memref.global "private" constant @c : memref<256xf32, #gpu1> = dense<3.0>
memref.global "private" constant @d : memref<256xf32, #gpu1> = dense<4.0>
// CHECK-LABEL: func.func @main
// CHECK: %[[HB:.*]] = memref.get_global @b_host : memref<256xf32, #hetero.device<cpu:0, node = 1>> {hetero.streamed}
// CHECK: memref.copy %[[HB]], %{{.*}} {hetero.value = "b"}
func.func @main(%i: memref<f32>) -> memref<f32> {
  %x = memref.alloc() : memref<f32, #gpu1>
  memref.copy %i, %x : memref<f32> to memref<f32, #gpu1>
  %a = memref.get_global @a : memref<256xf32, #gpu1>
  %b = memref.get_global @b : memref<256xf32, #gpu1>
  %c = memref.get_global @c : memref<256xf32, #gpu1>
  %d = memref.get_global @d : memref<256xf32, #gpu1>
  linalg.reduce ins(%a : memref<256xf32, #gpu1>) outs(%x : memref<f32, #gpu1>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%b : memref<256xf32, #gpu1>) outs(%x : memref<f32, #gpu1>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%c : memref<256xf32, #gpu1>) outs(%x : memref<f32, #gpu1>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  linalg.reduce ins(%d : memref<256xf32, #gpu1>) outs(%x : memref<f32, #gpu1>) dimensions = [0] (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
  %r = memref.alloc() : memref<f32>
  memref.copy %x, %r : memref<f32, #gpu1> to memref<f32>
  return %r : memref<f32>
}
}
