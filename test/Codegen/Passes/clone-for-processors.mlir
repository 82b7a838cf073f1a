// REQUIRES: x86-64
// RUN: hetero-opt %s --hetero-clone-for-processors=processors=baseline,avx512 --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-clone-for-processors=processors=baseline,avx512 --hetero-clone-for-processors=processors=all --split-input-file | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-clone-for-processors=processors=native --split-input-file | FileCheck %s --check-prefix=NATIVE --implicit-check-not=hetero.processor
// RUN: not hetero-opt %s --hetero-clone-for-processors=processors=avx512,avx --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME

// NATIVE: func.func @main(
// NAME: error: no processor is called 'avx'; name some of avx512bf16, avx512, avx2, baseline, by commas, or all, or native

// Acts, call: a function with code for the host, and its caller, are there for
// each processor, the best first, whatever order they are named in. Each calls
// the one for its own processor.
// CHECK-LABEL: func.func private @part(
// CHECK-SAME: attributes {hetero.processor = "avx512"}
// CHECK: func.func private @part_baseline(
// CHECK-SAME: attributes {hetero.processor = "baseline", hetero.variant_of = "part"}
// CHECK: hetero.execute "part_cpu0_0"
// CHECK: func.func @main(
// CHECK-SAME: attributes {hetero.processor = "avx512"}
// CHECK: call @part(
// CHECK: func.func @main_baseline(
// CHECK-SAME: attributes {hetero.processor = "baseline", hetero.variant_of = "main"}
// CHECK: call @part_baseline(
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func private @part(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = hetero.execute "part_cpu0_0" on #hetero.device<cpu:0> (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    hetero.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @part(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
}

// -----

// Must not act: work on another device, or none at all is the same for all
// processors.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: hetero.processor
// CHECK: func.func private @external(
// CHECK-NOT: hetero.processor
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @other(%x: tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>> {hetero.device = #hetero.device<gpu:0>}) {
  %r = hetero.execute "other_gpu0_0" on #hetero.device<gpu:0> (%a = %x : tensor<8xf32, #hetero.device<gpu:0>>) -> (tensor<8xf32, #hetero.device<gpu:0>>) {
    %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    hetero.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32, #hetero.device<gpu:0>>
}
func.func private @external(tensor<8xf32>) -> tensor<8xf32>
}

// -----

// Acts: what a library does not compute, or all where it is missing, is generated
// code, whoever chooses.
// CHECK-LABEL: func.func @library(
// CHECK-SAME: attributes {hetero.processor = "avx512"}
// CHECK: func.func @library_baseline(
// CHECK-SAME: attributes {hetero.processor = "baseline", hetero.variant_of = "library"}
// CHECK: func.func @fastest(
// CHECK-SAME: attributes {hetero.processor = "avx512"}
// CHECK: func.func @winograd(
// CHECK-SAME: attributes {hetero.processor = "avx512"}
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @library(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = hetero.execute "library_cpu0_0" on #hetero.device<cpu:0, codegen = "openblas"> (%a = %x : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    hetero.yield %a : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
func.func @fastest(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = hetero.execute "fastest_cpu0_0" on #hetero.device<cpu:0, codegen = "auto"> (%a = %x : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    hetero.yield %a : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
func.func @winograd(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = hetero.execute "winograd_cpu0_0" on #hetero.device<cpu:0, codegen = "winograd"> (%a = %x : tensor<8x8xf32>) -> (tensor<8x8xf32>) {
    hetero.yield %a : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
}

// -----

// Control flow, conflict: recursion calls the own clone, whose name another
// function has already.
// CHECK-LABEL: func.func @down(
// CHECK: call @down(
// CHECK: func.func @down_baseline_0(
// CHECK: scf.if
// CHECK: call @down_baseline_0(
// CHECK: func.func private @down_baseline()
module attributes {hetero.phase = #hetero.phase<partitioned>} {
func.func @down(%x: tensor<8xf32>, %n: i1) -> tensor<8xf32> {
  %r = hetero.execute "down_cpu0_0" on #hetero.device<cpu:0> (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    hetero.yield %0 : tensor<8xf32>
  }
  %s = scf.if %n -> (tensor<8xf32>) {
    %no = arith.constant false
    %0 = func.call @down(%r, %no) : (tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %r : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}
func.func private @down_baseline()
}
