// Ties that nothing decides are reported: of one operation, of those that an annotation leaves a choice, and of several together.
//
// RUN: hetero-opt %s --verify-diagnostics --hetero-place=conflict=warn
// RUN: not hetero-opt %s --hetero-place=conflict=error -o /dev/null 2>&1 | FileCheck %s
// RUN: hetero-opt %s --hetero-place 2>&1 | FileCheck %s --check-prefix=FIRST

// CHECK-COUNT-5: error: 'math.
// CHECK-NOT: error: 'math.
// FIRST-NOT: {{error|warning}}: 'math.
// FIRST-LABEL: @kind
// FIRST: math.absf {{.*}}#hetero.device<gpu:0>

module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 1, bandwidth = 1>, <device = <gpu:0>, compute = 1000, bandwidth = 1000>, <device = <gpu:1>, compute = 1000, bandwidth = 1000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = 100, latency = 10>, <from = <gpu:0>, to = <cpu:0>, bandwidth = 100, latency = 10>,
           <from = <cpu:0>, to = <gpu:1>, bandwidth = 100, latency = 10>, <from = <gpu:1>, to = <cpu:0>, bandwidth = 100, latency = 10>,
           <from = <gpu:0>, to = <gpu:1>, bandwidth = 100, latency = 10>, <from = <gpu:1>, to = <gpu:0>, bandwidth = 100, latency = 10>]>} {
  // An annotation that names a kind leaves the ordinal open.
  func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-warning@+1 {{'math.absf' op costs the same on gpu:0 and gpu:1; annotate it, or use conflict=copy to take the first}}
    %0 = math.absf %x {hetero.device = #hetero.device<gpu>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  // No operation of a chain could leave the others, all of them could.
  func.func @chain(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
    // expected-warning@+1 {{'math.exp' op and 2 more cost together the same on gpu:0 and gpu:1; annotate it, or use conflict=copy to take the first}}
    %0 = math.exp %x : tensor<1048576xf32>
    %1 = math.sin %0 : tensor<1048576xf32>
    %2 = math.cos %1 : tensor<1048576xf32>
    return %2 : tensor<1048576xf32>
  }
  // An annotation of one decides for all.
  func.func @decided(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %0 = math.exp %x : tensor<1048576xf32>
    %1 = math.sin %0 {hetero.device = #hetero.device<gpu:1>} : tensor<1048576xf32>
    %2 = math.cos %1 : tensor<1048576xf32>
    return %2 : tensor<1048576xf32>
  }
  // What a loop carries is one value.
  func.func @loop(%x: tensor<1048576xf32>, %n: index) -> tensor<1048576xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<1048576xf32> {
      // expected-warning@+1 {{'math.exp' op and 1 more cost together the same on gpu:0 and gpu:1; annotate it, or use conflict=copy to take the first}}
      %0 = math.exp %a : tensor<1048576xf32>
      %1 = math.sin %0 : tensor<1048576xf32>
      scf.yield %1 : tensor<1048576xf32>
    }
    return %r : tensor<1048576xf32>
  }
  // Two operations that share the copy of what they read.
  func.func @siblings(%x: tensor<1048576xf32>) -> (tensor<1048576xf32>, tensor<1048576xf32>) {
    // expected-warning@+1 {{'math.exp' op and 1 more cost together the same on gpu:0 and gpu:1; annotate it, or use conflict=copy to take the first}}
    %0 = math.exp %x : tensor<1048576xf32>
    %1 = math.sin %x : tensor<1048576xf32>
    return %0, %1 : tensor<1048576xf32>, tensor<1048576xf32>
  }
  // A group moves as one.
  func.func @colocated(%x: tensor<1048576xf32>, %y: tensor<1048576xf32>) -> (tensor<1048576xf32>, tensor<1048576xf32>) {
    // expected-warning@+1 {{'math.exp' op and 1 more cost together the same on gpu:0 and gpu:1; annotate it, or use conflict=copy to take the first}}
    %0 = math.exp %x {hetero.colocate = "a"} : tensor<1048576xf32>
    %1 = math.sin %y {hetero.colocate = "a"} : tensor<1048576xf32>
    return %0, %1 : tensor<1048576xf32>, tensor<1048576xf32>
  }
}
