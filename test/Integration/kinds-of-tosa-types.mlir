// TOSA on unsigned elements, on sizes that are known late, and with branches,
// loops and variables whose ends know more or less of them. Expected numbers
// are NumPy's.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: clamp 7xui8=0,1,100,127,128,200,255 3xui16=5,33000,65535 -> 7xui8=3,3,100,127,128,200,200 7xui8=0,1,100,127,128,200,255 3xui16=130,33000,40000
// CASE: order 7xui8=0,1,100,127,128,200,255 7xui8=255,2,100,128,127,201,0 -> 7xui8=255,2,100,128,128,201,255 7xui8=0,1,100,127,127,200,0 7xi1=0,0,0,0,1,0,1 7xi1=0,0,1,0,1,0,1 7xi1=0,0,1,0,0,0,0
// CASE: rows 2x3xui8=5,200,127,255,128,0 -> 2x1xui8=200,255 2x1xui8=5,0 2xi32=1,0
// CASE: casts 7xui8=0,1,100,127,128,200,255 2xui32=7,4294967295 -> 7xf32=0,1,100,127,128,200,255 7xi32=0,1,100,127,128,200,255 7xi16=0,1,100,127,128,200,255 7xi1=0,1,1,1,1,1,1 2xi64=7,4294967295
// CASE: casts_to 6xf32=-3,-0.4,0.5,1.5,254.5,300 3xi32=255,256,-1 -> 6xui8=0,-0,0,2,254,255 6xui16=0,-0,0,2,254,300 3xui8=255,0,255
// CASE: product 7xui8=0,1,100,127,128,200,255 7xui8=255,2,100,128,127,201,0 -> 7xi32=0,2,10000,16256,16256,40200,0 7xui8=0,1,100,127,128,200,255
// CASE: wraps 7xui8=0,1,100,127,128,200,255 7xui8=255,2,100,128,127,201,0 -> 7xui8=255,3,200,255,255,145,255 7xui8=1,255,0,255,1,255,255 7xui8=0,0,50,63,64,100,127
// CASE: max_pool2d 1x2x4x1xui8=1,200,3,130,255,127,9,100 -> 1x1x2x1xui8=255,130
// CASE: avg_pool2d 1x2x4x1xui8=100,200,4,130,250,250,10,100 -> 1x1x2x1xui8=230,91
// CASE: conv2d 1x4x4x2xui8=0,29,58,87,116,145,174,203,232,5,34,63,92,121,150,179,208,237,10,39,68,97,126,155,184,213,242,15,44,73,102,131 2x2x2x2xi8=-128,-91,-54,-17,20,57,94,-125,-88,-51,-14,23,60,97,-122,-85 2xi32=1000,-1000 -> 1x5x3x2xi32=-7406,-5678,-5434,-9274,-3462,-12870,24900,26772,5004,348,-10540,-11484,11620,32436,11436,5244,-4108,-6588,17284,-8492,22220,24732,2324,-1692,-20678,-15878,462,-5938,16482,9122
// CASE: matmul 1x2x3xui8=0,50,100,150,200,255 1x3x2xui8=7,99,255,128,127,3 -> 1x2x2xi32=-23640,-22038,33980,11112
// CASE: rescale 7xui8=0,1,100,127,128,200,255 -> 7xi8=-128,-127,-28,-1,0,72,127 7xui8=0,1,100,127,128,200,255
// CASE: moves 2x3xui8=5,200,127,255,128,0 -> 3x4xui8=250,5,200,127,250,255,128,0,250,5,200,127 2x3xui8=127,200,5,0,128,255
// CASE: unranked 4xf32=1,-2,3,-4 -> 4xf32=2,4,6,8
// CASE: late 2x3xf32=iota -> 4x3xf32=0,2,4,6,8,10,0,1,2,3,4,5
// CASE: dynamic_rows 2x3xf32=1,5,2,9,3,4 -> 2x1xf32=8,16 2xi32=1,0 3x2xf32=1,9,5,3,2,4
// CASE: dynamic_product 1x2x3xf32=iota 1x3x2xf32=iota -> 1x2x2xf32=10,13,28,40
// CASE: branch_of_other_sizes xi1=1 2xf32=1,2 -> 2xf32=2,4
// CASE: branch_of_other_sizes xi1=0 2xf32=1,2 -> 4xf32=1,2,1,2
// CASE: condition_of_one_element 1x1xi1=1 2xf32=1,2 -> 2xf32=2,4
// CASE: condition_of_one_element 1x1xi1=0 2xf32=1,2 -> 2xf32=1,2
// CASE: growing_loop xi32=1 1xi32=7 -> 4xi32=7
// CASE: growing_loop xi32=9 1xi32=7 -> 1xi32=7
// CASE: loop_without_ranks 1xi32=1 2xi32=3,5 -> 2xi32=24,40
// CASE: state 2xf32=1,2 2xf32=10,20 -> 2xf32=11,22 2xf32=4,5
// CASE: state 2xf32=1,2 2xf32=10,20 -> 2xf32=11,22 2xf32=4,5
// CASE: count  -> 1xi32=5
// CASE: count  -> 1xi32=6
// CASE: count  -> 1xi32=7
// CASE: state_of_late_size 2x3xi32=iota -> 2x3xi32=iota 2x3xi32=0,2,4,6,8,10

