// A pipeline of four layers over two units of a gpu, and over two gpus: regions
// hold one unit each, each unit has its stream, and a stream waits where it
// needs what another makes. What is not annotated joins the unit around it.
//
// RUN: hetero-opt %s --hetero-pipeline="stop-after=partitioned" | FileCheck %s --check-prefix=REGIONS
// RUN: hetero-opt %s --hetero-pipeline="stop-after=scheduled" | FileCheck %s --check-prefix=STREAMS
// RUN: hetero-opt %s --hetero-pipeline | FileCheck %s --check-prefix=CALLS
// RUN: hetero-run %s --entry=pipeline --input=4x4xf32=1 --input=4x4xf32=2 --input=4x4xf32=1 --input=4x4xf32=2 --expected=4x4xf32=2025 --expected=4x4xf32=4050
// RUN: hetero-run %s --entry=two_gpus --input=4x4xf32=1 --input=4x4xf32=1 --input=4x4xf32=2 --expected=4x4xf32=2025

!m = tensor<4x4xf32>

// Two batches: the second unit works on the first batch while the first unit is
// at the second.

// REGIONS-LABEL: @pipeline(
// REGIONS: hetero.execute {{.*}} on #hetero.device<gpu:0, unit = "a">
// REGIONS: hetero.execute {{.*}} on #hetero.device<gpu:0, unit = "b">
// REGIONS-NOT: hetero.execute
// REGIONS: return
// STREAMS: hetero.units = ["a", "b", "copy in"
// STREAMS-LABEL: @pipeline(
// STREAMS: memref.copy {{.*}}hetero.to = #hetero.device<gpu:0, unit = "{{a|copy in}}">
// STREAMS: hetero.order #hetero.device<gpu:0, unit = "b"> after #hetero.device<gpu:0, unit = "a">
// STREAMS: linalg.generic {{.*}}unit = "b"
// STREAMS: memref.copy {{.*}}hetero.from = #hetero.device<gpu:0, unit = "b">
// CALLS-LABEL: @pipeline
// CALLS: llvm.call @heteroLaunch
// CALLS: llvm.call @heteroOrder
// CALLS: llvm.call @heteroLaunch
func.func @pipeline(%x: !m, %y: !m, %w: !m, %v: !m) -> (!m, !m) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !m
  %z = linalg.fill ins(%zero : f32) outs(%e : !m) -> !m
  %mp0 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%x, %w : !m, !m) outs(%z : !m) -> !m
  %p0 = arith.addf %mp0, %x : !m
  %mp1 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%p0, %v : !m, !m) outs(%z : !m) -> !m
  %p1 = arith.addf %mp1, %p0 : !m
  %mp2 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "b">} ins(%p1, %w : !m, !m) outs(%z : !m) -> !m
  %p2 = arith.addf %mp2, %p1 : !m
  %mp3 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "b">} ins(%p2, %v : !m, !m) outs(%z : !m) -> !m
  %p3 = arith.addf %mp3, %p2 : !m
  %mq0 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%y, %w : !m, !m) outs(%z : !m) -> !m
  %q0 = arith.addf %mq0, %y : !m
  %mq1 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%q0, %v : !m, !m) outs(%z : !m) -> !m
  %q1 = arith.addf %mq1, %q0 : !m
  %mq2 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "b">} ins(%q1, %w : !m, !m) outs(%z : !m) -> !m
  %q2 = arith.addf %mq2, %q1 : !m
  %mq3 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "b">} ins(%q2, %v : !m, !m) outs(%z : !m) -> !m
  %q3 = arith.addf %mq3, %q2 : !m
  return %p3, %q3 : !m, !m
}

// Units of two devices: what is between them is a copy, on both streams.

// REGIONS-LABEL: @two_gpus(
// REGIONS: hetero.execute {{.*}} on #hetero.device<gpu:0, unit = "a">
// REGIONS: hetero.copy {{.*}} : tensor<4x4xf32, #hetero.device<gpu:0>> -> tensor<4x4xf32, #hetero.device<gpu:1>>
// REGIONS: hetero.execute {{.*}} on #hetero.device<gpu:1, unit = "b">
// REGIONS-NOT: hetero.execute
// STREAMS-LABEL: @two_gpus(
// STREAMS: hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0, unit = "copy in">
// STREAMS: memref.copy {{.*}}hetero.from = #hetero.device<gpu:0, unit = "a">, hetero.to = #hetero.device<gpu:1, unit = "{{b|copy in}}">
// STREAMS: return
func.func @two_gpus(%x: !m, %w: !m, %v: !m) -> !m {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !m
  %z = linalg.fill ins(%zero : f32) outs(%e : !m) -> !m
  %mp0 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%x, %w : !m, !m) outs(%z : !m) -> !m
  %p0 = arith.addf %mp0, %x : !m
  %mp1 = linalg.matmul {hetero.device = #hetero.device<gpu:0, unit = "a">} ins(%p0, %v : !m, !m) outs(%z : !m) -> !m
  %p1 = arith.addf %mp1, %p0 : !m
  %mp2 = linalg.matmul {hetero.device = #hetero.device<gpu:1, unit = "b">} ins(%p1, %w : !m, !m) outs(%z : !m) -> !m
  %p2 = arith.addf %mp2, %p1 : !m
  %mp3 = linalg.matmul {hetero.device = #hetero.device<gpu:1, unit = "b">} ins(%p2, %v : !m, !m) outs(%z : !m) -> !m
  %p3 = arith.addf %mp3, %p2 : !m
  return %p3 : !m
}
