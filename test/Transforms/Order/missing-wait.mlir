// A planned program of sizes known at run time from which the wait before the
// host's addition was taken: the copy that it reads may still be under way.
//
// RUN: not hetero-opt %s --hetero-verify 2>&1 | FileCheck %s
// CHECK: error: 'scf.forall' op breaks the contract of phase 'planned': expected 'memref.copy' on #hetero.device<gpu:0> to be done before it reads the same memory; insert hetero.wait on #hetero.device<gpu:0>
// CHECK: note: 'memref.copy' writes it here
//
// RUN: sed "s/hetero.wait on #hetero.device<gpu:1>/hetero.wait on #hetero.device<gpu:0> hetero.wait on #hetero.device<gpu:1>/" %s | hetero-opt --hetero-verify -o /dev/null

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0, 32768)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 16) * 16)>
#map3 = affine_map<()[s0, s1] -> (s0 - s1)>
module attributes {hetero.phase = #hetero.phase<planned>, hetero.pins = 4 : i64} {
  func.func @main(%arg0: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c4 = arith.constant 4 : index
    %0 = arith.muli %dim, %c4 : index
    %c63 = arith.constant 63 : index
    %1 = arith.addi %0, %c63 : index
    %c-64 = arith.constant -64 : index
    %2 = arith.andi %1, %c-64 : index
    %c0_0 = arith.constant 0 : index
    %3 = arith.addi %2, %2 : index
    %4 = arith.addi %3, %2 : index
    %alloc = memref.alloc(%4) {alignment = 64 : i64} : memref<?xi8>
    %c0_1 = arith.constant 0 : index
    %dim_2 = memref.dim %arg0, %c0_1 : memref<?xf32>
    %c4_3 = arith.constant 4 : index
    %5 = arith.muli %dim_2, %c4_3 : index
    %c255 = arith.constant 255 : index
    %6 = arith.addi %5, %c255 : index
    %c-256 = arith.constant -256 : index
    %7 = arith.andi %6, %c-256 : index
    %c0_4 = arith.constant 0 : index
    %8 = arith.addi %7, %7 : index
    %alloc_5 = memref.alloc(%8) {alignment = 256 : i64} : memref<?xi8, #hetero.device<gpu:1>>
    %c0_6 = arith.constant 0 : index
    %dim_7 = memref.dim %arg0, %c0_6 : memref<?xf32>
    %c4_8 = arith.constant 4 : index
    %9 = arith.muli %dim_7, %c4_8 : index
    %c255_9 = arith.constant 255 : index
    %10 = arith.addi %9, %c255_9 : index
    %c-256_10 = arith.constant -256 : index
    %11 = arith.andi %10, %c-256_10 : index
    %c0_11 = arith.constant 0 : index
    %12 = arith.addi %11, %11 : index
    %alloc_12 = memref.alloc(%12) {alignment = 256 : i64} : memref<?xi8, #hetero.device<gpu:0>>
    %cst = arith.constant 0.000000e+00 : f32
    %c16 = arith.constant 16 : index
    %c0_13 = arith.constant 0 : index
    %dim_14 = memref.dim %arg0, %c0_13 : memref<?xf32>
    %view = memref.view %alloc_12[%c0_11][%dim_7] : memref<?xi8, #hetero.device<gpu:0>> to memref<?xf32, #hetero.device<gpu:0>>
    memref.copy %arg0, %view {hetero.value = "%arg0 of @main"} : memref<?xf32> to memref<?xf32, #hetero.device<gpu:0>>
    %view_15 = memref.view %alloc_12[%11][%dim_7] : memref<?xi8, #hetero.device<gpu:0>> to memref<?xf32, #hetero.device<gpu:0>>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<?xf32, #hetero.device<gpu:0>>) outs(%view_15 : memref<?xf32, #hetero.device<gpu:0>>) attrs =  {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned", hetero.region = "main_gpu0_0"} {
    ^bb0(%in: f32, %out: f32):
      %13 = math.exp %in {hetero.device = #hetero.device<gpu:0>, hetero.region = "main_gpu0_0"} : f32
      linalg.yield %13 {hetero.device = #hetero.device<gpu:0>, hetero.region = "main_gpu0_0"} : f32
    }
    %view_16 = memref.view %alloc_5[%c0_4][%dim_2] : memref<?xi8, #hetero.device<gpu:1>> to memref<?xf32, #hetero.device<gpu:1>>
    memref.copy %view_15, %view_16 {hetero.value = "linalg.generic at 4:8"} : memref<?xf32, #hetero.device<gpu:0>> to memref<?xf32, #hetero.device<gpu:1>>
    %view_17 = memref.view %alloc_5[%7][%dim_2] : memref<?xi8, #hetero.device<gpu:1>> to memref<?xf32, #hetero.device<gpu:1>>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view_16 : memref<?xf32, #hetero.device<gpu:1>>) outs(%view_17 : memref<?xf32, #hetero.device<gpu:1>>) attrs =  {hetero.device = #hetero.device<gpu:1>, hetero.origin = "pinned", hetero.region = "main_gpu1_0"} {
    ^bb0(%in: f32, %out: f32):
      %13 = math.sin %in {hetero.device = #hetero.device<gpu:1>, hetero.region = "main_gpu1_0"} : f32
      linalg.yield %13 {hetero.device = #hetero.device<gpu:1>, hetero.region = "main_gpu1_0"} : f32
    }
    %view_18 = memref.view %alloc[%c0_0][%dim] : memref<?xi8> to memref<?xf32>
    memref.copy %view_15, %view_18 {hetero.value = "linalg.generic at 4:8"} : memref<?xf32, #hetero.device<gpu:0>> to memref<?xf32>
    %view_19 = memref.view %alloc[%2][%dim] : memref<?xi8> to memref<?xf32>
    memref.copy %view_17, %view_19 {hetero.value = "linalg.generic at 5:8"} : memref<?xf32, #hetero.device<gpu:1>> to memref<?xf32>
    hetero.wait on #hetero.device<gpu:1>
    hetero.host_region "main_cpu0_0"
    %view_20 = memref.view %alloc[%3][%dim] : memref<?xi8> to memref<?xf32>
    scf.forall (%arg1) = (0) to (%dim_14) step (32768) {
      %13 = affine.min #map1(%arg1)[%dim_14]
      %subview = memref.subview %view_19[%arg1] [%13] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %subview_24 = memref.subview %view_18[%arg1] [%13] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %subview_25 = memref.subview %view_20[%arg1] [%13] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %14 = affine.apply #map2()[%13]
      scf.for %arg2 = %c0_13 to %14 step %c16 {
        %15 = vector.transfer_read %subview[%arg2], %cst {in_bounds = [true]} : memref<?xf32, strided<[1], offset: ?>>, vector<16xf32>
        %16 = vector.transfer_read %subview_24[%arg2], %cst {in_bounds = [true]} : memref<?xf32, strided<[1], offset: ?>>, vector<16xf32>
        %17 = arith.addf %15, %16 : vector<16xf32>
        vector.transfer_write %17, %subview_25[%arg2] {in_bounds = [true]} : vector<16xf32>, memref<?xf32, strided<[1], offset: ?>>
      }
      scf.for %arg2 = %14 to %13 step %c16 {
        %15 = affine.apply #map3()[%13, %arg2]
        %16 = vector.create_mask %15 : vector<16xi1>
        %17 = vector.transfer_read %subview[%arg2], %cst, %16 {in_bounds = [true]} : memref<?xf32, strided<[1], offset: ?>>, vector<16xf32>
        %18 = vector.transfer_read %subview_24[%arg2], %cst, %16 {in_bounds = [true]} : memref<?xf32, strided<[1], offset: ?>>, vector<16xf32>
        %19 = arith.addf %17, %18 : vector<16xf32>
        vector.transfer_write %19, %subview_25[%arg2], %16 {in_bounds = [true]} : vector<16xf32>, memref<?xf32, strided<[1], offset: ?>>
      }
    } {hetero.grain = 1 : i64}
    hetero.end_host_region
    %view_21 = memref.view %alloc_12[%c0_11][%dim_7] : memref<?xi8, #hetero.device<gpu:0>> to memref<?xf32, #hetero.device<gpu:0>>
    memref.copy %view_20, %view_21 {hetero.value = "linalg.generic at 6:8"} : memref<?xf32> to memref<?xf32, #hetero.device<gpu:0>>
    %view_22 = memref.view %alloc_12[%11][%dim_7] : memref<?xi8, #hetero.device<gpu:0>> to memref<?xf32, #hetero.device<gpu:0>>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view_21 : memref<?xf32, #hetero.device<gpu:0>>) outs(%view_22 : memref<?xf32, #hetero.device<gpu:0>>) attrs =  {hetero.device = #hetero.device<gpu:0>, hetero.origin = "pinned", hetero.region = "main_gpu0_1"} {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.negf %in {hetero.device = #hetero.device<gpu:0>, hetero.region = "main_gpu0_1"} : f32
      linalg.yield %13 {hetero.device = #hetero.device<gpu:0>, hetero.region = "main_gpu0_1"} : f32
    }
    %alloc_23 = memref.alloc(%dim_14) {alignment = 64 : i64} : memref<?xf32>
    memref.copy %view_22, %alloc_23 {hetero.value = "linalg.generic at 7:8"} : memref<?xf32, #hetero.device<gpu:0>> to memref<?xf32>
    hetero.wait on #hetero.device<gpu:0>
    memref.dealloc %alloc_12 : memref<?xi8, #hetero.device<gpu:0>>
    memref.dealloc %alloc_5 : memref<?xi8, #hetero.device<gpu:1>>
    memref.dealloc %alloc : memref<?xi8>
    return %alloc_23 : memref<?xf32>
  }
}

