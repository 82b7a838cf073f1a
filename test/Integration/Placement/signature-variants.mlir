// Signatures by device, executed: callers inside use a variant of a public
// function where the tensors are, and an argument that is asked for on two
// devices is two, of private functions and of the variants of public ones.

// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies | FileCheck %s
// CHECK: func.func @layer(%{{[^:]*}}: tensor<64xf32>) -> tensor<64xf32>
// CHECK: func.func private @layer_device(%{{[^:]*}}: tensor<64xf32, #hetero.device<gpu:0>> {{.*}}) -> (tensor<64xf32, #hetero.device<gpu:0>>
// CHECK: func.func @main(%{{[^:]*}}: tensor<64xf32>) -> tensor<64xf32>
// CHECK: call @layer_device(
// CHECK: func.func private @both(%{{[^:]*}}: tensor<64xf32, #hetero.device<gpu:0>> {{.*}}, %{{[^:]*}}: tensor<64xf32, #hetero.device<gpu:1>>
// CHECK: call @both(
// CHECK: func.func @public_both(%{{[^:]*}}: tensor<64xf32> {
// CHECK: func.func private @public_both_device(%{{[^:]*}}: tensor<64xf32, #hetero.device<gpu:0>> {{.*}}, %{{[^:]*}}: tensor<64xf32, #hetero.device<gpu:1>>
// CHECK: call @public_both_device(

// Nothing crosses at a call inside, and the public function runs on the host.
// RUN: hetero-run %s --entry=main --input=64xf32=0 --print-max=1 --expected=64xf32=2 --report | FileCheck %s --check-prefix=INSIDE
// INSIDE: copies: 2, 512 bytes
// INSIDE: gpu:0 {{ *}}kernel {{ *}}layer_device_gpu0
// RUN: hetero-run %s --entry=layer --input=64xf32=-1 --expected=64xf32=1 --report | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: copies: 0, 0 bytes
// OUTSIDE: cpu:0 {{ *}}host region {{ *}}layer_cpu0

// RUN: hetero-run %s --entry=calls_both --input=64xf32=-3 --expected=64xf32=3 --expected=64xf32=3 --report | FileCheck %s --check-prefix=TWICE
// RUN: hetero-run %s --entry=public_both --input=64xf32=-3 --expected=64xf32=3 --expected=64xf32=3 --report | FileCheck %s --check-prefix=TWICE
// RUN: hetero-run %s --entry=calls_public --input=64xf32=-3 --expected=64xf32=3 --expected=64xf32=3 --report | FileCheck %s --check-prefix=TWICE
// TWICE: as expected
// TWICE-NEXT: copies: 4, 1024 bytes
// TWICE: links:
// TWICE-NEXT: from
// TWICE-NEXT: cpu:0 {{ *}}gpu:0 {{ *}}256 {{ *}}1{{$}}
// TWICE-NEXT: cpu:0 {{ *}}gpu:1 {{ *}}256 {{ *}}1{{$}}
// TWICE-NEXT: gpu:0 {{ *}}cpu:0 {{ *}}256 {{ *}}1{{$}}
// TWICE-NEXT: gpu:1 {{ *}}cpu:0 {{ *}}256 {{ *}}1{{$}}

#g0 = #hetero.device<gpu:0>
#g1 = #hetero.device<gpu:1>
// Public: keeps its signature; callers inside have a device variant.
func.func @layer(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.exp %x {hetero.device = #g0} : tensor<64xf32>
  %1 = func.call @layer(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = math.exp2 %1 {hetero.device = #g0} : tensor<64xf32>
  return %2 : tensor<64xf32>
}
// A caller asks that the argument is taken on both devices.
func.func private @both(%x: tensor<64xf32> {hetero.conflict = #hetero.conflict<replicate>}) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = arith.negf %x {hetero.device = #g0} : tensor<64xf32>
  %1 = math.absf %x {hetero.device = #g1} : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
func.func @calls_both(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = func.call @both(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}
func.func @public_both(%x: tensor<64xf32> {hetero.conflict = #hetero.conflict<replicate>}) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = arith.negf %x {hetero.device = #g0} : tensor<64xf32>
  %1 = math.absf %x {hetero.device = #g1} : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
func.func @calls_public(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = func.call @public_both(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}
