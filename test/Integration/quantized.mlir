// Products of dequantized numbers are products of integers, and have the numbers of
// their definition wherever they stand: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 2
// RUN: hetero-opt %s --hetero-lower-frontend-ops --hetero-convert-elementwise-to-linalg --hetero-contract-quantized --remarks-filter=hetero-contract-quantized 2>&1 | FileCheck %s

// CHECK: summary | Category:hetero-contract-quantized | contracted=6

#id2 = affine_map<(a, b) -> (a, b)>
#id4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#last2 = affine_map<(a, b) -> (b)>
#first4 = affine_map<(a, b, c, d) -> (a)>

// Weights with a scale for each channel, a bias, and a result that is quantized again.
// CASE: product 4x8xi8=72,111,67,-7,45,-27,-52,-40,29,100,-96,126,-86,-83,-87,15,-11,-114,-25,69,92,-31,47,16,95,-83,31,-34,87,58,-117,-27 -> 4x3xf32=-4546.625,-858.5,-10064.5,-2219.125,-4486.25,5626,905,-5575.75,3126,-188.875,3710,-3096 4x3xi8=0,0,0,0,0,-1,64,0,-54,0,-17,0
func.func @product(%x: tensor<4x8xi8>) -> (tensor<4x3xf32>, tensor<4x3xi8>) {
  %zero = arith.constant 128 : i32
  %scale = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %sixteen = arith.constant 16.0 : f32
  %seven = arith.constant 7.0 : f32
  %most = arith.constant 255.0 : f32
  %bias = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
  %w = arith.constant dense<[[43,78,-123],[78,-8,3],[33,-55,122],[-115,-57,-30],[18,-24,-95],[-117,-128,-116],[-90,127,-80],[39,64,-68]]> : tensor<8x3xi8>
  %ws = arith.constant dense<[0.25, 0.5, 1.0]> : tensor<3xf32>
  %a.e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi8>) outs(%a.e : tensor<4x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zero : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %b.e = tensor.empty() : tensor<8x3xf32>
  %b = linalg.generic {indexing_maps = [#id2, #last2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<8x3xi8>, tensor<3xf32>) outs(%b.e : tensor<8x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<8x3xf32>
  %start.e = tensor.empty() : tensor<4x3xf32>
  %start = linalg.fill ins(%none : f32) outs(%start.e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x3xf32>) outs(%start : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [#id2, #last2, #id2], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<4x3xf32>, tensor<3xf32>) outs(%start.e : tensor<4x3xf32>) {
  ^bb0(%in: f32, %b0: f32, %out: f32):
    %0 = arith.addf %in, %b0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x3xf32>
  %qe = tensor.empty() : tensor<4x3xi8>
  %q = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x3xf32>) outs(%qe : tensor<4x3xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %sixteen : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %seven : f32
    %3 = arith.maximumf %2, %none : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<4x3xi8>
  return %y, %q : tensor<4x3xf32>, tensor<4x3xi8>
}

// Both factors have a zero point, and the second is transposed.
// CASE: both_zero_points 5x6xi8=-30,-33,78,4,-57,-75,-59,0,9,-128,85,111,-18,52,-121,83,75,-50,39,81,30,38,71,-78,-108,114,43,-52,-52,60 7x6xi8=15,81,37,-52,-123,-127,74,-127,-9,60,-60,3,80,-18,-33,21,-41,-40,116,94,-6,-13,-83,102,53,-17,68,-114,-84,61,80,-67,50,-84,-15,-81,-91,118,-9,56,91,-92 -> 5x7xf32=-2015.75,1639.625,9779.25,3538.125,3113.875,6553.5,4883,253.375,-1481.625,1065.875,3512.375,-348.125,3026.875,1764,-1579.875,-158,5475.75,5046,-978.875,3024.75,5548.125,589.5,-819,4840,1809.625,978.375,3763.125,2095.125,1529.5,1382,3898.25,6398,3503.125,6508.375,1287.25
func.func @both_zero_points(%x: tensor<5x6xi8>, %w: tensor<7x6xi8>) -> tensor<5x7xf32> {
  %xz = arith.constant 3 : i32
  %wz = arith.constant 100 : i32
  %xs = arith.constant 0.25 : f32
  %ws = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %a.e = tensor.empty() : tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xi8>) outs(%a.e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %xz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xs : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %b.e = tensor.empty() : tensor<7x6xf32>
  %b = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%b.e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %wz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %ws : f32
    linalg.yield %3 : f32
  } -> tensor<7x6xf32>
  %te = tensor.empty() : tensor<6x7xf32>
  %t = linalg.transpose ins(%b : tensor<7x6xf32>) outs(%te : tensor<6x7xf32>) permutation = [1, 0]
  %start.e = tensor.empty() : tensor<5x7xf32>
  %start = linalg.fill ins(%none : f32) outs(%start.e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %y = linalg.matmul ins(%a, %t : tensor<5x6xf32>, tensor<6x7xf32>) outs(%start : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// A zero point that is known when the program runs.
// CASE: run_time_zero_point 3x4xi8=39,-101,-87,49,87,34,110,-32,-44,76,-118,-79 4x5xi8=-79,-29,-88,76,88,-31,-121,54,-101,28,-85,112,45,125,29,57,-32,79,-100,-89 i32=-5 -> 3x5xf32=19096,-1144,-16960,-5220,-12000,-39582,12714,-5896,40256,29852,11914,-37916,-6250,-35740,4290
func.func @run_time_zero_point(%x: tensor<3x4xi8>, %w: tensor<4x5xi8>, %z: i32) -> tensor<3x5xf32> {
  %xs = arith.constant 1.0 : f32
  %ws = arith.constant 2.0 : f32
  %none = arith.constant 0.0 : f32
  %a.e = tensor.empty() : tensor<3x4xf32>
  %a = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%a.e : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xs : f32
    linalg.yield %3 : f32
  } -> tensor<3x4xf32>
  %b.e = tensor.empty() : tensor<4x5xf32>
  %b = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x5xi8>) outs(%b.e : tensor<4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %2 = arith.sitofp %0 : i32 to f32
    %3 = arith.mulf %2, %ws : f32
    linalg.yield %3 : f32
  } -> tensor<4x5xf32>
  %start.e = tensor.empty() : tensor<3x5xf32>
  %start = linalg.fill ins(%none : f32) outs(%start.e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %y = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%start : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

// An image with a border of zeros, and sums that start from a bias.
// CASE: padded_convolution 1x2x4x5xi8=92,-74,124,-40,-15,102,108,-115,-91,122,-102,-11,-69,81,108,102,38,0,-54,107,90,-95,-112,-17,-99,-20,-108,83,82,-3,-106,48,-44,-46,2,40,-79,103,87,18 3x2x3x3xi8=-80,91,85,84,18,-93,-46,6,126,-62,12,-3,0,13,52,-101,123,93,68,-57,-16,-14,-49,-114,62,-128,67,-79,36,-41,-68,109,-7,99,-80,-5,-40,-12,-125,42,-40,91,-74,-42,-117,75,8,-26,106,24,118,60,21,0 -> 1x3x4x5xf32=6031.25,2799.375,3602.5,4475.375,4954.625,9625.5,5608.125,5710.375,6077.75,-1686.75,3420.625,4017.875,7951.5,4119,-1388.625,5369.25,4046.75,-942,-1791.5,1100.5,-10035.5,73.75,-5427,-6821.5,-7712.75,-4275.75,-8495.75,-14730,-6197,3545,-9149.5,-16855,1961.75,-9941.25,-1668.5,-3554,-2660.25,-5736.75,-5136.5,-7174.25,10793.5,12628,23386.5,15697,10283,-14760.5,-42.5,-8116,4318,12714.5,865.5,22918,6927,3006,3255,-5816.5,-2465,13581,5190,11813.5
func.func @padded_convolution(%x: tensor<1x2x4x5xi8>, %w: tensor<3x2x3x3xi8>) -> tensor<1x3x4x5xf32> {
  %xz = arith.constant 9 : i32
  %xs = arith.constant 0.25 : f32
  %none = arith.constant 0.0 : f32
  %ws = arith.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf32>
  %bias = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a.e = tensor.empty() : tensor<1x2x4x5xf32>
  %a = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x4x5xi8>) outs(%a.e : tensor<1x2x4x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %xz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xs : f32
    linalg.yield %3 : f32
  } -> tensor<1x2x4x5xf32>
  %b.e = tensor.empty() : tensor<3x2x3x3xf32>
  %b = linalg.generic {indexing_maps = [#id4, #first4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x3x3xi8>, tensor<3xf32>) outs(%b.e : tensor<3x2x3x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<3x2x3x3xf32>
  %padded = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : f32
  } : tensor<1x2x4x5xf32> to tensor<1x2x6x7xf32>
  %e = tensor.empty() : tensor<1x3x4x5xf32>
  %start = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%e : tensor<1x3x4x5xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%padded, %b : tensor<1x2x6x7xf32>, tensor<3x2x3x3xf32>) outs(%start : tensor<1x3x4x5xf32>) -> tensor<1x3x4x5xf32>
  return %y : tensor<1x3x4x5xf32>
}

// Filters with a zero point, which is multiplied by the sums of windows.
// CASE: window_sums 1x2x4x4xi8=51,-80,-54,-78,105,1,-68,10,-51,38,78,54,-118,52,66,12,-5,55,49,-103,36,-30,-56,89,102,93,-68,106,73,-82,35,-55 2x2x2x2xi8=109,-16,66,96,-33,-76,10,87,4,-46,106,59,-71,-34,26,-127 -> 1x2x3x3xf32=17737,10414.75,10902,6056.25,20147.5,8562.5,8287.25,8962.75,12109,16846.5,5564.25,8945,8424,20686.25,4750,5664,9461.25,11800.5
func.func @window_sums(%x: tensor<1x2x4x4xi8>, %w: tensor<2x2x2x2xi8>) -> tensor<1x2x3x3xf32> {
  %xz = arith.constant 1 : i32
  %wz = arith.constant 77 : i32
  %scale = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %a.e = tensor.empty() : tensor<1x2x4x4xf32>
  %a = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x4x4xi8>) outs(%a.e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %xz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x2x4x4xf32>
  %b.e = tensor.empty() : tensor<2x2x2x2xf32>
  %b = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x2x2xi8>) outs(%b.e : tensor<2x2x2x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %wz : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x2x2x2xf32>
  %start.e = tensor.empty() : tensor<1x2x3x3xf32>
  %start = linalg.fill ins(%none : f32) outs(%start.e : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) outs(%start : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

// Integers with zero points, in i32.
// CASE: quantized 2x3x4xi8=-35,57,110,8,63,-48,20,-2,59,-116,-68,-117,122,7,-3,-6,-120,85,88,-123,31,14,-31,-3 2x4x3xi8=97,25,-3,58,49,6,84,16,30,-3,23,29,102,-65,-35,13,-42,44,83,-80,-114,125,2,63 -> 2x3x3xi32=7699,3295,3769,3371,-1284,-359,-8558,-9319,-7280,9459,-6517,-3520,-21663,-1957,-9743,-1899,1132,3136
func.func @quantized(%x: tensor<2x3x4xi8>, %w: tensor<2x4x3xi8>) -> tensor<2x3x3xi32> {
  %xz = arith.constant 7 : i32
  %wz = arith.constant -2 : i32
  %none = arith.constant 0 : i32
  %start.e = tensor.empty() : tensor<2x3x3xi32>
  %start = linalg.fill ins(%none : i32) outs(%start.e : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  %y = linalg.quantized_batch_matmul ins(%x, %w, %xz, %wz : tensor<2x3x4xi8>, tensor<2x4x3xi8>, i32, i32) outs(%start : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  return %y : tensor<2x3x3xi32>
}
