// RUN: hetero-opt %s --split-input-file --hetero-plan-memory --verify-diagnostics

#gpu0 = #hetero.device<gpu:0>
!gpu0 = memref<64xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.topology = #hetero.topology<
    devices = [
      #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000, compute = 1000, bandwidth = 1000, launch = 0>,
      #hetero.device_spec<device = #gpu0, memory = 700, compute = 1000, bandwidth = 1000, launch = 0>],
    links = [
      #hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 1000, latency = 0>,
      #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 1000, latency = 0>]>} {
memref.global "private" constant @weights : !gpu0 = dense<1.0>
// expected-error @+1 {{'f' needs 768 bytes on gpu:0 (512 of values, 256 of constants, 0 of state), which has 700; place fewer operations there, use smaller tensors, or correct the topology}}
func.func @f(%x: !gpu0) {
  // expected-note @+1 {{256 bytes for this value live at the peak}}
  %a = memref.alloc() : !gpu0
  linalg.exp ins(%x : !gpu0) outs(%a : !gpu0)
  // expected-note @+1 {{256 bytes for this value live at the peak}}
  %b = memref.alloc() : !gpu0
  linalg.exp ins(%a : !gpu0) outs(%b : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%x : !gpu0)
  return
}
}

// -----

// Sizes beyond what can be counted.
// expected-error @+2 {{of state), more than can be addressed; use smaller tensors}}
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @f() {
  // expected-note @+1 {{for this value live at the peak}}
  %a = memref.alloc() : memref<9223372036854775807xf32, #hetero.device<gpu:0>>
  linalg.exp ins(%a : memref<9223372036854775807xf32, #hetero.device<gpu:0>>) outs(%a : memref<9223372036854775807xf32, #hetero.device<gpu:0>>)
  return
}
}

// -----

// What a device keeps is too much by itself: no value of the function is there.

#gpu0 = #hetero.device<gpu:0>
!gpu0 = memref<64xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<scheduled>, hetero.topology = #hetero.topology<
    devices = [
      #hetero.device_spec<device = #hetero.device<cpu:0>, memory = 1000000, compute = 1000, bandwidth = 1000, launch = 0>,
      #hetero.device_spec<device = #gpu0, memory = 700, compute = 1000, bandwidth = 1000, launch = 0>],
    links = [
      #hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 1000, latency = 0>,
      #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 1000, latency = 0>]>} {
memref.global "private" @sums : memref<128xf32, #gpu0> = dense<0.0>
memref.global "private" constant @weights : !gpu0 = dense<1.0>
// expected-error @+1 {{'g' needs 768 bytes on gpu:0 (0 of values, 256 of constants, 512 of state), which has 700; place fewer operations there, use smaller tensors, or correct the topology}}
func.func @g() {
  %s = memref.get_global @sums : memref<128xf32, #gpu0>
  linalg.exp ins(%s : memref<128xf32, #gpu0>) outs(%s : memref<128xf32, #gpu0>)
  return
}
}