tosa.variable @sum : tensor<2xf32>
tosa.variable @first = dense<[4.0, 5.0]> : tensor<2xf32>
tosa.variable @calls = dense<5> : tensor<1xi32>
tosa.variable @wide : tensor<2x?xi32>

func.func @clamp(%x: tensor<7xui8>, %y: tensor<3xui16>) -> (tensor<7xui8>, tensor<7xui8>, tensor<3xui16>) {
  %0 = tosa.clamp %x {min_val = 3 : ui8, max_val = 200 : ui8} : (tensor<7xui8>) -> tensor<7xui8>
  %1 = tosa.clamp %x {min_val = 0 : ui8, max_val = 255 : ui8} : (tensor<7xui8>) -> tensor<7xui8>
  %2 = tosa.clamp %y {min_val = 130 : ui16, max_val = 40000 : ui16} : (tensor<3xui16>) -> tensor<3xui16>
  return %0, %1, %2 : tensor<7xui8>, tensor<7xui8>, tensor<3xui16>
}

func.func @order(%x: tensor<7xui8>, %y: tensor<7xui8>) -> (tensor<7xui8>, tensor<7xui8>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %0 = tosa.maximum %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xui8>
  %1 = tosa.minimum %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xui8>
  %2 = tosa.greater %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xi1>
  %3 = tosa.greater_equal %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xi1>
  %4 = tosa.equal %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xi1>
  return %0, %1, %2, %3, %4 : tensor<7xui8>, tensor<7xui8>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

func.func @rows(%x: tensor<2x3xui8>) -> (tensor<2x1xui8>, tensor<2x1xui8>, tensor<2xi32>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3xui8>) -> tensor<2x1xui8>
  %1 = tosa.reduce_min %x {axis = 1 : i32} : (tensor<2x3xui8>) -> tensor<2x1xui8>
  %2 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3xui8>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2x1xui8>, tensor<2x1xui8>, tensor<2xi32>
}

func.func @casts(%x: tensor<7xui8>, %y: tensor<2xui32>) -> (tensor<7xf32>, tensor<7xi32>, tensor<7xi16>, tensor<7xi1>, tensor<2xi64>) {
  %0 = tosa.cast %x : (tensor<7xui8>) -> tensor<7xf32>
  %1 = tosa.cast %x : (tensor<7xui8>) -> tensor<7xi32>
  %2 = tosa.cast %x : (tensor<7xui8>) -> tensor<7xi16>
  %3 = tosa.cast %x : (tensor<7xui8>) -> tensor<7xi1>
  %4 = tosa.cast %y : (tensor<2xui32>) -> tensor<2xi64>
  return %0, %1, %2, %3, %4 : tensor<7xf32>, tensor<7xi32>, tensor<7xi16>, tensor<7xi1>, tensor<2xi64>
}

// What does not fit in a float saturates, what does not fit in an integer wraps.
func.func @casts_to(%x: tensor<6xf32>, %y: tensor<3xi32>) -> (tensor<6xui8>, tensor<6xui16>, tensor<3xui8>) {
  %0 = tosa.cast %x : (tensor<6xf32>) -> tensor<6xui8>
  %1 = tosa.cast %x : (tensor<6xf32>) -> tensor<6xui16>
  %2 = tosa.cast %y : (tensor<3xi32>) -> tensor<3xui8>
  return %0, %1, %2 : tensor<6xui8>, tensor<6xui16>, tensor<3xui8>
}

