// Two gpus. With one unified link, from gpu:0 to the host, what gpu:1 reads and
// makes crosses once, whether the host or gpu:0 is at the other end. With one
// between the gpus their streams are ordered and nothing moves between them.

// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=1" hetero-run %s --input=6xf32=iota --expected=6xf32=0,6,20,42,72,110 --expected=6xf32=0,10,32,66,112,170 --report | FileCheck %s --check-prefix=HOST
// HOST: copies: 6, 144 bytes
// HOST-NOT: {{gpu:0 .*gpu:1|gpu:1 .*gpu:0|cpu:0 .*gpu:0|gpu:0 .*cpu:0}}
// HOST: links:
// HOST-NEXT: from
// HOST-NEXT: cpu:0 {{ *}}gpu:1 {{ *}}96 {{ *}}4{{$}}
// HOST-NEXT: gpu:1 {{ *}}cpu:0 {{ *}}48 {{ *}}2{{$}}
// HOST-NEXT: devices:

// RUN: sed -e 's/, unified = true//' -e '/^  links/r %S/Inputs/unified-gpu-links.txt' %s > %t.mlir
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=1" hetero-run %t.mlir --input=6xf32=iota --expected=6xf32=0,6,20,42,72,110 --expected=6xf32=0,10,32,66,112,170 --time=3 2>&1 | FileCheck %s --check-prefix=PEERS --implicit-check-not=race
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=2" hetero-run %t.mlir --input=6xf32=iota --expected=6xf32=0,6,20,42,72,110 --expected=6xf32=0,10,32,66,112,170 --report 2>&1 | FileCheck %s --check-prefix=PEERS --implicit-check-not=race
// PEERS: as expected
// RUN: hetero-run %t.mlir --input=6xf32=iota --report | FileCheck %s --check-prefix=BETWEEN
// BETWEEN: links:
// BETWEEN-NOT: {{gpu:0 .*gpu:1|gpu:1 .*gpu:0}}
// BETWEEN: devices:

#g0 = #hetero.device<gpu:0>
#g1 = #hetero.device<gpu:1>
#cpu = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #cpu, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #g0, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>,
    #hetero.device_spec<device = #g1, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>],
  links = [
    #hetero.link<from = #cpu, to = #g0, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #g0, to = #cpu, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #cpu, to = #g1, bandwidth = 12000000000, latency = 1000>,
    #hetero.link<from = #g1, to = #cpu, bandwidth = 12000000000, latency = 1000>]>} {

func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = arith.addf %x, %x {hetero.device = #g0} : tensor<6xf32>
  %1 = arith.mulf %0, %x {hetero.device = #g1} : tensor<6xf32>
  %2 = arith.addf %1, %0 {hetero.device = #cpu} : tensor<6xf32>
  %3 = arith.addf %2, %1 {hetero.device = #g0} : tensor<6xf32>
  %4 = arith.addf %3, %2 {hetero.device = #g1} : tensor<6xf32>
  return %3, %4 : tensor<6xf32>, tensor<6xf32>
}

}
