// Products of f16, one of whose matrices the host converts before it multiplies,
// have the numbers of their definition wherever they stand.

// RUN: %python %S/every-placement.py %s --build %hetero_bin --randoms 1

// CASE: product 2x3xf16=1,2,-1,0,1,3 3x64xf16=iota -> 2x64xf16=0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,80,82,84,86,88,90,92,94,96,98,100,102,104,106,108,110,112,114,116,118,120,122,124,126,448,452,456,460,464,468,472,476,480,484,488,492,496,500,504,508,512,516,520,524,528,532,536,540,544,548,552,556,560,564,568,572,576,580,584,588,592,596,600,604,608,612,616,620,624,628,632,636,640,644,648,652,656,660,664,668,672,676,680,684,688,692,696,700
func.func @product(%x: tensor<2x3xf16>, %w: tensor<3x64xf16>) -> tensor<2x64xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<2x64xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<2x64xf16>) -> tensor<2x64xf16>
  %y = linalg.matmul ins(%x, %w : tensor<2x3xf16>, tensor<3x64xf16>) outs(%fill : tensor<2x64xf16>) -> tensor<2x64xf16>
  return %y : tensor<2x64xf16>
}

// A matrix that two products read is converted once.
// CASE: twice 2x3xf16=1,2,-1,0,1,3 3x64xf16=iota -> 2x64xf16=0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,96,100,104,108,112,116,120,124,128,132,136,140,144,148,152,156,160,164,168,172,176,180,184,188,192,196,200,204,208,212,216,220,224,228,232,236,240,244,248,252,896,904,912,920,928,936,944,952,960,968,976,984,992,1000,1008,1016,1024,1032,1040,1048,1056,1064,1072,1080,1088,1096,1104,1112,1120,1128,1136,1144,1152,1160,1168,1176,1184,1192,1200,1208,1216,1224,1232,1240,1248,1256,1264,1272,1280,1288,1296,1304,1312,1320,1328,1336,1344,1352,1360,1368,1376,1384,1392,1400
func.func @twice(%x: tensor<2x3xf16>, %w: tensor<3x64xf16>) -> tensor<2x64xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<2x64xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<2x64xf16>) -> tensor<2x64xf16>
  %y = linalg.matmul ins(%x, %w : tensor<2x3xf16>, tensor<3x64xf16>) outs(%fill : tensor<2x64xf16>) -> tensor<2x64xf16>
  %z = linalg.matmul ins(%x, %w : tensor<2x3xf16>, tensor<3x64xf16>) outs(%y : tensor<2x64xf16>) -> tensor<2x64xf16>
  return %z : tensor<2x64xf16>
}

// An image whose windows overlap is converted once, and then has its border.
// CASE: windows 1x3x3x1xf16=iota 3x3x1x32xf16=1 -> 1x3x3x32xf16=8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,15,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,21,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,36,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,27,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,33,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24
func.func @windows(%x: tensor<1x3x3x1xf16>, %w: tensor<3x3x1x32xf16>) -> tensor<1x3x3x32xf16> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %i: index, %j: index, %c: index):
    tensor.yield %zero : f16
  } : tensor<1x3x3x1xf16> to tensor<1x5x5x1xf16>
  %empty = tensor.empty() : tensor<1x3x3x32xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<1x3x3x32xf16>) -> tensor<1x3x3x32xf16>
  %y = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x5x5x1xf16>, tensor<3x3x1x32xf16>) outs(%fill : tensor<1x3x3x32xf16>) -> tensor<1x3x3x32xf16>
  return %y : tensor<1x3x3x32xf16>
}
