// Two sections of a network on two units of one GPU: each has regions and a stream
// of its own, and weights that cross once in the life of the process.
//
// RUN: hetero-opt %s --hetero-pipeline=stop-after=scheduled | FileCheck %s
// RUN: hetero-run %s --input=4x4xf32=1 --input=4x4xf32=2 --time=9 --expected=4x4xf32=32 --expected=4x4xf32=64 --report | FileCheck %s --check-prefix=RAN

// CHECK: hetero.units = [{{.*}}"first", "second"
// CHECK: hetero.order #hetero.device<gpu:0, unit = "second"> after #hetero.device<gpu:0, unit = "first">

// Two arguments and two results for each of ten calls; each weight once.
// RAN: copies: 40,
// RAN: constants uploaded once:
// RAN-NEXT: value
// RAN-NEXT: gpu:0 {{ *}}64
// RAN-NEXT: gpu:0 {{ *}}64
// RAN-NEXT: ran:

!m = tensor<4x4xf32>
#first = #hetero.device<gpu:0, unit = "first">
#second = #hetero.device<gpu:0, unit = "second">
func.func @main(%x: !m, %y: !m) -> (!m, !m) {
  %w = arith.constant dense<[[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]> : !m
  %v = arith.constant dense<[[2.0, 2.0, 6.0, 6.0], [6.0, 6.0, 2.0, 2.0], [2.0, 2.0, 6.0, 6.0], [6.0, 6.0, 2.0, 2.0]]> : !m
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !m
  %z = linalg.fill ins(%zero : f32) outs(%e : !m) -> !m
  %0 = linalg.matmul {hetero.device = #first} ins(%x, %w : !m, !m) outs(%z : !m) -> !m
  %1 = linalg.matmul {hetero.device = #second} ins(%0, %v : !m, !m) outs(%z : !m) -> !m
  %2 = linalg.matmul {hetero.device = #first} ins(%y, %w : !m, !m) outs(%z : !m) -> !m
  %3 = linalg.matmul {hetero.device = #second} ins(%2, %v : !m, !m) outs(%z : !m) -> !m
  return %1, %3 : !m, !m
}
