// One program on a device that shares the host's memory and on one that does
// not: what is on the unified link is one buffer, and what crosses the other
// link is allocated and copied there. All of a megabyte.

// The host and gpu:0 have the five values in one place each, gpu:0 allocates
// nothing, and gpu:1 has what it reads and makes. No copy is one of gpu:0.
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=1" hetero-run %s --entry=main --input=262144xf32=2 --expected=262144xf32=12 --expected=262144xf32=20 --report | FileCheck %s --check-prefix=MAIN
// MAIN: as expected
// MAIN-NEXT: copies: 3, 3145728 bytes
// MAIN-NOT: {{cpu:0 .*gpu:0|gpu:0 .*cpu:0|gpu:0 .*gpu:1|gpu:1 .*gpu:0}}
// MAIN: memory peaks:
// MAIN-NEXT: device
// MAIN-NEXT: cpu:0 {{ *}}5242880{{$}}
// MAIN-NEXT: gpu:0 {{ *}}0{{$}}
// MAIN-NEXT: gpu:1 {{ *}}3145728{{$}}
// MAIN: links:
// MAIN-NEXT: from
// MAIN-NEXT: cpu:0 {{ *}}gpu:1 {{ *}}2097152 {{ *}}2{{$}}
// MAIN-NEXT: gpu:1 {{ *}}cpu:0 {{ *}}1048576 {{ *}}1{{$}}
// MAIN-NEXT: devices:
// MAIN: gpu:0 {{ *}}0 {{ *}}{{[1-9]}}

// The same value goes to and fro in a loop: each step crosses the discrete link
// twice, and the unified one as a wait.
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=2" hetero-run %s --entry=loop --input=262144xf32=1 --input=index=3 --expected=262144xf32=22 --report | FileCheck %s --check-prefix=LOOP
// LOOP: as expected
// LOOP-NEXT: copies: 6, 6291456 bytes
// LOOP: memory peaks:
// LOOP-NEXT: device
// LOOP-NEXT: cpu:0 {{ *}}5242880{{$}}
// LOOP-NEXT: gpu:0 {{ *}}0{{$}}
// LOOP-NEXT: gpu:1 {{ *}}2097152{{$}}
// LOOP: links:
// LOOP-NEXT: from
// LOOP-NEXT: cpu:0 {{ *}}gpu:1 {{ *}}3145728 {{ *}}3{{$}}
// LOOP-NEXT: gpu:1 {{ *}}cpu:0 {{ *}}3145728 {{ *}}3{{$}}
// LOOP-NEXT: devices:

// Sizes that are known when it runs, a function that both devices call, and
// slices of what is shared.
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=3" hetero-run %s --entry=slices --input=8x6xf32=iota --input=index=3 --expected=3x2xf32=8,12,32,36,56,60 --expected=8x6xf32=0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,80,82,84,86,88,90,92,94 --report | FileCheck %s --check-prefix=SLICES
// SLICES: as expected
// SLICES-NEXT: copies: 2, 48 bytes
// SLICES: memory peaks:
// SLICES: gpu:0 {{ *}}0{{$}}
// SLICES-NEXT: gpu:1 {{ *}}48{{$}}
// SLICES: links:
// SLICES-NEXT: from
// SLICES-NEXT: cpu:0 {{ *}}gpu:1 {{ *}}24 {{ *}}1{{$}}
// SLICES-NEXT: gpu:1 {{ *}}cpu:0 {{ *}}24 {{ *}}1{{$}}
// SLICES-NEXT: devices:

// RUN: env HETERO_EMULATOR="devices=2" hetero-run %s --entry=main --input=262144xf32=2 --check=3 | FileCheck %s --check-prefix=CHECKED
// RUN: env HETERO_EMULATOR="devices=2" hetero-run %s --entry=loop --input=262144xf32=1 --input=index=3 --check=3 | FileCheck %s --check-prefix=CHECKED
// CHECKED: 0 differ

#cpu = #hetero.device<cpu:0>
#near = #hetero.device<gpu:0>
#far = #hetero.device<gpu:1>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #near, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>,
    #hetero.device_spec<device = #far, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>],
  links = [
    #hetero.link<from = #cpu, to = #near, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #near, to = #cpu, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #cpu, to = #far, bandwidth = 12000000000, latency = 1000>,
    #hetero.link<from = #far, to = #cpu, bandwidth = 12000000000, latency = 1000>]>} {

func.func @main(%x: tensor<262144xf32>) -> (tensor<262144xf32>, tensor<262144xf32>) {
  %0 = arith.addf %x, %x {hetero.device = #near} : tensor<262144xf32>
  %1 = arith.mulf %0, %x {hetero.device = #far} : tensor<262144xf32>
  %2 = arith.addf %1, %0 {hetero.device = #cpu} : tensor<262144xf32>
  %3 = arith.addf %2, %1 {hetero.device = #near} : tensor<262144xf32>
  return %2, %3 : tensor<262144xf32>, tensor<262144xf32>
}

// 2 x + 2 each time, in three places.
func.func @loop(%x: tensor<262144xf32>, %n: index) -> tensor<262144xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<262144xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<262144xf32> {
    %0 = arith.addf %v, %v {hetero.device = #near} : tensor<262144xf32>
    %1 = arith.addf %0, %one {hetero.device = #far} : tensor<262144xf32>
    %2 = arith.addf %1, %one {hetero.device = #cpu} : tensor<262144xf32>
    scf.yield %2 : tensor<262144xf32>
  }
  return %r : tensor<262144xf32>
}

func.func private @double(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = arith.addf %x, %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @slices(%x: tensor<8x6xf32>, %n: index) -> (tensor<?x2xf32>, tensor<8x6xf32>) {
  %0 = arith.addf %x, %x {hetero.device = #near} : tensor<8x6xf32>
  %1 = tensor.extract_slice %0[0, 2] [%n, 2] [1, 1] : tensor<8x6xf32> to tensor<?x2xf32>
  %2 = math.absf %1 {hetero.device = #near} : tensor<?x2xf32>
  %3 = func.call @double(%2) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %4 = math.absf %3 {hetero.device = #far} : tensor<?x2xf32>
  return %4, %0 : tensor<?x2xf32>, tensor<8x6xf32>
}

}
