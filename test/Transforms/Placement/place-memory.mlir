// RUN: hetero-opt %s --split-input-file --hetero-place | FileCheck %s
// RUN: hetero-opt %s --split-input-file --hetero-place --remarks-filter=hetero-place 2>&1 >%t.mlir | FileCheck %s --check-prefix=REMARK
// RUN: hetero-opt %s --split-input-file --hetero-place --hetero-place | FileCheck %s --check-prefix=AGAIN

// What fits stays where it is cheapest: two tensors of 10000 bytes live on the
// gpu at a time.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 20000, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK-NOT: memory | Category
// REMARK: LowerBoundPicoseconds={{.*}}gpu:0 ops=2
// CHECK-LABEL: @fits
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @fits(%x: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.exp ins(%x : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.exp ins(%0 : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %1 : tensor<2500xf32>
  }
}

// -----

// What does not fit together: a sum has three tensors alive, so that the host
// computes it; the rest stays on the gpu.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 29999, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK: memory | Category:hetero-place | AvailableBytes=29999, NeededBytes=30000, Remark="less is placed on gpu:0 than the least cost asks for"
// REMARK: not-proven | {{.*}}Reason="the memory of a device is short", Remark="the cost is at most {{[0-9.]+}} % above the least"
// CHECK-LABEL: @moves
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
// CHECK: linalg.exp {hetero.device = #hetero.device<gpu:0>
// AGAIN-LABEL: @moves
// AGAIN: linalg.add {hetero.device = #hetero.device<cpu:0>, hetero.origin = "cost"}
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @moves(%x: tensor<2500xf32>, %y: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.exp ins(%x : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %1 = linalg.add ins(%0, %y : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    %2 = linalg.exp ins(%1 : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %2 : tensor<2500xf32>
  }
}

// -----

// What a loop reads from outside lives as long as the loop: with the loop's
// buffer and the body's values that is too much.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 39999, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK: memory | {{.*}}AvailableBytes=39999, NeededBytes=40000
// CHECK-LABEL: @loop
// CHECK: linalg.exp {hetero.device = #hetero.device<cpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @loop(%x: tensor<2500xf32>, %y: tensor<2500xf32>) -> tensor<2500xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %e = tensor.empty() : tensor<2500xf32>
    %0 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> (tensor<2500xf32>) {
      %1 = linalg.exp ins(%y : tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
      %2 = linalg.add ins(%a, %1 : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
      scf.yield %2 : tensor<2500xf32>
    }
    return %0 : tensor<2500xf32>
  }
}

// -----

// With three devices the other gpu takes what the first has no room for.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu0 = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 20000, compute = 100000000000, bandwidth = 100000000000>
#gpu1 = #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 30000, compute = 90000000000, bandwidth = 90000000000>
#up0 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down0 = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
#up1 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000000000, latency = 0>
#down1 = #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK: memory | {{.*}}AvailableBytes=20000, NeededBytes=30000, Remark="less is placed on gpu:0
// CHECK-LABEL: @three
// CHECK: linalg.add {hetero.device = #hetero.device<gpu:1>, hetero.origin = "cost"}
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu0, #gpu1], links = [#up0, #down0, #up1, #down1]>} {
  func.func @three(%x: tensor<2500xf32>, %y: tensor<2500xf32>) -> tensor<2500xf32> {
    %e = tensor.empty() : tensor<2500xf32>
    %0 = linalg.add ins(%x, %y : tensor<2500xf32>, tensor<2500xf32>) outs(%e : tensor<2500xf32>) -> tensor<2500xf32>
    return %0 : tensor<2500xf32>
  }
}

// -----

// What fits fits, however long it takes: the sum of the times is more than can
// be counted.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 47999999, compute = 2, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// CHECK-LABEL: @endless
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  func.func @endless(%x: tensor<4000000xf32>, %y: tensor<4000000xf32>) -> tensor<4000000xf32> {
    %e = tensor.empty() : tensor<4000000xf32>
    %0 = linalg.add ins(%x, %y : tensor<4000000xf32>, tensor<4000000xf32>) outs(%e : tensor<4000000xf32>) -> tensor<4000000xf32>
    %1 = linalg.add ins(%0, %y : tensor<4000000xf32>, tensor<4000000xf32>) outs(%e : tensor<4000000xf32>) -> tensor<4000000xf32>
    %2 = linalg.add ins(%1, %y : tensor<4000000xf32>, tensor<4000000xf32>) outs(%e : tensor<4000000xf32>) -> tensor<4000000xf32>
    return %2 : tensor<4000000xf32>
  }
}

// -----

// State is resident: what it leaves is too little for a sum with its operands and
// its result, which the host computes.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 100000000, bandwidth = 100000000>
#gpu = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 79999, compute = 100000000000, bandwidth = 100000000000>
#up = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000000, latency = 0>
#down = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 0>
// REMARK: memory | {{.*}}AvailableBytes=79999, NeededBytes=80000
// CHECK-LABEL: @state
// CHECK: ml_program.global_load @sums : tensor<5000xf32> {hetero.device = #hetero.device<gpu:0>
// CHECK: linalg.add {hetero.device = #hetero.device<cpu:0>
// CHECK: ml_program.global_store @sums = %{{.*}} : tensor<5000xf32> {hetero.device = #hetero.device<gpu:0>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu], links = [#up, #down]>} {
  ml_program.global private mutable @sums(dense<0.0> : tensor<5000xf32>) : tensor<5000xf32>
  func.func @state(%x: tensor<5000xf32>) {
    %s = ml_program.global_load @sums : tensor<5000xf32>
    %e = tensor.empty() : tensor<5000xf32>
    %0 = linalg.add ins(%s, %x : tensor<5000xf32>, tensor<5000xf32>) outs(%e : tensor<5000xf32>) -> tensor<5000xf32>
    ml_program.global_store @sums = %0 : tensor<5000xf32>
    return
  }
}

