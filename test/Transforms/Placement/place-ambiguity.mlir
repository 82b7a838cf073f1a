// What annotations pull to several devices is reported, with the way to each.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-place=conflict=warn
// RUN: not hetero-opt %s --split-input-file --hetero-place=conflict=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: hetero-opt %s --split-input-file --hetero-place 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: hetero-opt %s --split-input-file --hetero-place=conflict=replicate 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place=conflict=error 2>&1 | FileCheck %s --check-prefix=COPY

// ERROR-COUNT-5: error: 'math.
// ERROR-NOT: error: 'math.
// COPY-NOT: {{error|warning}}: 'math.

#gpu = #hetero.device<gpu:0>

// Pins several operations away: of all that is between them the one that is
// nearest to two.

func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
  %0 = math.exp %x {hetero.device = #gpu} : tensor<4xf32>
  // expected-warning@+3 {{'math.absf' op is annotated with no device, and annotations around it pull it to cpu:0, gpu:0; annotate it, or use conflict=copy to have cost decide}}
  // expected-note@+2 {{to cpu:0:}}
  // expected-note@+1 {{to gpu:0:}}
  %1 = math.absf %0 : tensor<4xf32>
  // expected-note@+1 {{'math.ceil' op needs what that makes, wherever it runs}}
  %2 = math.ceil %1 : tensor<4xf32>
  // expected-note@+1 {{'math.sin' op needs what that makes, on cpu:0: pinned}}
  %3 = math.sin %2 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// An argument and a result with a device, across a loop that carries the value.

// expected-note@+2 {{'func.func' op has what that reads, on gpu:0}}
// expected-note@+1 {{'func.func' op needs what that makes, on gpu:1}}
func.func @loop(%x: tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}, %n: index)
    -> (tensor<4xf32> {hetero.device = #hetero.device<gpu:1>}) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{'scf.for' op carries what that makes, wherever that is}}
  %0 = scf.for %i = %c0 to %n step %n iter_args(%a = %x) -> tensor<4xf32> {
    // expected-warning@+3 {{'math.absf' op is annotated with no device, and annotations around it pull it to gpu:0, gpu:1}}
    // expected-note@+2 {{to gpu:0:}}
    // expected-note@+1 {{to gpu:1:}}
    %1 = math.absf %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What is not annotated in a signature is on the host, which pulls nothing; nor
// does what two annotations of one device reach, or one device alone.

func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = math.absf %0 : tensor<4xf32>
  %2 = math.sin %1 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %3 = math.ceil %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Two groups that no value joins are two reports; annotations end a group.

func.func @groups(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note@+1 {{'math.exp' op makes what that reads, on gpu:0: pinned}}
  %0 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  // expected-warning@+3 {{'math.absf' op is annotated with no device}}
  // expected-note@+2 {{to gpu:0:}}
  // expected-note@+1 {{to gpu:1:}}
  %1 = math.absf %0 : tensor<4xf32>
  // expected-note@+1 {{'math.sin' op needs what that makes, on gpu:1: pinned}}
  %2 = math.sin %1 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  // expected-warning@+3 {{'math.ceil' op is annotated with no device}}
  // expected-note@+2 {{to gpu:0:}}
  // expected-note@+1 {{to gpu:1:}}
  %3 = math.ceil %0 : tensor<4xf32>
  // expected-note@+1 {{'math.cos' op needs what that makes, on gpu:1: pinned}}
  %4 = math.cos %3 {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %2, %4 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Two devices that cost the same.

module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1000, bandwidth = 1000>, <device = <gpu:0>, compute = 1000, bandwidth = 1000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 1000, latency = 0, unified = true>,
           <from = <gpu:0>, to = <cpu:0>, bandwidth = 1000, latency = 0, unified = true>]>} {
  func.func @tie(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-warning@+1 {{'math.exp' op costs the same on cpu:0 and gpu:0; annotate it, or use conflict=copy to take the first}}
    %0 = math.exp %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
