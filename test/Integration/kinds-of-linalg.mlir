// Named, generic and relayout operations of linalg have the numbers of their
// definition on every device: the expected ones are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: matmul 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 4x5xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 3x5xf32=7,-2,4,-5,1,1,1,1,1,1,-5,4,-2,7,1
// CASE: matmul_of_integers 3x4xi32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 4x5xi32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 3x5xi32=6,-3,3,-6,0,0,0,0,0,0,-6,3,-3,6,0
// CASE: matmul_widening 3x4xi8=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 4x5xi8=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 3x5xi32=6,-3,3,-6,0,0,0,0,0,0,-6,3,-3,6,0
// CASE: matmul_of_transposed_left 4x3xf32=-3,3,2,2,1,0,0,-1,-2,-2,-3,3 4x5xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 3x5xf32=6,-3,3,-6,0,0,0,0,0,0,-6,3,-3,6,0
// CASE: matmul_of_transposed_right 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 5x4xf32=-2,-2,-2,-2,1,1,1,1,-1,-1,-1,-1,2,2,2,2,0,0,0,0 -> 3x5xf32=6,-3,3,-6,0,0,0,0,0,0,-6,3,-3,6,0
// CASE: matmul_of_broadcast_row 4xf32=-3,2,0,-2 4x5xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 3x5xf32=6,-3,3,-6,0,6,-3,3,-6,0,6,-3,3,-6,0
// CASE: contract 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 2x4x5xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 2x5x3xf32=6,0,-6,-3,0,3,3,0,-3,-6,0,6,0,0,0,6,0,-6,-3,0,3,3,0,-3,-6,0,6,0,0,0
// CASE: matvec 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 4xf32=-3,2,0,-2 -> 3xf32=17,-1,-12
// CASE: vecmat 3xf32=-3,2,0 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 -> 4xf32=15,-4,-2,0
// CASE: dot 5xf32=-3,2,0,-2,3 5xf32=-2,1,-1,2,0 -> f32=6
// CASE: batch_matmul 2x3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0 2x4x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 -> 2x3x2xf32=2,3,-10,10,-1,3,7,-11,1,2,2,1
// CASE: batch_matvec 2x3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0 2x4xf32=-3,2,0,-2,3,1,-1,-3 -> 2x3xf32=17,-1,-12,-1,-8,-8
// CASE: batch_vecmat 2x3xf32=-3,2,0,-2,3,1 2x3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0 -> 2x4xf32=15,-4,-2,0,-3,-7,17,-1
// CASE: batch_reduce_matmul 2x3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0 2x4x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 -> 3x2xf32=9,-8,-9,12,1,4
// CASE: mmt4d 2x3x2x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1 2x3x5x4xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 2x2x2x5xf32=5,-1,-2,-3,1,-9,5,9,-7,2,5,-1,-2,-3,1,-9,5,9,-7,2,-2,-7,8,8,-7,5,-1,-2,-3,1,-2,-7,8,8,-7,5,-1,-2,-3,1
// CASE: batch_mmt4d 2x2x3x2x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3 2x1x3x5x4xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 -> 2x2x1x2x5xf32=5,-1,-2,-3,1,-9,5,9,-7,2,-2,-7,8,8,-7,5,-1,-2,-3,1,5,1,-3,-2,-1,-2,-7,8,8,-7,-9,2,-7,9,5,5,1,-3,-2,-1
// CASE: quantized_matmul 3x4xi8=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 4x5xi8=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0 i32=2 i32=-1 -> 3x5xi32=11,-22,0,-33,-11,8,-16,0,-24,-8,5,-10,0,-15,-5
// CASE: conv_1d_nwc_wcf 1x6x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x2x3xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1 -> 1x4x3xf32=5,8,-4,6,-10,14,-7,14,-10,-6,-4,8
// CASE: conv_1d_ncw_fcw 1x2x6xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 3x2x3xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1 -> 1x3x4xf32=2,-8,3,0,3,-6,6,4,4,6,-6,3
// CASE: conv_1d 6xf32=-3,2,0,-2,3,1 3xf32=-2,1,-1 -> 4xf32=8,-2,-5,6
// CASE: conv_2d 5x6xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2 2x3xf32=-2,1,-1,2,0,-2 -> 4x4xf32=2,-8,3,0,5,2,-8,3,8,5,2,-8,-10,8,5,2
// CASE: conv_2d_nhwc_hwcf 1x6x7x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1 2x3x2x3xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 -> 1x3x3x3xf32=2,-8,17,2,2,-13,2,-2,-1,2,-8,17,2,2,-13,2,-2,-1,2,-8,17,2,2,-13,2,-2,-1
// CASE: conv_2d_nhwc_fhwc 1x6x7x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1 3x2x3x2xf32=-2,2,1,0,-1,-2,2,1,0,-1,-2,2,1,0,-1,-2,2,1,0,-1,-2,2,1,0,-1,-2,2,1,0,-1,-2,2,1,0,-1,-2 -> 1x3x3x3xf32=2,-8,17,2,2,-13,2,-2,-1,2,-8,17,2,2,-13,2,-2,-1,2,-8,17,2,2,-13,2,-2,-1
// CASE: conv_2d_nchw_fchw 1x2x6x7xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1 3x2x2x3xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 -> 1x3x4x3xf32=-7,4,1,-7,4,1,-7,4,1,-7,4,1,4,-7,3,4,-7,3,4,-7,3,4,-7,3,5,-8,0,5,-8,0,5,-8,0,5,-8,0
// CASE: conv_2d_ngchw_gfchw 1x2x2x4x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3 2x3x2x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1 -> 1x2x3x3x3xf32=13,-18,-7,-6,-9,9,-18,-7,18,-9,5,-2,-9,5,5,5,-2,5,-6,18,-7,13,9,-9,18,-7,-18,5,-7,2,6,8,-11,-7,2,-3,-3,2,-7,-11,8,6,2,-7,5,-6,-9,9,-18,-7,18,-9,9,13
// CASE: conv_3d_ndhwc_dhwcf 1x3x4x3x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2 2x2x2x2x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1 -> 1x2x3x2x2xf32=9,8,17,-31,-9,-18,6,-1,15,12,9,8,-21,9,15,12,17,-31,-17,21,6,-1,-21,9
// CASE: depthwise_conv_2d_nhwc_hwc 1x5x5x3xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3 2x3x3xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1 -> 1x4x2x3xf32=4,9,0,7,-3,-16,-6,0,9,4,9,0,5,-16,-3,-6,0,9,9,10,-1,5,-16,-3
// CASE: depthwise_conv_2d_nhwc_hwcm 1x5x5x3xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2,3 2x3x3x2xf32=-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2,1,-1,2,0,-2 -> 1x4x2x3x2xf32=15,-12,3,13,0,-5,-3,4,1,-11,-7,-2,-2,-7,5,-5,-7,13,15,-12,3,13,0,-5,-5,5,-7,-2,7,-11,-2,-7,5,-5,-7,13,13,3,-12,15,0,-7,-5,5,-7,-2,7,-11
// CASE: depthwise_conv_2d_nchw_chw 1x3x5x5xf32=-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3,-3,-2,-1,0,1,2,3 3x2x3xf32=-2,2,1,0,-1,-2,1,0,-1,-2,2,1,-1,-2,2,1,0,-1 -> 1x3x4x2xf32=4,7,-6,4,5,-6,9,5,9,-3,0,9,-16,0,10,-16,0,-16,9,0,-3,9,-1,-3
// CASE: depthwise_conv_1d_nwc_wc 1x6x3xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3,1,-1,-3,2,0,-2 2x3xf32=-2,1,-1,2,0,-2 -> 1x4x3xf32=4,2,-4,4,3,-7,4,-3,4,4,-2,1
// CASE: pooling_nhwc_sum 1x5x6x2xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4 -> 1x2x2x2xf32=-6,-3,0,3,1,4,-6,-3
// CASE: pooling_nhwc_max 1x5x6x2xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4 -> 1x4x3x2xf32=1,2,3,4,5,6,6,1,3,3,5,5,6,6,2,3,4,5,6,6,2,2,4,4
// CASE: pooling_nhwc_min 1x5x6x2xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4 -> 1x4x3x2xf32=-6,-6,-4,-4,-2,-2,-6,-6,-5,-4,-3,-2,-6,-6,-5,-5,-3,-3,-1,-6,-6,-5,-4,-3
// CASE: pooling_nchw_sum 1x2x5x6xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4 -> 1x2x3x5xf32=-11,-9,-7,-5,-3,1,3,5,7,9,0,-11,-9,-7,-5,-3,-1,1,3,5,9,11,0,-11,-9,-5,-3,-1,1,3
// CASE: pooling_nchw_max 1x2x5x6xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4 -> 1x2x3x5xf32=4,4,5,5,6,4,4,5,5,6,6,4,4,5,5,6,6,4,4,5,6,6,6,4,4,5,6,6,4,4
// CASE: pooling_nwc_sum 1x6x2xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 -> 1x4x2xf32=0,1,2,-4,4,-2,-1,0
// CASE: pooling_ncw_max 1x2x6xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 -> 1x2x4xf32=2,2,3,3,2,2,2,3
// CASE: pooling_ndhwc_max 1x3x3x3x1xf32=-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6,1,-5,2,-4,3,-3,4,-2,5,-1,6,0,-6 -> 1x2x2x2x1xf32=5,6,4,4,5,6,6,5
// CASE: pooling_nhwc_max_unsigned 1x2x4x1xi8=1,-56,3,-126,-1,127,9,100 -> 1x1x2x1xi8=-1,-126
// CASE: elementwise_exp 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=0.082085006,0.60653067,1.2840255,4.481689,20.085537
// CASE: elementwise_log 5xf32=0.25,1,2,4,9 -> 5xf32=-1.3862944,0,0.6931472,1.3862944,2.1972246
// CASE: elementwise_abs 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=2.5,0.5,0.25,1.5,3
// CASE: elementwise_ceil 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=-2,-0,1,2,3
// CASE: elementwise_floor 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=-3,-1,0,1,3
// CASE: elementwise_negf 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=2.5,0.5,-0.25,-1.5,-3
// CASE: elementwise_reciprocal 5xf32=0.25,1,2,4,9 -> 5xf32=4,1,0.5,0.25,0.11111111
// CASE: elementwise_round 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=-3,-1,0,2,3
// CASE: elementwise_sqrt 5xf32=0.25,1,2,4,9 -> 5xf32=0.5,1,1.4142135,2,3
// CASE: elementwise_rsqrt 5xf32=0.25,1,2,4,9 -> 5xf32=2,1,0.70710677,0.5,0.33333334
// CASE: elementwise_square 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=6.25,0.25,0.0625,2.25,9
// CASE: elementwise_tanh 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=-0.9866143,-0.4621172,0.24491866,0.9051482,0.9950548
// CASE: elementwise_erf 5xf32=-2.5,-0.5,0.25,1.5,3 -> 5xf32=-0.999593,-0.5204999,0.2763264,0.96610516,0.9999779
// CASE: elementwise_add 5xf32=0.25,1,2,4,9 5xf32=4.5,2,1,0.5,0.125 -> 5xf32=4.75,3,3,4.5,9.125
// CASE: elementwise_sub 5xf32=0.25,1,2,4,9 5xf32=4.5,2,1,0.5,0.125 -> 5xf32=-4.25,-1,1,3.5,8.875
// CASE: elementwise_mul 5xf32=0.25,1,2,4,9 5xf32=4.5,2,1,0.5,0.125 -> 5xf32=1.125,2,2,2,1.125
// CASE: elementwise_div 5xf32=0.25,1,2,4,9 5xf32=4.5,2,1,0.5,0.125 -> 5xf32=0.055555556,0.5,2,8,72
// CASE: elementwise_powf 5xf32=0.25,1,2,4,9 5xf32=4.5,2,1,0.5,0.125 -> 5xf32=0.001953125,1,2,2,1.316074
// CASE: elementwise_max_signed 3xi32=1,-2,3 3xi32=-1,2,3 -> 3xi32=1,2,3
// CASE: elementwise_min_signed 3xi32=1,-2,3 3xi32=-1,2,3 -> 3xi32=-1,-2,3
// CASE: elementwise_max_unsigned 3xi32=1,-2,3 3xi32=-1,2,3 -> 3xi32=-1,-2,3
// CASE: elementwise_min_unsigned 3xi32=1,-2,3 3xi32=-1,2,3 -> 3xi32=1,2,3
// CASE: elementwise_select 3xi1=1,0,1 3xf32=iota 3xf32=7,8,9 -> 3xf32=0,8,2
// CASE: elementwise_broadcast 2x3xf32=iota 3xf32=1,10,100 -> 3x2xf32=0,3,10,40,200,500
// CASE: transpose 2x3x4xf32=iota -> 4x2x3xf32=0,4,8,12,16,20,1,5,9,13,17,21,2,6,10,14,18,22,3,7,11,15,19,23
// CASE: broadcast 2x4xf32=iota -> 2x3x4xf32=0,1,2,3,0,1,2,3,0,1,2,3,4,5,6,7,4,5,6,7,4,5,6,7
// CASE: reduce_two 2x3x4xf32=iota 3xf32=5,50,10 -> 3xf32=65,142,134 3xf32=15,50,23
// CASE: map 2x3xf32=iota 2x3xf32=5,4,3,2,1,0 -> 2x3xf32=25,16,9,9,16,25
// CASE: softmax 2x3xf32=1,2,3,1000,1001,999 -> 2x3xf32=0.09003057,0.24472846,0.66524094,0.24472846,0.66524094,0.09003057
// CASE: pack 5x4xf32=iota -> 2x3x2x2xf32=0,1,4,5,8,9,12,13,16,17,-1,-1,2,3,6,7,10,11,14,15,18,19,-1,-1
// CASE: unpack 2x3x2x2xf32=0,1,4,5,8,9,12,13,16,17,-1,-1,2,3,6,7,10,11,14,15,18,19,-1,-1 -> 5x4xf32=iota
// CASE: diagonal 3x3xf32=iota -> 3xf32=0,4,8
// CASE: every_other 7xf32=iota -> 3xf32=1,3,5
// CASE: total 3x4xf32=iota -> f32=66
// CASE: argmin 3x4xf32=-3,2,0,-2,3,1,-1,-3,2,0,-2,3 -> 3xf32=-3,-3,-2 3xi32=0,3,2
// CASE: scaled 2x3xf32=iota f32=2 3xf32=1,-1,0.5 -> 2x3xf32=1,1,4.5,7,7,10.5
// CASE: accumulates 2x3xf32=iota 2x3xf32=9 -> 2x3xf32=9,8,7,6,5,4
// CASE: prefix 5xi32=3,1,4,1,5 -> 5xi32=3,4,8,9,14
// CASE: mixed_types 3xi8=-3,0,5 3xf64=0.5,1,2 -> 3xf32=-1.5,0,10
// CASE: index_arithmetic 4xi32=5,6,7,8 -> 4xi32=0,1,1,0
// CASE: elements_of_4_bits 11xi8=0,1,-1,3,-4,5,1,7,-2,6,2 -> 11xi64=0,1,-1,3,-4,5,1,7,-2,6,2 11xi64=2,6,-2,7,1,5,-4,3,-1,1,0
// CASE: elements_of_24_bits 11xi8=0,1,-1,3,-4,5,1,7,-2,6,2 -> 11xi64=0,1,-1,3,-4,5,1,7,-2,6,2 11xi64=2,6,-2,7,1,5,-4,3,-1,1,0
// CASE: elements_of_48_bits 11xi8=0,1,-1,3,-4,5,1,7,-2,6,2 -> 11xi64=0,1,-1,3,-4,5,1,7,-2,6,2 11xi64=2,6,-2,7,1,5,-4,3,-1,1,0
// CASE: moving_result 3x2xf32=iota -> 3x4x4xf32=0,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,2,3,0,0,2,3,0,0,2,3,0,0,2,3,0,0,0,4,5,0,0,4,5,0,0,4,5,0,0,4,5

