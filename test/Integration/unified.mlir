// Devices that share memory: over a unified link nothing moves, and a buffer is
// there once. A copy stays where one side overwrites what the other still reads.

// One buffer for each value: two arguments, one of the device, and the result.
// RUN: hetero-run %s --entry=main --input=1024xf32=1 --input=1024xf32=1.5 --expected=1024xf32=3 --report | FileCheck %s --check-prefix=ONCE
// ONCE: copies: 0, 0 bytes
// ONCE: memory peaks:
// ONCE-NEXT: device
// ONCE-NEXT: cpu:0 {{ *}}16384{{$}}
// ONCE-NEXT: gpu:0 {{ *}}0{{$}}
// ONCE-NOT: links:

// The device reads first: the host waits before it overwrites.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=in_turns --input=2x2xf32=1,2,3,4 --input=2x2xf32=1 --expected=2x2xf32=7,8,13,14 --report | FileCheck %s --check-prefix=ALIAS
// A loop that carries a value from device to device.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=steps --input=3xf32=1,2,3 --input=index=4 --expected=3xf32=16,32,48 --report | FileCheck %s --check-prefix=ALIAS
// A loop of one device, before and after the other.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=ondevice --input=3xf32=1,2,3 --input=index=4 --expected=3xf32=32,64,96 --report | FileCheck %s --check-prefix=ALIAS
// A view of dynamic size.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=dynamic --input=7xf32=iota --input=index=3 --expected=3xf32=2,4,6 --report | FileCheck %s --check-prefix=ALIAS
// Functions of a device, one of which returns its argument.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=calls --input=3xf32=1,2,3 --expected=3xf32=4,8,12 --report | FileCheck %s --check-prefix=ALIAS
// Results of either side.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=device_result --input=3xf32=1,2,3 --expected=3xf32=2,4,6 --expected=3xf32=2,4,6 --report | FileCheck %s --check-prefix=ALIAS
// Donated arguments, of the device and of the host.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=donated --input=2x2xf32=1 --input=2x2xf32=1 --expected=2x2xf32=3 --report | FileCheck %s --check-prefix=ALIAS
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=donated_host --input=2x2xf32=1 --input=2x2xf32=1 --expected=2x2xf32=3 --report | FileCheck %s --check-prefix=ALIAS
// A constant of the host that a device reads, too.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=constants --input=3xf32=1 --expected=3xf32=5,7,9 --expected=3xf32=4,6,8 --report | FileCheck %s --check-prefix=ALIAS
// ALIAS: as expected
// ALIAS-NEXT: copies: 0, 0 bytes
// ALIAS-NOT: only the end of a call freed

// What the caller has on the device is not addressed by the host.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=device_argument --input=3xf32=1,2,3 --expected=3xf32=2,4,6 --report | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: copies: 1, 12 bytes
// ARGUMENT-NEXT: value
// ARGUMENT-NEXT: argument 0 of @device_argument {{ *}}gpu:0 {{ *}}cpu:0 {{ *}}12 {{ *}}1{{$}}

// One side overwrites what the other reads after that.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=overwritten --input=2x2xf32=1,2,3,4 --input=2x2xf32=1 --expected=2x2xf32=9,11,17,19 --report | FileCheck %s --check-prefix=OVERWRITTEN
// OVERWRITTEN: copies: 1, 16 bytes
// OVERWRITTEN-NEXT: value
// OVERWRITTEN-NEXT: gpu:0 {{ *}}cpu:0 {{ *}}16 {{ *}}1{{$}}
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=overwritten_on_host --input=2x2xf32=1,2,3,4 --input=2x2xf32=1 --expected=2x2xf32=9,11,17,19 --report | FileCheck %s --check-prefix=OVERWRITTEN-ON-HOST
// OVERWRITTEN-ON-HOST: copies: 1, 16 bytes
// OVERWRITTEN-ON-HOST-NEXT: value
// OVERWRITTEN-ON-HOST-NEXT: cpu:0 {{ *}}gpu:0 {{ *}}16 {{ *}}1{{$}}

// In each iteration of a loop.
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=loops --input=3xf32=1,2,3 --input=index=3 --expected=3xf32=16,32,48 --report | FileCheck %s --check-prefix=LOOPS
// LOOPS: as expected
// LOOPS-NOT: only the end of a call freed
// RUN: hetero-run %s --entry=loops --input=3xf32=1,2,3 --input=index=0 --expected=3xf32=2,4,6

