// Each operation of TOSA that computes has the numbers of its specification on
// every device: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: exp 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=0.082085006,0.60653067,1,1.2840255,4.481689,20.085537
// CASE: floor 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-3,-1,0,0,1,3
// CASE: ceil 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-2,-0,0,1,2,3
// CASE: abs 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=2.5,0.5,0,0.25,1.5,3
// CASE: sigmoid 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=0.07585818,0.37754068,0.5,0.5621765,0.8175745,0.95257413
// CASE: tanh 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-0.9866143,-0.4621172,0,0.24491866,0.9051482,0.9950548
// CASE: erf 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-0.999593,-0.5204999,0,0.2763264,0.96610516,0.9999779
// CASE: log 5xf32=0.25,0.5,1,2,9 -> 5xf32=-1.3862944,-0.6931472,0,0.6931472,2.1972246
// CASE: rsqrt 5xf32=0.25,0.5,1,2,9 -> 5xf32=2,1.4142135,1,0.70710677,0.33333334
// CASE: reciprocal 5xf32=0.25,0.5,1,2,9 -> 5xf32=4,2,1,0.5,0.11111111
// CASE: sin 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-0.5984722,-0.47942555,0,0.24740396,0.997495,0.14112
// CASE: cos 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-0.8011436,0.87758255,1,0.9689124,0.0707372,-0.9899925
// CASE: clz 5xi32=0,1,255,-1,65536 -> 5xi32=32,31,24,0,15
// CASE: bitwise_not 4xi8=0,1,-5,127 -> 4xi8=-1,-2,4,-128
// CASE: logical_not 4xi1=0,1,1,0 -> 4xi1=1,0,0,1
// CASE: identity 6xf32=-2.5,-0.5,0,0.25,1.5,3 -> 6xf32=-2.5,-0.5,0,0.25,1.5,3
// CASE: add 1x3xi32=1,2,3 2x1xi32=10,20 -> 2x3xi32=11,12,13,21,22,23
// CASE: sub 1x3xf32=1,2,3 2x1xf32=10,20 -> 2x3xf32=-9,-8,-7,-19,-18,-17
// CASE: maximum 1x3xf32=1,20,3 2x1xf32=10,2 -> 2x3xf32=10,20,10,2,20,3
// CASE: minimum 1x3xi32=1,20,3 2x1xi32=10,2 -> 2x3xi32=1,10,3,1,2,2
// CASE: pow 3xf32=2,3,4 3xf32=3,0.5,-1 -> 3xf32=8,1.7320509,0.25
// CASE: intdiv 4xi32=7,-7,9,0 4xi32=2,2,-4,5 -> 4xi32=3,-3,-2,0
// CASE: bitwise_and 3xi32=12,-1,7 3xi32=10,6,-8 -> 3xi32=8,6,0
// CASE: bitwise_or 3xi16=12,-1,7 3xi16=10,6,-8 -> 3xi16=14,-1,-1
// CASE: bitwise_xor 3xi8=12,-1,7 3xi8=10,6,-8 -> 3xi8=6,-7,-1
// CASE: logical_and 4xi1=0,1,0,1 4xi1=0,0,1,1 -> 4xi1=0,0,0,1
// CASE: logical_or 4xi1=0,1,0,1 4xi1=0,0,1,1 -> 4xi1=0,1,1,1
// CASE: logical_xor 4xi1=0,1,0,1 4xi1=0,0,1,1 -> 4xi1=0,1,1,0
// CASE: logical_left_shift 3xi32=1,-3,5 3xi32=4,1,2 -> 3xi32=16,-6,20
// CASE: logical_right_shift 3xi32=16,-4,5 3xi32=2,1,1 -> 3xi32=4,2147483646,2
// CASE: arithmetic_right_shift 3xi32=16,-5,7 3xi32=2,1,1 -> 3xi32=4,-2,4
// CASE: equal 1x3xf32=1,2,3 2x1xf32=2,3 -> 2x3xi1=0,1,0,0,0,1
// CASE: greater 1x3xf32=1,2,3 2x1xf32=2,3 -> 2x3xi1=0,0,1,0,0,0
// CASE: greater_equal 1x3xf32=1,2,3 2x1xf32=2,3 -> 2x3xi1=0,1,1,0,0,1
// CASE: mul 2x3xf32=iota 1x3xf32=2,-1,0.5 -> 2x3xf32=0,-1,1,6,-4,2.5
// CASE: mul_shifted 4xi32=100000,-7,3,70000 4xi32=50000,3,3,70000 -> 4xi32=39062500,0,0,38281250
// CASE: mul_wide 4xi8=100,-100,127,-128 4xi8=100,100,127,-128 -> 4xi32=10000,-10000,16129,16384
// CASE: mul_by_argument 3xi8=100,-100,127 3xi8=100,100,127 1xi8=0 2xf32=3,-0.5 -> 3xi16=10000,-10000,16129 2xf32=9,0.25
// CASE: zero_points_by_argument 1x2x2x1xf32=1,2,3,4 2x1x1x1xf32=2,3 2xf32=1,-1 1xf32=0 -> 1x4x4x2xf32=3,2,1,-1,1,-1,5,5,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,7,8,1,-1,1,-1,9,11
// CASE: select 2x1xi1=iota 2x3xf32=iota 1x3xf32=7,8,9 -> 2x3xf32=7,8,9,3,4,5
// CASE: clamp 6xf32=-2.5,-0.5,0,0.25,1.5,3 4xi8=-100,-3,4,100 -> 6xf32=-1,-0.5,0,0.25,1.5,2 4xi8=-3,-3,4,5
// CASE: negate 4xi8=1,-128,127,3 3xf32=1,-2,0.5 -> 4xi8=0,127,-126,-2 3xf32=-1,2,-0.5
// CASE: reduce_sum 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 2x1x4xf32=-5,5,4,3,5,4,3,2
// CASE: reduce_max 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 2x1x4xf32=2,4,5,6,4,5,6,3
// CASE: reduce_min 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 2x1x4xf32=-4,-2,-1,-4,-2,-1,-4,-3
// CASE: reduce_product 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 2x1x4xf32=24,-24,-0,-24,-24,-0,-24,-18
// CASE: reduce_all 2x3xi1=1,1,1,0,0,1 -> 2x1xi1=1,0
// CASE: reduce_any 2x3xi1=1,1,1,0,0,1 -> 2x1xi1=1
// CASE: argmax 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 2x4xi32=1,2,1,0,2,1,0,2
// CASE: concat 2x3xi32=iota 2x1xi32=9,8 -> 2x4xi32=0,1,2,9,3,4,5,8
// CASE: pad 2x3xi32=iota -> 4x4xi32=-1,-1,-1,-1,0,1,2,-1,3,4,5,-1,-1,-1,-1,-1
// CASE: reshape 2x3xi32=iota -> 3x2xi32=iota
// CASE: reverse 2x3xi32=iota -> 2x3xi32=2,1,0,5,4,3
// CASE: slice 4x5xi32=iota -> 2x3xi32=7,8,9,12,13,14
// CASE: tile 2x3xi32=iota -> 4x9xi32=0,1,2,0,1,2,0,1,2,3,4,5,3,4,5,3,4,5,0,1,2,0,1,2,0,1,2,3,4,5,3,4,5,3,4,5
// CASE: transpose 2x3x4xf32=-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3,-1,6,2,-2,5,1,-3,4,0,-4,3 -> 4x2x3xf32=-4,2,-3,3,-2,4,3,-2,4,-1,5,0,-1,5,0,6,1,-4,6,1,-4,2,-3,3
// CASE: gather 2x3x2xf32=iota 2x4xi32=2,0,1,1,0,0,2,1 -> 2x4x2xf32=4,5,0,1,2,3,2,3,6,7,6,7,10,11,8,9
// CASE: pad_by_value 2x3xi32=iota 1xi32=-4 -> 3x4xi32=-8,0,1,2,-8,3,4,5,-8,-8,-8,-8
// CASE: cast_to_ints 7xf32=-2.5,-0.5,0.5,1.5,2.5,300,-300 -> 7xi8=-2,-0,0,2,2,127,-128 7xi16=-2,-0,0,2,2,300,-300 7xi32=-2,-0,0,2,2,300,-300 7xi1=1
// CASE: cast_from_ints 5xi8=-128,-1,0,5,127 2xi1=iota -> 5xf32=-128,-1,0,5,127 5xi32=-128,-1,0,5,127 5xi1=1,1,0,1,1 2xf32=iota 2xi8=iota
// CASE: table 5xi8=-128,-1,0,1,127 256xi8=-128,-125,-122,-119,-116,-113,-110,-107,-104,-101,-98,-95,-92,-89,-86,-83,-80,-77,-74,-71,-68,-65,-62,-59,-56,-53,-50,-47,-44,-41,-38,-35,-32,-29,-26,-23,-20,-17,-14,-11,-8,-5,-2,1,4,7,10,13,16,19,22,25,28,31,34,37,40,43,46,49,52,55,58,61,64,67,70,73,76,79,82,85,88,91,94,97,100,103,106,109,112,115,118,121,124,127,-126,-123,-120,-117,-114,-111,-108,-105,-102,-99,-96,-93,-90,-87,-84,-81,-78,-75,-72,-69,-66,-63,-60,-57,-54,-51,-48,-45,-42,-39,-36,-33,-30,-27,-24,-21,-18,-15,-12,-9,-6,-3,0,3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57,60,63,66,69,72,75,78,81,84,87,90,93,96,99,102,105,108,111,114,117,120,123,126,-127,-124,-121,-118,-115,-112,-109,-106,-103,-100,-97,-94,-91,-88,-85,-82,-79,-76,-73,-70,-67,-64,-61,-58,-55,-52,-49,-46,-43,-40,-37,-34,-31,-28,-25,-22,-19,-16,-13,-10,-7,-4,-1,2,5,8,11,14,17,20,23,26,29,32,35,38,41,44,47,50,53,56,59,62,65,68,71,74,77,80,83,86,89,92,95,98,101,104,107,110,113,116,119,122,125 -> 5xi8=-128,-3,0,3,125
// CASE: conv2d 1x5x6x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2 3x3x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 3xf32=1,-1,2 -> 1x3x5x3xf32=-10,6,7,0,-8,4,3,-8,1,6,6,-9,5,-5,0,16,20,4,-8,-5,-2,-11,5,6,7,-13,7,9,-6,-1,22,14,-19,-16,-18,10,16,20,4,-8,-5,-2,-6,8,7
// CASE: conv2d_quantized 1x4x4x2xi8=-128,-99,-70,-41,-12,17,46,75,104,-123,-94,-65,-36,-7,22,51,80,109,-118,-89,-60,-31,-2,27,56,85,114,-113,-84,-55,-26,3 2x2x2x2xi8=-128,-91,-54,-17,20,57,94,-125,-88,-51,-14,23,60,97,-122,-85 2xi32=1000,-1000 -> 1x5x3x2xi32=-7406,-5678,-5434,-9274,-3462,-12870,24900,26772,5004,348,-10540,-11484,11620,32436,11436,5244,-4108,-6588,17284,-8492,22220,24732,2324,-1692,-20678,-15878,462,-5938,16482,9122
// CASE: depthwise_conv2d 1x4x4x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2 2x2x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 4xf32=iota -> 1x2x3x4xf32=-2,11,4,1,-5,-3,-1,3,-4,0,1,-1,2,-3,0,-1,-1,0,0,3,-4,3,6,1
// CASE: depthwise_quantized 1x4x4x2xi8=-128,-99,-70,-41,-12,17,46,75,104,-123,-94,-65,-36,-7,22,51,80,109,-118,-89,-60,-31,-2,27,56,85,114,-113,-84,-55,-26,3 2x2x2x2xi8=-128,-91,-54,-17,20,57,94,-125,-88,-51,-14,23,60,97,-122,-85 4xi32=5,6,7,8 -> 1x5x5x4xi32=-6892,-11368,11507,8104,7425,618,5821,1160,5453,2938,-2415,-2784,3481,5258,-10651,-6728,-4818,-2856,-1387,1648,4275,3906,6135,21992,-275,-6194,11379,8984,14437,7630,5115,-3544,5853,7630,-1149,-16072,-9577,-6542,-5653,-472,6851,14178,-25049,4648,-30259,-30258,9619,19288,17989,7630,7707,1640,9405,7630,1443,-10888,-4249,-2990,-3877,-472,5075,10626,-937,-22936,-12115,-6194,-2381,19352,-1755,-6194,10299,6824,12957,7630,4035,-5704,1079,562,-2101,-472,1076,3408,8379,-11768,-6191,618,-14883,11736,-17155,-15526,1681,8272,9769,6218,3653,-312,2494,1792,-563,-192
// CASE: transpose_conv2d 1x2x3x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x2x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2 3xf32=1,-1,2 -> 1x3x4x3xf32=9,-7,-3,6,7,-2,-8,3,4,0,-6,8,-4,4,12,-9,-6,7,6,-6,-8,11,4,-3,7,-6,1,3,3,-7,-3,7,7,-4,-7,10
// CASE: transpose_conv2d_strided 1x2x3x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x2x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2 3xf32=1,-1,2 -> 1x5x9x3xf32=1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,9,-7,-3,8,7,-4,1,-1,2,-1,-1,4,-3,-3,2,1,-1,2,-4,5,4,0,-6,8,1,-1,2,-3,6,10,-4,-5,9,1,-1,2,5,-5,0,3,3,-2,1,-1,2,-1,-2,-3,3,-3,1,1,-1,2,0,-3,4,-4,-2,0,1,-1,2,-3,3,4,-1,-5,6,1,-1,2,8,-5,-3,9,6,-2,1,-1,2,7,-6,1,3,5,-3,1,-1,2,1,-3,-2,3,-1,0,1,-1,2,-5,7,9,-4,-7,10,1,-1,2
// CASE: transpose_conv2d_apart 1x2x3x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x1x1x2xf32=1,2,3,4,5,6 3xf32=1,-1,2 -> 1x6x15x3xf32=2,-2,-1,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,-3,-9,-10,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,6,12,23,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,-6,-16,-21,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,3,5,12,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,1,-1,2,5,5,10
// CASE: transpose_conv2d_cut 1x2x3x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x3x3x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2 3xf32=1,-1,2 -> 1x3x6x3xf32=-5,-6,-2,11,-3,-7,1,1,6,1,-3,3,7,1,0,-4,5,4,-8,5,8,-6,-8,10,3,-9,4,9,-8,-5,7,5,-7,-3,5,8,-1,1,8,2,-3,2,5,1,2,-8,-3,12,-3,-6,-4,8,-5,-3
// CASE: transpose_conv2d_quantized 1x2x2x2xi8=-128,-99,-70,-41,-12,17,46,75 2x2x2x2xi8=-128,-91,-54,-17,20,57,94,-125,-88,-51,-14,23,60,97,-122,-85 2xi32=1000,-1000 -> 1x5x4x2xi32=25499,14979,9737,-783,12449,6569,5271,-609,-6025,-16545,1765,22221,-1907,-7787,-381,9867,1000,-1000,1000,-1000,1000,-1000,1000,-1000,-601,-1841,805,-435,-13651,-10251,-3661,-261,2211,971,-2527,-2487,6329,9729,-4673,-14841
// CASE: conv3d 1x3x3x3x1xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1 2x2x2x2x1xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 2xf32=1,2 -> 1x2x2x2x2xf32=23,1,-8,15,7,-6,11,15,-11,-6,7,-6,-13,1,-2,-6
// CASE: matmul_quantized 2x2x3xi8=-128,-99,-70,-41,-12,17,46,75,104,-123,-94,-65 2x3x2xi8=-128,-91,-54,-17,20,57,94,-125,-88,-51,-14,23 -> 2x2x2xi32=19892,8348,6842,4955,-2852,-5578,-3528,18251
// CASE: max_pool2d 1x4x5x1xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3 -> 1x2x3x1xf32=3,4,5,6,6,3
// CASE: avg_pool2d 1x4x5x1xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3 -> 1x2x3x1xf32=-1.25,-0.5,0.25,0.5,0.16666666666666666,-1.25
// CASE: avg_pool2d_quantized 1x4x4x1xi8=4,8,12,16,20,24,28,32,-4,-8,-12,-16,-20,-24,-28,-32 -> 1x2x2x1xi8=9,17,-19,-27
// CASE: rescale_per_channel 2x3xi32=-100000,-5,7,30,1000,99999 -> 2x3xi8=-128,-5,-2,2,127,127
// CASE: rescale16 5xi8=-128,-7,0,90,127 -> 5xi16=-659,-68,-34,405,586
// CASE: rescale_unsigned_input 6xi8=0,1,127,-128,-56,-1 -> 6xi8=-63,-62,1,1,37,65
// CASE: resize_nearest_neighbor 1x2x2x1xf32=1,2,3,4 -> 1x4x4x1xf32=1,1,2,2,1,1,2,2,3,3,4,4,3,3,4,4
// CASE: resize_bilinear 1x2x2x1xf32=1,2,3,4 -> 1x4x4x1xf32=1,1.25,1.75,2,1.5,1.75,2.25,2.5,2.5,2.75,3.25,3.5,3,3.25,3.75,4
// CASE: rfft2d 1x2x4xf32=1,2,3,4,5,6,7,9 -> 1x2x3xf32=37,-4,-5,-17,0,1 1x2x3xf32=0,5,0,0,-1,0
// CASE: half_types 3xf32=1.5,-2.25,1000 -> 3xf32=3,-4.5,2000 3xf32=1.5,-2.25,1000
// CASE: sizes_of_both_types 2x3xf32=iota 4xf32=-1,2,-3,4 -> 2x3xf32=iota 4xf32=1,2,3,4 4xf32=-1,2,-3,4 1x4xf32=-1,2,-3,4 4xf32=-1,2,-3,4