func.func @product(%x: tensor<7xui8>, %y: tensor<7xui8>) -> (tensor<7xi32>, tensor<7xui8>) {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %s : (tensor<7xui8>, tensor<7xui8>, tensor<1xi8>) -> tensor<7xi32>
  %1 = tosa.abs %x : (tensor<7xui8>) -> tensor<7xui8>
  return %0, %1 : tensor<7xi32>, tensor<7xui8>
}

func.func @wraps(%x: tensor<7xui8>, %y: tensor<7xui8>) -> (tensor<7xui8>, tensor<7xui8>, tensor<7xui8>) {
  %0 = tosa.add %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xui8>
  %1 = tosa.sub %x, %y : (tensor<7xui8>, tensor<7xui8>) -> tensor<7xui8>
  %c = "tosa.const"() <{values = dense<1> : tensor<1xui8>}> : () -> tensor<1xui8>
  %2 = tosa.logical_right_shift %x, %c : (tensor<7xui8>, tensor<1xui8>) -> tensor<7xui8>
  return %0, %1, %2 : tensor<7xui8>, tensor<7xui8>, tensor<7xui8>
}

func.func @max_pool2d(%x: tensor<1x2x4x1xui8>) -> tensor<1x1x2x1xui8> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x4x1xui8>) -> tensor<1x1x2x1xui8>
  return %0 : tensor<1x1x2x1xui8>
}

