// Where copies stand (case 2): right after what makes the value, where they
// overlap with the most, or before the first use, where they take memory for
// the least time.
//
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies="copy-site=eager" --hetero-optimize-copies="copy-site=eager" --hetero-verify | FileCheck %s --check-prefix=EAGER
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies="copy-site=late" --hetero-optimize-copies="copy-site=late" --hetero-verify | FileCheck %s --check-prefix=LATE
// RUN: hetero-opt %s --hetero-pipeline="copy-site=late stop-after=copies-optimized" | FileCheck %s --check-prefix=LATE
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies="copy-site=late" --hetero-optimize-copies="copy-site=late" -o %t.once.mlir
// RUN: hetero-opt %t.once.mlir --hetero-optimize-copies="copy-site=late" -o %t.twice.mlir
// RUN: cmp %t.once.mlir %t.twice.mlir
// RUN: hetero-opt %s --hetero-place --hetero-materialize-copies="copy-site=eager" --hetero-optimize-copies="copy-site=late" --hetero-verify | FileCheck %s --check-prefix=LATE
// RUN: not hetero-opt %s --hetero-pipeline="copy-site=soon" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: hetero-run %s --copy-site=eager --entry=both_returned --input=4xf32=iota --input=4xf32=2 --expected=4xf32=2,3,4,5 --expected=4xf32=4,5,6,7
// RUN: hetero-run %s --copy-site=late --entry=both_returned --input=4xf32=iota --input=4xf32=2 --expected=4xf32=2,3,4,5 --expected=4xf32=4,5,6,7
// RUN: hetero-run %s --copy-site=eager --entry=in_a_loop --input=4xf32=iota --input=4xf32=1 --expected=4xf32=5,6,7,8
// RUN: hetero-run %s --copy-site=late --entry=in_a_loop --input=4xf32=iota --input=4xf32=1 --expected=4xf32=5,6,7,8
// RUN: hetero-run %s --copy-site=eager --report --entry=two_reductions --input=64x64xf32=1 --input=64x64xf32=2 --expected=64xf32=64 | FileCheck %s --check-prefix=EAGER-PEAK
// RUN: hetero-run %s --copy-site=late --report --entry=two_reductions --input=64x64xf32=1 --input=64x64xf32=2 --expected=64xf32=64 | FileCheck %s --check-prefix=LATE-PEAK

// BAD: for the --copy-site option: expected one of eager, late, auto, got 'soon'

// The second operand crosses while the host adds, or after that.

// EAGER-LABEL: @both_returned(
// EAGER-NEXT: hetero.copy %arg1
// EAGER-NEXT: %[[SUM:.*]] = {{arith|linalg}}
// EAGER: hetero.copy %[[SUM]]
// EAGER: hetero.copy
// EAGER-NOT: hetero.copy
// EAGER: return
// LATE-LABEL: @both_returned(
// LATE: %[[SUM:.*]] = {{arith.addf|linalg.generic}}
// LATE-DAG: hetero.copy %[[SUM]]
// LATE-DAG: hetero.copy %arg1
// LATE: %[[TWICE:.*]] = {{arith.addf|linalg.generic}}
// LATE: hetero.copy %[[TWICE]]
// LATE-NOT: hetero.copy
// LATE: return
func.func @both_returned(%d1: tensor<4xf32>, %d2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %add1 = arith.addf %d1, %d2 {hetero.device = #hetero.device<cpu>} : tensor<4xf32>
  %add2 = arith.addf %add1, %d2 {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  return %add1, %add2 : tensor<4xf32>, tensor<4xf32>
}

// Neither puts a copy into a loop that does not change the value.

// EAGER-LABEL: @in_a_loop(
// EAGER-DAG: hetero.copy %arg0
// EAGER-DAG: hetero.copy %arg1
// EAGER: {{addf|generic}}
// EAGER: scf.for
// EAGER-NOT: hetero.copy
// EAGER: scf.yield
// LATE-LABEL: @in_a_loop(
// LATE: {{addf|generic}}
// LATE: hetero.copy %arg1
// LATE-NEXT: scf.for
// LATE-NOT: hetero.copy
// LATE: scf.yield
func.func @in_a_loop(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = arith.addf %x, %one {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %0) -> tensor<4xf32> {
    %2 = arith.addf %a, %y {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// The gpu holds both matrices at once, or one after the other.

// EAGER-LABEL: @two_reductions(
// EAGER-PEAK: memory peaks:
// EAGER-PEAK: gpu:0 {{3[0-9]{4}$}}
// LATE-LABEL: @two_reductions(
// LATE-PEAK: memory peaks:
// LATE-PEAK: gpu:0 {{1[0-9]{4}$}}
func.func @two_reductions(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%z : tensor<64xf32>) dimensions = [1] {hetero.device = #hetero.device<gpu:0>}
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  %h = arith.negf %0 {hetero.device = #hetero.device<cpu>} : tensor<64xf32>
  %1 = linalg.reduce ins(%y : tensor<64x64xf32>) outs(%h : tensor<64xf32>) dimensions = [1] {hetero.device = #hetero.device<gpu:0>}
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  return %1 : tensor<64xf32>
}
