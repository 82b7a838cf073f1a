// On the virtual clock each rank has a host of its own: how long a call takes
// all of them is the same in every run, whatever delays messages have.

// RUN: env HETERO_EMULATOR=clock=virtual hetero-run %s --nodes=in-process --input=65536xf32=2 --expected=65536xf32=16 --print-max=1 --report > %t.first
// RUN: env HETERO_EMULATOR=clock=virtual,threads=1 hetero-run %s --nodes=in-process --node-seed=1 --input=65536xf32=2 --expected=65536xf32=16 --print-max=1 --report > %t.second
// RUN: FileCheck %s < %t.first
// RUN: grep "^call:" %t.first > %t.a
// RUN: grep "^call:" %t.second | diff %t.a -

// A link has the default's 10 GB/s and 5 us: 262,144 bytes take 31.2 us, twice.
// What the gpu and the host of node 1 do overlaps with nothing.

// CHECK: 1 result(s) as expected
// CHECK: nodes: 2, between them 524288 bytes in 2 transfers
// CHECK: call: {{1[0-9][0-9]\.[0-9]+}} us on the virtual clock, predicted {{1[0-9][0-9]\.[0-9]+}} us, bound {{[0-9.]+}} us

// Requests overlap: all nodes serve as many.
// RUN: env HETERO_EMULATOR=clock=virtual hetero-run %s --nodes=in-process --requests=8 --input=65536xf32=2 --expected=65536xf32=16 --print-max=1 --report | FileCheck %s --check-prefix=REQUESTS
// REQUESTS: 8 result(s) as expected
// REQUESTS: requests: 8,

#gpu = #hetero.device<gpu:0, node = 1>

func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %a = arith.addf %x, %x {hetero.device = #hetero.device<cpu:0>} : tensor<65536xf32>
  %b = arith.mulf %a, %a {hetero.device = #gpu} : tensor<65536xf32>
  return %b : tensor<65536xf32>
}