func.func @avg_pool2d(%x: tensor<1x2x4x1xui8>) -> tensor<1x1x2x1xui8> {
  %i = "tosa.const"() <{values = dense<100> : tensor<1xui8>}> : () -> tensor<1xui8>
  %o = "tosa.const"() <{values = dense<130> : tensor<1xui8>}> : () -> tensor<1xui8>
  %0 = tosa.avg_pool2d %x, %i, %o {acc_type = i32, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x4x1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x1x2x1xui8>
  return %0 : tensor<1x1x2x1xui8>
}

// The padding is the zero point.
func.func @conv2d(%x: tensor<1x4x4x2xui8>, %w: tensor<2x2x2x2xi8>, %b: tensor<2xi32>) -> tensor<1x5x3x2xi32> {
  %i = "tosa.const"() <{values = dense<121> : tensor<1xui8>}> : () -> tensor<1xui8>
  %f = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %i, %f {acc_type = i32, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xui8>, tensor<2x2x2x2xi8>, tensor<2xi32>, tensor<1xui8>, tensor<1xi8>) -> tensor<1x5x3x2xi32>
  return %0 : tensor<1x5x3x2xi32>
}

func.func @matmul(%x: tensor<1x2x3xui8>, %y: tensor<1x3x2xui8>) -> tensor<1x2x2xi32> {
  %a = "tosa.const"() <{values = dense<128> : tensor<1xui8>}> : () -> tensor<1xui8>
  %b = "tosa.const"() <{values = dense<3> : tensor<1xui8>}> : () -> tensor<1xui8>
  %0 = tosa.matmul %x, %y, %a, %b : (tensor<1x2x3xui8>, tensor<1x3x2xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x2x2xi32>
  return %0 : tensor<1x2x2xi32>
}

func.func @rescale(%x: tensor<7xui8>) -> (tensor<7xi8>, tensor<7xui8>) {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<128> : tensor<1xui8>}> : () -> tensor<1xui8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %i, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = true, output_unsigned = false} : (tensor<7xui8>, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> tensor<7xi8>
  %1 = tosa.rescale %0, %m, %s, %z, %i {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = true} : (tensor<7xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>) -> tensor<7xui8>
  return %0, %1 : tensor<7xi8>, tensor<7xui8>
}

func.func @moves(%x: tensor<2x3xui8>) -> (tensor<3x4xui8>, tensor<2x3xui8>) {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<250> : tensor<1xui8>}> : () -> tensor<1xui8>
  %0 = tosa.pad %x, %p, %v : (tensor<2x3xui8>, !tosa.shape<4>, tensor<1xui8>) -> tensor<2x4xui8>
  %b = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s = tosa.const_shape {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.slice %0, %b, %s : (tensor<2x4xui8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4xui8>
  %2 = tosa.concat %0, %1 {axis = 0 : i32} : (tensor<2x4xui8>, tensor<1x4xui8>) -> tensor<3x4xui8>
  %3 = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3xui8>) -> tensor<2x3xui8>
  return %2, %3 : tensor<3x4xui8>, tensor<2x3xui8>
}

func.func @unranked(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  %1 = tosa.abs %0 : (tensor<*xf32>) -> tensor<*xf32>
  %2 = tensor.cast %1 : tensor<*xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}

func.func @late(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<?x?xf32>
  %1 = tosa.concat %0, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<2x3xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @dynamic_rows(%x: tensor<?x3xf32>) -> (tensor<?x1xf32>, tensor<?xi32>, tensor<3x?xf32>) {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
  %1 = tosa.argmax %x {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?xi32>
  %2 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  return %0, %1, %2 : tensor<?x1xf32>, tensor<?xi32>, tensor<3x?xf32>
}

func.func @dynamic_product(%x: tensor<?x2x?xf32>, %y: tensor<?x?x2xf32>) -> tensor<?x2x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %y, %z, %z : (tensor<?x2x?xf32>, tensor<?x?x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x2x2xf32>
  return %0 : tensor<?x2x2xf32>
}

func.func @branch_of_other_sizes(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<?xf32> {
  %0 = tosa.cond_if %p : tensor<i1> -> tensor<?xf32> {
    %1 = tosa.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  } else {
    %1 = tosa.concat %x, %x {axis = 0 : i32} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @condition_of_one_element(%p: tensor<1x1xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.cond_if %p (%a = %x) : tensor<1x1xi1> (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %1 = tosa.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  } else {
  ^bb0(%a: tensor<2xf32>):
    tosa.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

func.func @growing_loop(%n: tensor<i32>, %x: tensor<1xi32>) -> tensor<?xi32> {
  %0:2 = tosa.while_loop (%i = %n, %v = %x) : (tensor<i32>, tensor<1xi32>) -> (tensor<i32>, tensor<?xi32>) {
    %end = "tosa.const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %1 = tosa.greater_equal %end, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<?xi32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = tosa.concat %v, %v {axis = 0 : i32} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    tosa.yield %1, %2 : tensor<i32>, tensor<?xi32>
  }
  return %0#1 : tensor<?xi32>
}

func.func @loop_without_ranks(%n: tensor<1xi32>, %x: tensor<2xi32>) -> tensor<2xi32> {
  %0:2 = tosa.while_loop (%i = %n, %v = %x) : (tensor<1xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<*xi32>) {
    %end = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = tosa.greater_equal %end, %i : (tensor<1xi32>, tensor<1xi32>) -> tensor<*xi1>
    tosa.yield %1 : tensor<*xi1>
  } do {
  ^bb0(%i: tensor<1xi32>, %v: tensor<*xi32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = tosa.add %i, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<*xi32>
    %2 = tosa.add %v, %v : (tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32>
    tosa.yield %1, %2 : tensor<*xi32>, tensor<*xi32>
  }
  %r = tensor.cast %0#1 : tensor<*xi32> to tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @state(%x: tensor<2xf32>, %reset: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  tosa.variable_write @sum, %reset : tensor<2xf32>
  %0 = tosa.variable_read @sum : tensor<2xf32>
  %1 = tosa.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %1 : tensor<2xf32>
  %2 = tosa.variable_read @sum : tensor<2xf32>
  %3 = tosa.variable_read @first : tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// Each call sees what the one before it wrote.
func.func @count() -> tensor<1xi32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.variable_read @calls : tensor<1xi32>
  %1 = tosa.add %0, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  tosa.variable_write @calls, %1 : tensor<1xi32>
  return %0 : tensor<1xi32>
}

func.func @state_of_late_size(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<?x3xi32>) {
  tosa.variable_write @wide, %x : tensor<2x3xi32>
  %0 = tosa.variable_read @wide : tensor<2x3xi32>
  %1 = tosa.add %0, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  tosa.variable_write @wide, %1 : tensor<2x3xi32>
  %2 = tosa.variable_read @wide : tensor<?x3xi32>
  return %0, %2 : tensor<2x3xi32>, tensor<?x3xi32>
}
