// RUN: hetero-opt %s --split-input-file --hetero-stream-constants --verify-diagnostics

// The constants of one operation do not fit, whatever else is streamed.

#gpu0 = #hetero.device<gpu:0>
module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             <device = <gpu:0>, memory = 2048, compute = 1000000000, bandwidth = 1000000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000000000, latency = 1000>]>} {
memref.global "private" constant @a : memref<256xf32, #gpu0> = dense<1.0>
memref.global "private" constant @b : memref<256xf32, #gpu0> = dense<2.0>
func.func @add(%x: memref<256xf32, #gpu0>) {
  %a = memref.get_global @a : memref<256xf32, #gpu0>
  %b = memref.get_global @b : memref<256xf32, #gpu0>
  // expected-error@+1 {{'linalg.add' op needs 2048 bytes of constants on gpu:0 at once, beside 1024 bytes of values and 0 bytes of constants that cannot be streamed, but gpu:0 has 2048 bytes; give it 3072 by memory-budget or its device_spec, split the constants, or place less there}}
  linalg.add ins(%a, %b : memref<256xf32, #gpu0>, memref<256xf32, #gpu0>) outs(%x : memref<256xf32, #gpu0>)
  return
}
}