#gpu = #hetero.device<gpu:0>
#cpu = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #gpu, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>],
  links = [
    #hetero.link<from = #cpu, to = #gpu, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #gpu, to = #cpu, bandwidth = 12000000000, latency = 1000, unified = true>]>} {

func.func @main(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = arith.addf %x, %y {hetero.device = #gpu} : tensor<1024xf32>
  %1 = math.ceil %0 {hetero.device = #cpu} : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

func.func @in_turns(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = arith.addf %x, %y {hetero.device = #cpu} : tensor<2x2xf32>
  %1 = math.ceil %0 {hetero.device = #gpu} : tensor<2x2xf32>
  %2 = linalg.matmul {hetero.device = #cpu} ins(%1, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

func.func @steps(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<3xf32> {
    %0 = arith.addf %v, %v {hetero.device = #gpu} : tensor<3xf32>
    %1 = math.ceil %0 {hetero.device = #cpu} : tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

func.func @ondevice(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.addf %x, %x {hetero.device = #cpu} : tensor<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %z) -> tensor<3xf32> {
    %0 = arith.addf %v, %v {hetero.device = #gpu} : tensor<3xf32>
    scf.yield %0 : tensor<3xf32>
  }
  %1 = math.ceil %r {hetero.device = #cpu} : tensor<3xf32>
  return %1 : tensor<3xf32>
}

func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = arith.addf %0, %0 {hetero.device = #gpu} : tensor<?xf32>
  %2 = math.ceil %1 {hetero.device = #cpu} : tensor<?xf32>
  return %2 : tensor<?xf32>
}

func.func private @callee(%x: tensor<3xf32> {hetero.device = #gpu}) -> (tensor<3xf32> {hetero.device = #gpu}) {
  %0 = arith.addf %x, %x {hetero.device = #gpu} : tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func private @id(%x: tensor<3xf32> {hetero.device = #gpu}) -> (tensor<3xf32> {hetero.device = #gpu}) {
  return %x : tensor<3xf32>
}

func.func @calls(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = math.ceil %x {hetero.device = #cpu} : tensor<3xf32>
  %1 = call @callee(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = math.ceil %1 {hetero.device = #cpu} : tensor<3xf32>
  %3 = call @callee(%2) : (tensor<3xf32>) -> tensor<3xf32>
  %4 = call @id(%3) : (tensor<3xf32>) -> tensor<3xf32>
  %5 = math.ceil %4 {hetero.device = #cpu} : tensor<3xf32>
  return %5 : tensor<3xf32>
}

func.func @device_result(%x: tensor<3xf32>) -> (tensor<3xf32> {hetero.device = #gpu}, tensor<3xf32>) {
  %0 = arith.addf %x, %x {hetero.device = #gpu} : tensor<3xf32>
  %1 = math.ceil %0 {hetero.device = #cpu} : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

func.func @donated(%x: tensor<2x2xf32> {hetero.device = #gpu, hetero.donated}, %y: tensor<2x2xf32>) -> (tensor<2x2xf32> {hetero.device = #gpu}) {
  %0 = math.ceil %y {hetero.device = #cpu} : tensor<2x2xf32>
  %1 = linalg.matmul {hetero.device = #gpu} ins(%0, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

func.func @donated_host(%x: tensor<2x2xf32> {hetero.donated}, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %1 = linalg.matmul {hetero.device = #gpu} ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

func.func @constants(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = arith.constant {hetero.device = #cpu} dense<[4.0, 6.0, 8.0]> : tensor<3xf32>
  %0 = arith.addf %x, %c {hetero.device = #gpu} : tensor<3xf32>
  %1 = arith.mulf %x, %c {hetero.device = #cpu} : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

func.func @device_argument(%x: tensor<3xf32> {hetero.device = #gpu}) -> tensor<3xf32> {
  %0 = math.ceil %x {hetero.device = #cpu} : tensor<3xf32>
  %1 = arith.addf %x, %0 {hetero.device = #gpu} : tensor<3xf32>
  return %1 : tensor<3xf32>
}

func.func @overwritten(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = arith.addf %x, %y {hetero.device = #gpu} : tensor<2x2xf32>
  %1 = math.ceil %0 {hetero.device = #cpu} : tensor<2x2xf32>
  %2 = linalg.matmul {hetero.device = #gpu} ins(%1, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = arith.addf %2, %0 {hetero.device = #cpu} : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

func.func @overwritten_on_host(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = arith.addf %x, %y {hetero.device = #cpu} : tensor<2x2xf32>
  %1 = math.ceil %0 {hetero.device = #gpu} : tensor<2x2xf32>
  %2 = linalg.matmul {hetero.device = #cpu} ins(%1, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = arith.addf %2, %0 {hetero.device = #gpu} : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

func.func @loops(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.addf %x, %x {hetero.device = #gpu} : tensor<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %z) -> tensor<3xf32> {
    %0 = math.ceil %v {hetero.device = #cpu} : tensor<3xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%0 : tensor<3xf32>) outs(%v : tensor<3xf32>) attrs = {hetero.device = #gpu} {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

}