func.func @exp(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.exp %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @floor(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.floor %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @ceil(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.ceil %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @abs(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.abs %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @sigmoid(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.sigmoid %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @tanh(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.tanh %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @erf(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.erf %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @log(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.log %x : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @rsqrt(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.rsqrt %x : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @reciprocal(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.reciprocal %x : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @sin(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.sin %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @cos(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.cos %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @clz(%x: tensor<5xi32>) -> tensor<5xi32> {
  %0 = tosa.clz %x : (tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @bitwise_not(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = tosa.bitwise_not %x : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

func.func @logical_not(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tosa.logical_not %x : (tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

func.func @identity(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tosa.identity %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @add(%x: tensor<1x3xi32>, %y: tensor<2x1xi32>) -> tensor<2x3xi32> {
  %0 = tosa.add %x, %y : (tensor<1x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

func.func @sub(%x: tensor<1x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.sub %x, %y : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @maximum(%x: tensor<1x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = tosa.maximum %x, %y : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @minimum(%x: tensor<1x3xi32>, %y: tensor<2x1xi32>) -> tensor<2x3xi32> {
  %0 = tosa.minimum %x, %y : (tensor<1x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

func.func @pow(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.pow %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @intdiv(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.intdiv %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @bitwise_and(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = tosa.bitwise_and %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @bitwise_or(%x: tensor<3xi16>, %y: tensor<3xi16>) -> tensor<3xi16> {
  %0 = tosa.bitwise_or %x, %y : (tensor<3xi16>, tensor<3xi16>) -> tensor<3xi16>
  return %0 : tensor<3xi16>
}

func.func @bitwise_xor(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi8> {
  %0 = tosa.bitwise_xor %x, %y : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

func.func @logical_and(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tosa.logical_and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

func.func @logical_or(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tosa.logical_or %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

func.func @logical_xor(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = tosa.logical_xor %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

func.func @logical_left_shift(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = tosa.logical_left_shift %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @logical_right_shift(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = tosa.logical_right_shift %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @arithmetic_right_shift(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = tosa.arithmetic_right_shift %x, %y {round = true} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @equal(%x: tensor<1x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xi1> {
  %0 = tosa.equal %x, %y : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

func.func @greater(%x: tensor<1x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xi1> {
  %0 = tosa.greater %x, %y : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

func.func @greater_equal(%x: tensor<1x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xi1> {
  %0 = tosa.greater_equal %x, %y : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

func.func @mul(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %s : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// The product has 64 bits before it is shifted, and is rounded.
func.func @mul_shifted(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %s = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @mul_wide(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %s : (tensor<4xi8>, tensor<4xi8>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Only products of i32 are shifted, whoever makes the shift.
func.func @mul_by_argument(%x: tensor<3xi8>, %y: tensor<3xi8>, %s: tensor<1xi8>, %u: tensor<2xf32>) -> (tensor<3xi16>, tensor<2xf32>) {
  %0 = tosa.mul %x, %y, %s : (tensor<3xi8>, tensor<3xi8>, tensor<1xi8>) -> tensor<3xi16>
  %1 = tosa.mul %u, %u, %s : (tensor<2xf32>, tensor<2xf32>, tensor<1xi8>) -> tensor<2xf32>
  return %0, %1 : tensor<3xi16>, tensor<2xf32>
}

// Zero points of floats are 0.
func.func @zero_points_by_argument(%x: tensor<1x2x2x1xf32>, %w: tensor<2x1x1x1xf32>, %b: tensor<2xf32>, %z: tensor<1xf32>) -> tensor<1x4x4x2xf32> {
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 3, 3>} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

func.func @select(%c: tensor<2x1xi1>, %x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.select %c, %x, %y : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @clamp(%x: tensor<6xf32>, %n: tensor<4xi8>) -> (tensor<6xf32>, tensor<4xi8>) {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<6xf32>) -> tensor<6xf32>
  %1 = tosa.clamp %n {min_val = -3 : i8, max_val = 5 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %0, %1 : tensor<6xf32>, tensor<4xi8>
}

// The difference saturates.
func.func @negate(%x: tensor<4xi8>, %y: tensor<3xf32>) -> (tensor<4xi8>, tensor<3xf32>) {
  %a = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.negate %x, %a, %b : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  %1 = tosa.negate %y, %z, %z : (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<4xi8>, tensor<3xf32>
}

func.func @reduce_sum(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

func.func @reduce_max(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

func.func @reduce_min(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_min %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

func.func @reduce_product(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = tosa.reduce_product %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

func.func @reduce_all(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
  %0 = tosa.reduce_all %x {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
  return %0 : tensor<2x1xi1>
}

func.func @reduce_any(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
  %0 = tosa.reduce_any %x {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
  return %0 : tensor<2x1xi1>
}

func.func @argmax(%x: tensor<2x3x4xf32>) -> tensor<2x4xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

func.func @concat(%x: tensor<2x3xi32>, %y: tensor<2x1xi32>) -> tensor<2x4xi32> {
  %0 = tosa.concat %x, %y {axis = 1 : i32} : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

func.func @pad(%x: tensor<2x3xi32>) -> tensor<4x4xi32> {
  %p = tosa.const_shape {values = dense<[1, 1, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.pad %x, %p, %v : (tensor<2x3xi32>, !tosa.shape<4>, tensor<1xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

func.func @reshape(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

func.func @reverse(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

func.func @slice(%x: tensor<4x5xi32>) -> tensor<2x3xi32> {
  %b = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %x, %b, %s : (tensor<4x5xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

func.func @tile(%x: tensor<2x3xi32>) -> tensor<4x9xi32> {
  %m = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %x, %m : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<4x9xi32>
  return %0 : tensor<4x9xi32>
}

func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

func.func @gather(%x: tensor<2x3x2xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x2xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x3x2xf32>, tensor<2x4xi32>) -> tensor<2x4x2xf32>
  return %0 : tensor<2x4x2xf32>
}

// By a value that some device computes.
func.func @pad_by_value(%x: tensor<2x3xi32>, %v: tensor<1xi32>) -> tensor<3x4xi32> {
  %p = tosa.const_shape {values = dense<[0, 1, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %w = tosa.add %v, %v : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %0 = tosa.pad %x, %p, %w : (tensor<2x3xi32>, !tosa.shape<4>, tensor<1xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// To the nearest, of two the even one, within the type.
func.func @cast_to_ints(%x: tensor<7xf32>) -> (tensor<7xi8>, tensor<7xi16>, tensor<7xi32>, tensor<7xi1>) {
  %0 = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi8>
  %1 = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi16>
  %2 = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi32>
  %3 = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi1>
  return %0, %1, %2, %3 : tensor<7xi8>, tensor<7xi16>, tensor<7xi32>, tensor<7xi1>
}

func.func @cast_from_ints(%x: tensor<5xi8>, %p: tensor<2xi1>) -> (tensor<5xf32>, tensor<5xi32>, tensor<5xi1>, tensor<2xf32>, tensor<2xi8>) {
  %0 = tosa.cast %x : (tensor<5xi8>) -> tensor<5xf32>
  %1 = tosa.cast %x : (tensor<5xi8>) -> tensor<5xi32>
  %2 = tosa.cast %x : (tensor<5xi8>) -> tensor<5xi1>
  %3 = tosa.cast %p : (tensor<2xi1>) -> tensor<2xf32>
  %4 = tosa.cast %p : (tensor<2xi1>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4 : tensor<5xf32>, tensor<5xi32>, tensor<5xi1>, tensor<2xf32>, tensor<2xi8>
}

func.func @table(%x: tensor<5xi8>, %t: tensor<256xi8>) -> tensor<5xi8> {
  %0 = tosa.table %x, %t : (tensor<5xi8>, tensor<256xi8>) -> tensor<5xi8>
  return %0 : tensor<5xi8>
}

// Padded at the top and the right, strided and dilated.
func.func @conv2d(%x: tensor<1x5x6x2xf32>, %w: tensor<3x3x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x3x5x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 2, 0, 0, 1>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 2>} : (tensor<1x5x6x2xf32>, tensor<3x3x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5x3xf32>
  return %0 : tensor<1x3x5x3xf32>
}

// The padding is the zero point.
func.func @conv2d_quantized(%x: tensor<1x4x4x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x5x3x2xi32> {
  %i = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %i, %f {acc_type = i32, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x3x2xi32>
  return %0 : tensor<1x5x3x2xi32>
}

func.func @depthwise_conv2d(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x2x2xf32>, %b: tensor<4xf32>) -> tensor<1x2x3x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x4xf32>
  return %0 : tensor<1x2x3x4xf32>
}

func.func @depthwise_quantized(%x: tensor<1x4x4x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<4xi32>) -> tensor<1x5x5x4xi32> {
  %i = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %i, %f {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x4xi32>
  return %0 : tensor<1x5x5x4xi32>
}

func.func @transpose_conv2d(%x: tensor<1x2x3x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x3xf32> {
  %i = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %f = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %i, %f {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x3x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x3xf32>
  return %0 : tensor<1x3x4x3xf32>
}

// Strides as large as the kernel, and larger.
func.func @transpose_conv2d_strided(%x: tensor<1x2x3x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x5x9x3xf32> {
  %i = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %f = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %i, %f {acc_type = f32, out_pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 3>} : (tensor<1x2x3x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x9x3xf32>
  return %0 : tensor<1x5x9x3xf32>
}

// Between the results of far strides is the bias alone.
func.func @transpose_conv2d_apart(%x: tensor<1x2x3x2xf32>, %w: tensor<3x1x1x2xf32>, %b: tensor<3xf32>) -> tensor<1x6x15x3xf32> {
  %i = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %f = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %i, %f {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 5, 7>} : (tensor<1x2x3x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x15x3xf32>
  return %0 : tensor<1x6x15x3xf32>
}

func.func @transpose_conv2d_cut(%x: tensor<1x2x3x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x3x6x3xf32> {
  %i = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %f = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %i, %f {acc_type = f32, out_pad = array<i64: -1, -1, -1, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x3x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x6x3xf32>
  return %0 : tensor<1x3x6x3xf32>
}

func.func @transpose_conv2d_quantized(%x: tensor<1x2x2x2xi8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x5x4x2xi32> {
  %i = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.transpose_conv2d %x, %w, %b, %i, %f {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 3, 2>} : (tensor<1x2x2x2xi8>, tensor<2x2x2x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x4x2xi32>
  return %0 : tensor<1x5x4x2xi32>
}

func.func @conv3d(%x: tensor<1x3x3x3x1xf32>, %w: tensor<2x2x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x3x3x3x1xf32>, tensor<2x2x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2x2xf32>
  return %0 : tensor<1x2x2x2x2xf32>
}

func.func @matmul_quantized(%x: tensor<2x2x3xi8>, %y: tensor<2x3x2xi8>) -> tensor<2x2x2xi32> {
  %a = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %y, %a, %b : (tensor<2x2x3xi8>, tensor<2x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x2x2xi32>
  return %0 : tensor<2x2x2xi32>
}

func.func @max_pool2d(%x: tensor<1x4x5x1xf32>) -> tensor<1x2x3x1xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 3>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 1>} : (tensor<1x4x5x1xf32>) -> tensor<1x2x3x1xf32>
  return %0 : tensor<1x2x3x1xf32>
}

// The padding does not count.
func.func @avg_pool2d(%x: tensor<1x4x5x1xf32>) -> tensor<1x2x3x1xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 3>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 1>} : (tensor<1x4x5x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x1xf32>
  return %0 : tensor<1x2x3x1xf32>
}

func.func @avg_pool2d_quantized(%x: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %i = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %o = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %i, %o {acc_type = i32, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// Each channel has its own scale; what does not fit saturates.
func.func @rescale_per_channel(%x: tensor<2x3xi32>) -> tensor<2x3xi8> {
  %m = "tosa.const"() <{values = dense<[1073741824, 1500000000, 2000000000]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %s = "tosa.const"() <{values = dense<[33, 31, 38]> : tensor<3xi8>}> : () -> tensor<3xi8>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

func.func @rescale16(%x: tensor<5xi8>) -> tensor<5xi16> {
  %m = "tosa.const"() <{values = dense<20000> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<12> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %o = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<5xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi16>) -> tensor<5xi16>
  return %0 : tensor<5xi16>
}

// The attribute says that the input, and its zero point, are unsigned.
func.func @rescale_unsigned_input(%x: tensor<6xi8>) -> tensor<6xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %o = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = true, output_unsigned = false} : (tensor<6xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<6xi8>
  return %0 : tensor<6xi8>
}

func.func @resize_nearest_neighbor(%x: tensor<1x2x2x1xf32>) -> tensor<1x4x4x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}

func.func @resize_bilinear(%x: tensor<1x2x2x1xf32>) -> tensor<1x4x4x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}

// Sines of multiples of pi are not quite 0.
func.func @rfft2d(%x: tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %0:2 = tosa.rfft2d %x : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  %h = "tosa.const"() <{values = dense<0.001953125> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %a = "tosa.const"() <{values = dense<512.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.mul %0#1, %a, %s : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
  %2 = tosa.cast %1 : (tensor<1x2x3xf32>) -> tensor<1x2x3xi32>
  %3 = tosa.cast %2 : (tensor<1x2x3xi32>) -> tensor<1x2x3xf32>
  %4 = tosa.mul %3, %h, %s : (tensor<1x2x3xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x3xf32>
  return %0#0, %4 : tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

func.func @half_types(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = tosa.cast %x : (tensor<3xf32>) -> tensor<3xf16>
  %1 = tosa.add %0, %0 : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %2 = tosa.cast %1 : (tensor<3xf16>) -> tensor<3xf32>
  %3 = tosa.cast %x : (tensor<3xf32>) -> tensor<3xbf16>
  %4 = tosa.maximum %3, %3 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %5 = tosa.cast %4 : (tensor<3xbf16>) -> tensor<3xf32>
  return %2, %5 : tensor<3xf32>, tensor<3xf32>
}

// The types of operands and results know different sizes.
func.func @sizes_of_both_types(%a: tensor<2x?xf32>, %b: tensor<?xf32>) -> (tensor<2x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>) {
  %0 = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x?xf32>) -> tensor<3x2xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x?xf32>
  %2 = tosa.abs %b : (tensor<?xf32>) -> tensor<?xf32>
  %3 = tosa.abs %2 : (tensor<?xf32>) -> tensor<4xf32>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %4 = tosa.negate %b, %zp, %zp : (tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  %5 = tosa.negate %4, %zp, %zp : (tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %6 = tensor.expand_shape %b [[0, 1]] output_shape [1, %n] : tensor<?xf32> into tensor<1x?xf32>
  %7 = tosa.reverse %6 {axis = 0 : i32} : (tensor<1x?xf32>) -> tensor<1x4xf32>
  %8 = tosa.clamp %b {min_val = 0xFF800000 : f32, max_val = 0x7F800000 : f32} : (tensor<?xf32>) -> tensor<4xf32>
  return %1, %3, %5, %7, %8 : tensor<2x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>
}