// -----

// Colocation groups move as one, also where each has one operation: two weights
// fit on each gpu, and the host would take a thousand times as long.

#cpu = #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000, bandwidth = 1000000>
#gpu0 = #hetero.device_spec<device = #hetero.device<gpu:0>, memory = 2004000, compute = 1000000000, bandwidth = 1000000000>
#gpu1 = #hetero.device_spec<device = #hetero.device<gpu:1>, memory = 2004000, compute = 1000000000, bandwidth = 1000000000>
#up0 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 1000000, latency = 0>
#down0 = #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 1000000, latency = 0>
#up1 = #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:1>, bandwidth = 1000000, latency = 0>
#down1 = #hetero.link<from = #hetero.device<gpu:1>, to = #hetero.device<cpu:0>, bandwidth = 1000000, latency = 0>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
// CHECK-LABEL: @groups
// CHECK: linalg.generic {{.*}}hetero.colocate = "a", hetero.device = #hetero.device<gpu:[[FIRST:[01]]]>
// CHECK: linalg.generic {{.*}}hetero.colocate = "b", hetero.device = #hetero.device<gpu:[[FIRST]]>
// CHECK: linalg.generic {{.*}}hetero.colocate = "c", hetero.device = #hetero.device<gpu:[[SECOND:[01]]]>
// CHECK: linalg.generic {{.*}}hetero.colocate = "d", hetero.device = #hetero.device<gpu:[[SECOND]]>
module attributes {hetero.topology = #hetero.topology<devices = [#cpu, #gpu0, #gpu1], links = [#up0, #down0, #up1, #down1]>} {
  func.func @groups(%x: tensor<1000xi8>) -> tensor<1000xi8> {
    %a = arith.constant dense<1> : tensor<1000000xi8>
    %b = arith.constant dense<2> : tensor<1000000xi8>
    %c = arith.constant dense<3> : tensor<1000000xi8>
    %d = arith.constant dense<4> : tensor<1000000xi8>
    %0 = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1000000xi8>) outs(%x : tensor<1000xi8>) attrs = {hetero.colocate = "a"} {
    ^bb0(%l: i8, %r: i8):
      %s = arith.addi %l, %r : i8
      linalg.yield %s : i8
    } -> tensor<1000xi8>
    %1 = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<1000000xi8>) outs(%0 : tensor<1000xi8>) attrs = {hetero.colocate = "b"} {
    ^bb0(%l: i8, %r: i8):
      %s = arith.addi %l, %r : i8
      linalg.yield %s : i8
    } -> tensor<1000xi8>
    %2 = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<1000000xi8>) outs(%1 : tensor<1000xi8>) attrs = {hetero.colocate = "c"} {
    ^bb0(%l: i8, %r: i8):
      %s = arith.addi %l, %r : i8
      linalg.yield %s : i8
    } -> tensor<1000xi8>
    %3 = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<1000000xi8>) outs(%2 : tensor<1000xi8>) attrs = {hetero.colocate = "d"} {
    ^bb0(%l: i8, %r: i8):
      %s = arith.addi %l, %r : i8
      linalg.yield %s : i8
    } -> tensor<1000xi8>
    return %3 : tensor<1000xi8>
  }
}