func.func @matmul(%a0: tensor<3x4xf32>, %a1: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %v = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul ins(%a0, %a1 : tensor<3x4xf32>, tensor<4x5xf32>) outs(%i : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @matmul_of_integers(%a0: tensor<3x4xi32>, %a1: tensor<4x5xi32>) -> tensor<3x5xi32> {
  %v = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x5xi32>
  %i = linalg.fill ins(%v : i32) outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  %0 = linalg.matmul ins(%a0, %a1 : tensor<3x4xi32>, tensor<4x5xi32>) outs(%i : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

func.func @matmul_widening(%a0: tensor<3x4xi8>, %a1: tensor<4x5xi8>) -> tensor<3x5xi32> {
  %v = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x5xi32>
  %i = linalg.fill ins(%v : i32) outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  %0 = linalg.matmul ins(%a0, %a1 : tensor<3x4xi8>, tensor<4x5xi8>) outs(%i : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

func.func @matmul_of_transposed_left(%a0: tensor<4x3xf32>, %a1: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a0, %a1 : tensor<4x3xf32>, tensor<4x5xf32>) outs(%i : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @matmul_of_transposed_right(%a0: tensor<3x4xf32>, %a1: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a0, %a1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%i : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @matmul_of_broadcast_row(%a0: tensor<4xf32>, %a1: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a0, %a1 : tensor<4xf32>, tensor<4x5xf32>) outs(%i : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @contract(%a0: tensor<3x4xf32>, %a1: tensor<2x4x5xf32>) -> tensor<2x5x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, n, m)>] ins(%a0, %a1 : tensor<3x4xf32>, tensor<2x4x5xf32>) outs(%i : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

func.func @matvec(%a0: tensor<3x4xf32>, %a1: tensor<4xf32>) -> tensor<3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.matvec ins(%a0, %a1 : tensor<3x4xf32>, tensor<4xf32>) outs(%i : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @vecmat(%a0: tensor<3xf32>, %a1: tensor<3x4xf32>) -> tensor<4xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.vecmat ins(%a0, %a1 : tensor<3xf32>, tensor<3x4xf32>) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @dot(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %v = arith.constant dense<2.0> : tensor<f32>
  %0 = linalg.dot ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%v : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @batch_matmul(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x2xf32>) -> tensor<2x3x2xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %0 = linalg.batch_matmul ins(%a0, %a1 : tensor<2x3x4xf32>, tensor<2x4x2xf32>) outs(%i : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

func.func @batch_matvec(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.batch_matvec ins(%a0, %a1 : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%i : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @batch_vecmat(%a0: tensor<2x3xf32>, %a1: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = linalg.batch_vecmat ins(%a0, %a1 : tensor<2x3xf32>, tensor<2x3x4xf32>) outs(%i : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @batch_reduce_matmul(%a0: tensor<2x3x4xf32>, %a1: tensor<2x4x2xf32>) -> tensor<3x2xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = linalg.batch_reduce_matmul ins(%a0, %a1 : tensor<2x3x4xf32>, tensor<2x4x2xf32>) outs(%i : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

func.func @mmt4d(%a0: tensor<2x3x2x4xf32>, %a1: tensor<2x3x5x4xf32>) -> tensor<2x2x2x5xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x2x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
  %0 = linalg.mmt4d ins(%a0, %a1 : tensor<2x3x2x4xf32>, tensor<2x3x5x4xf32>) outs(%i : tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
  return %0 : tensor<2x2x2x5xf32>
}

func.func @batch_mmt4d(%a0: tensor<2x2x3x2x4xf32>, %a1: tensor<2x1x3x5x4xf32>) -> tensor<2x2x1x2x5xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x1x2x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<2x2x1x2x5xf32>) -> tensor<2x2x1x2x5xf32>
  %0 = linalg.batch_mmt4d ins(%a0, %a1 : tensor<2x2x3x2x4xf32>, tensor<2x1x3x5x4xf32>) outs(%i : tensor<2x2x1x2x5xf32>) -> tensor<2x2x1x2x5xf32>
  return %0 : tensor<2x2x1x2x5xf32>
}

func.func @quantized_matmul(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %za: i32, %zb: i32) -> tensor<3x5xi32> {
  %v = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x5xi32>
  %i = linalg.fill ins(%v : i32) outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<3x4xi8>, tensor<4x5xi8>, i32, i32) outs(%i : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

func.func @conv_1d_nwc_wcf(%a0: tensor<1x6x2xf32>, %a1: tensor<3x2x3xf32>) -> tensor<1x4x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %0 = linalg.conv_1d_nwc_wcf ins(%a0, %a1 : tensor<1x6x2xf32>, tensor<3x2x3xf32>) outs(%i : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

func.func @conv_1d_ncw_fcw(%a0: tensor<1x2x6xf32>, %a1: tensor<3x2x3xf32>) -> tensor<1x3x4xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%a0, %a1 : tensor<1x2x6xf32>, tensor<3x2x3xf32>) outs(%i : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

func.func @conv_1d(%a0: tensor<6xf32>, %a1: tensor<3xf32>) -> tensor<4xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.conv_1d ins(%a0, %a1 : tensor<6xf32>, tensor<3xf32>) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @conv_2d(%a0: tensor<5x6xf32>, %a1: tensor<2x3xf32>) -> tensor<4x4xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.conv_2d ins(%a0, %a1 : tensor<5x6xf32>, tensor<2x3xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

func.func @conv_2d_nhwc_hwcf(%a0: tensor<1x6x7x2xf32>, %a1: tensor<2x3x2x3xf32>) -> tensor<1x3x3x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x6x7x2xf32>, tensor<2x3x2x3xf32>) outs(%i : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

func.func @conv_2d_nhwc_fhwc(%a0: tensor<1x6x7x2xf32>, %a1: tensor<3x2x3x2xf32>) -> tensor<1x3x3x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x6x7x2xf32>, tensor<3x2x3x2xf32>) outs(%i : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

func.func @conv_2d_nchw_fchw(%a0: tensor<1x2x6x7xf32>, %a1: tensor<3x2x2x3xf32>) -> tensor<1x3x4x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x4x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x2x6x7xf32>, tensor<3x2x2x3xf32>) outs(%i : tensor<1x3x4x3xf32>) -> tensor<1x3x4x3xf32>
  return %0 : tensor<1x3x4x3xf32>
}

func.func @conv_2d_ngchw_gfchw(%a0: tensor<1x2x2x4x4xf32>, %a1: tensor<2x3x2x2x2xf32>) -> tensor<1x2x3x3x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x3x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x3x3x3xf32>) -> tensor<1x2x3x3x3xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%a0, %a1 : tensor<1x2x2x4x4xf32>, tensor<2x3x2x2x2xf32>) outs(%i : tensor<1x2x3x3x3xf32>) -> tensor<1x2x3x3x3xf32>
  return %0 : tensor<1x2x3x3x3xf32>
}

func.func @conv_3d_ndhwc_dhwcf(%a0: tensor<1x3x4x3x2xf32>, %a1: tensor<2x2x2x2x2xf32>) -> tensor<1x2x3x2x2xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x2x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x3x2x2xf32>) -> tensor<1x2x3x2x2xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%a0, %a1 : tensor<1x3x4x3x2xf32>, tensor<2x2x2x2x2xf32>) outs(%i : tensor<1x2x3x2x2xf32>) -> tensor<1x2x3x2x2xf32>
  return %0 : tensor<1x2x3x2x2xf32>
}

func.func @depthwise_conv_2d_nhwc_hwc(%a0: tensor<1x5x5x3xf32>, %a1: tensor<2x3x3xf32>) -> tensor<1x4x2x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x2x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x5x5x3xf32>, tensor<2x3x3xf32>) outs(%i : tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  return %0 : tensor<1x4x2x3xf32>
}

func.func @depthwise_conv_2d_nhwc_hwcm(%a0: tensor<1x5x5x3xf32>, %a1: tensor<2x3x3x2xf32>) -> tensor<1x4x2x3x2xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x2x3x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x2x3x2xf32>) -> tensor<1x4x2x3x2xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x5x5x3xf32>, tensor<2x3x3x2xf32>) outs(%i : tensor<1x4x2x3x2xf32>) -> tensor<1x4x2x3x2xf32>
  return %0 : tensor<1x4x2x3x2xf32>
}

func.func @depthwise_conv_2d_nchw_chw(%a0: tensor<1x3x5x5xf32>, %a1: tensor<3x2x3xf32>) -> tensor<1x3x4x2xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x4x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a0, %a1 : tensor<1x3x5x5xf32>, tensor<3x2x3xf32>) outs(%i : tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  return %0 : tensor<1x3x4x2xf32>
}

func.func @depthwise_conv_1d_nwc_wc(%a0: tensor<1x6x3xf32>, %a1: tensor<2x3xf32>) -> tensor<1x4x3xf32> {
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a0, %a1 : tensor<1x6x3xf32>, tensor<2x3xf32>) outs(%i : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

func.func @pooling_nhwc_sum(%a: tensor<1x5x6x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = tensor.empty() : tensor<2x3xf32>
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %0 = linalg.pooling_nhwc_sum {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %w : tensor<1x5x6x2xf32>, tensor<2x3xf32>) outs(%i : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

func.func @pooling_nhwc_max(%a: tensor<1x5x6x2xf32>) -> tensor<1x4x3x2xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %v = arith.constant -1.0e+30 : f32
  %e = tensor.empty() : tensor<1x4x3x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a, %w : tensor<1x5x6x2xf32>, tensor<2x2xf32>) outs(%i : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  return %0 : tensor<1x4x3x2xf32>
}

func.func @pooling_nhwc_min(%a: tensor<1x5x6x2xf32>) -> tensor<1x4x3x2xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %v = arith.constant 1.0e+30 : f32
  %e = tensor.empty() : tensor<1x4x3x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %0 = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a, %w : tensor<1x5x6x2xf32>, tensor<2x2xf32>) outs(%i : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  return %0 : tensor<1x4x3x2xf32>
}

func.func @pooling_nchw_sum(%a: tensor<1x2x5x6xf32>) -> tensor<1x2x3x5xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %0 = linalg.pooling_nchw_sum {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %w : tensor<1x2x5x6xf32>, tensor<2x2xf32>) outs(%i : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  return %0 : tensor<1x2x3x5xf32>
}

func.func @pooling_nchw_max(%a: tensor<1x2x5x6xf32>) -> tensor<1x2x3x5xf32> {
  %w = tensor.empty() : tensor<3x2xf32>
  %v = arith.constant -1.0e+30 : f32
  %e = tensor.empty() : tensor<1x2x3x5xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %w : tensor<1x2x5x6xf32>, tensor<3x2xf32>) outs(%i : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  return %0 : tensor<1x2x3x5xf32>
}

func.func @pooling_nwc_sum(%a: tensor<1x6x2xf32>) -> tensor<1x4x2xf32> {
  %w = tensor.empty() : tensor<3xf32>
  %v = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x2xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %0 = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %w : tensor<1x6x2xf32>, tensor<3xf32>) outs(%i : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

func.func @pooling_ncw_max(%a: tensor<1x2x6xf32>) -> tensor<1x2x4xf32> {
  %w = tensor.empty() : tensor<3xf32>
  %v = arith.constant -1.0e+30 : f32
  %e = tensor.empty() : tensor<1x2x4xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %w : tensor<1x2x6xf32>, tensor<3xf32>) outs(%i : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

func.func @pooling_ndhwc_max(%a: tensor<1x3x3x3x1xf32>) -> tensor<1x2x2x2x1xf32> {
  %w = tensor.empty() : tensor<2x2x2xf32>
  %v = arith.constant -1.0e+30 : f32
  %e = tensor.empty() : tensor<1x2x2x2x1xf32>
  %i = linalg.fill ins(%v : f32) outs(%e : tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  %0 = linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %w : tensor<1x3x3x3x1xf32>, tensor<2x2x2xf32>) outs(%i : tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  return %0 : tensor<1x2x2x2x1xf32>
}

func.func @pooling_nhwc_max_unsigned(%a: tensor<1x2x4x1xi8>) -> tensor<1x1x2x1xi8> {
  %w = tensor.empty() : tensor<2x2xi8>
  %v = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x1x2x1xi8>
  %i = linalg.fill ins(%v : i8) outs(%e : tensor<1x1x2x1xi8>) -> tensor<1x1x2x1xi8>
  %0 = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%a, %w : tensor<1x2x4x1xi8>, tensor<2x2xi8>) outs(%i : tensor<1x1x2x1xi8>) -> tensor<1x1x2x1xi8>
  return %0 : tensor<1x1x2x1xi8>
}

func.func @elementwise_exp(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_log(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<log> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_abs(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_ceil(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<ceil> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_floor(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<floor> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_negf(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_reciprocal(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<reciprocal> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_round(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<round> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_sqrt(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<sqrt> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_rsqrt(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<rsqrt> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_square(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<square> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_tanh(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_erf(%a: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<erf> ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_add(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_sub(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_mul(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_div(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_powf(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<powf> ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @elementwise_max_signed(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @elementwise_min_signed(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @elementwise_max_unsigned(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @elementwise_min_unsigned(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<min_unsigned> ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @elementwise_select(%c: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%c, %a, %b : tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @elementwise_broadcast(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>] ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

func.func @transpose(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %e = tensor.empty() : tensor<4x2x3xf32>
  %0 = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%e : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  return %0 : tensor<4x2x3xf32>
}

func.func @broadcast(%a: tensor<2x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %0 = linalg.broadcast ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x3x4xf32>) dimensions = [1]
  return %0 : tensor<2x3x4xf32>
}

func.func @reduce_two(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = linalg.reduce ins(%a, %a : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%v, %v : tensor<3xf32>, tensor<3xf32>) dimensions = [0, 2]
    (%x: f32, %y: f32, %s: f32, %m: f32) {
      %1 = arith.addf %x, %s : f32
      %2 = arith.maximumf %y, %m : f32
      linalg.yield %1, %2 : f32, f32
    }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

func.func @map(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.map ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
    (%x: f32, %y: f32, %o: f32) {
      %1 = arith.cmpf ogt, %x, %y : f32
      %2 = arith.select %1, %x, %y : f32
      %3 = arith.mulf %2, %2 : f32
      linalg.yield %3 : f32
    }
  return %0 : tensor<2x3xf32>
}

func.func @softmax(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Columns of tiles, padded at the end.
func.func @pack(%a: tensor<5x4xf32>) -> tensor<2x3x2x2xf32> {
  %v = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %0 = linalg.pack %a padding_value(%v : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<5x4xf32> -> tensor<2x3x2x2xf32>
  return %0 : tensor<2x3x2x2xf32>
}

func.func @unpack(%a: tensor<2x3x2x2xf32>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %0 = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x3x2x2xf32> -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

func.func @diagonal(%a: tensor<3x3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<3x3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @every_other(%a: tensor<7xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (2 * i + 1)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<7xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @total(%a: tensor<3x4xf32>) -> tensor<f32> {
  %v = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<3x4xf32>) outs(%v : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %x, %s : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @argmin(%a: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %big = arith.constant dense<1.0e+30> : tensor<3xf32>
  %none = arith.constant dense<-1> : tensor<3xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<3x4xf32>) outs(%big, %none : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%x: f32, %m: f32, %n: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf olt, %x, %m : f32
    %1 = arith.select %c, %x, %m : f32
    %2 = arith.select %c, %k, %n : i32
    linalg.yield %1, %2 : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// A scalar, a row and a matrix.
func.func @scaled(%a: tensor<2x3xf32>, %s: f32, %r: tensor<3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %s, %r : tensor<2x3xf32>, f32, tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %1 = math.fma %x, %y, %z : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @accumulates(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%b : tensor<2x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.subf %o, %x : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Sums of all before, by a condition.
func.func @prefix(%a: tensor<5xi32>) -> tensor<5xi32> {
  %z = arith.constant dense<0> : tensor<5xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<5xi32>) outs(%z : tensor<5xi32>) {
  ^bb0(%x: i32, %s: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %y = arith.addi %s, %x : i32
    %1 = arith.select %c, %y, %s : i32
    linalg.yield %1 : i32
  } -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @mixed_types(%a: tensor<3xi8>, %b: tensor<3xf64>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xi8>, tensor<3xf64>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: i8, %y: f64, %o: f32):
    %1 = arith.sitofp %x : i8 to f64
    %2 = arith.mulf %1, %y : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Arithmetic of the index dialect.
func.func @index_arithmetic(%n: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %i = linalg.index 0 : index
    %k = index.casts %x : i32 to index
    %1 = index.mul %i, %k
    %2 = index.add %1, %i
    %c = index.constant 3
    %3 = index.remu %2, %c
    %4 = index.casts %3 : index to i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// In memory each takes whole bytes.
func.func @elements_of_4_bits(%x: tensor<11xi8>) -> (tensor<11xi64>, tensor<11xi64>) {
  %e = tensor.empty() : tensor<11xi4>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi8>) outs(%e : tensor<11xi4>) {
  ^bb0(%a: i8, %o: i4):
    %1 = arith.trunci %a : i8 to i4
    linalg.yield %1 : i4
  } -> tensor<11xi4>
  %2 = call @reversed_4(%0) : (tensor<11xi4>) -> tensor<11xi4>
  %3 = arith.extsi %0 : tensor<11xi4> to tensor<11xi64>
  %4 = arith.extsi %2 : tensor<11xi4> to tensor<11xi64>
  return %3, %4 : tensor<11xi64>, tensor<11xi64>
}
func.func private @reversed_4(%x: tensor<11xi4>) -> tensor<11xi4> {
  %e = tensor.empty() : tensor<11xi4>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (10 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi4>) outs(%e : tensor<11xi4>) {
  ^bb0(%a: i4, %o: i4):
    linalg.yield %a : i4
  } -> tensor<11xi4>
  return %0 : tensor<11xi4>
}

func.func @elements_of_24_bits(%x: tensor<11xi8>) -> (tensor<11xi64>, tensor<11xi64>) {
  %e = tensor.empty() : tensor<11xi24>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi8>) outs(%e : tensor<11xi24>) {
  ^bb0(%a: i8, %o: i24):
    %1 = arith.extsi %a : i8 to i24
    linalg.yield %1 : i24
  } -> tensor<11xi24>
  %2 = call @reversed_24(%0) : (tensor<11xi24>) -> tensor<11xi24>
  %3 = arith.extsi %0 : tensor<11xi24> to tensor<11xi64>
  %4 = arith.extsi %2 : tensor<11xi24> to tensor<11xi64>
  return %3, %4 : tensor<11xi64>, tensor<11xi64>
}
func.func private @reversed_24(%x: tensor<11xi24>) -> tensor<11xi24> {
  %e = tensor.empty() : tensor<11xi24>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (10 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi24>) outs(%e : tensor<11xi24>) {
  ^bb0(%a: i24, %o: i24):
    linalg.yield %a : i24
  } -> tensor<11xi24>
  return %0 : tensor<11xi24>
}

func.func @elements_of_48_bits(%x: tensor<11xi8>) -> (tensor<11xi64>, tensor<11xi64>) {
  %e = tensor.empty() : tensor<11xi48>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi8>) outs(%e : tensor<11xi48>) {
  ^bb0(%a: i8, %o: i48):
    %1 = arith.extsi %a : i8 to i48
    linalg.yield %1 : i48
  } -> tensor<11xi48>
  %2 = call @reversed_48(%0) : (tensor<11xi48>) -> tensor<11xi48>
  %3 = arith.extsi %0 : tensor<11xi48> to tensor<11xi64>
  %4 = arith.extsi %2 : tensor<11xi48> to tensor<11xi64>
  return %3, %4 : tensor<11xi64>, tensor<11xi64>
}
func.func private @reversed_48(%x: tensor<11xi48>) -> tensor<11xi48> {
  %e = tensor.empty() : tensor<11xi48>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (10 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<11xi48>) outs(%e : tensor<11xi48>) {
  ^bb0(%a: i48, %o: i48):
    linalg.yield %a : i48
  } -> tensor<11xi48>
  return %0 : tensor<11xi48>
}

// The result moves along the loop that is called a reduction.
func.func @moving_result(%a: tensor<3x2xf32>) -> tensor<3x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k, i + j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<3x2xf32>) outs(%z : tensor<3x4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x4x4xf32>
  return %0 : tensor<3x4x4xf32>
}
