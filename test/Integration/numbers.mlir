// Numbers of operations that few programs have, on the host and on a gpu.

// DEFINE: %{at} = cpu:0
// DEFINE: %{run} = sed -e s/DEVICE/%{at}/ %s | hetero-run - --entry
// RUN: %{run}=clamp --input=6xf32=-2,-1,0,0.5,1,5 --input=6xf32=-1 --input=6xf32=0.5 --expected=6xf32=-1,-1,0,0.5,0.5,0.5
// RUN: %{run}=clamp --input=6xf32=nan,-inf,inf,-0.25,3,-3 --input=6xf32=-1 --input=6xf32=0.5 | FileCheck %s --check-prefix=NAN
// RUN: %{run}=copysign --input=6xf32=1,-2,3,-4,5,-6 --input=6xf32=-1,1,-0.0,0.0,-3,3 --expected=6xf32=-1,2,-3,4,-5,6
// RUN: %{run}=fpowi --input=6xf32=2,-2,2,0.5,0,4 --input=6xi32=3,3,-2,4,0,-1 --expected=6xf32=8,-8,0.25,0.0625,1,0.25
// RUN: %{run}=fpowi --input=6xf32=2,-2,1,-1,inf,-inf --input=6xi32=-2147483648,2147483647,5,-2147483647,-3,3 | FileCheck %s --check-prefix=POWERS
// RUN: %{run}=fpowi_wide --input=4xf16=2,-3,0.5,1 --input=4xi64=3,-1,-4,4294967296 --expected=4xf16=8,-0.333251953125,16,1
// RUN: %{run}=ipowi --input=6xi32=2,-3,1,-1,-1,7 --input=6xi32=10,3,-5,-3,-4,-1 --expected=6xi32=1024,-27,1,-1,1,0
// RUN: %{run}=classes --input=6xf32=inf,-inf,nan,1e-40,0,-2 | FileCheck %s --check-prefix=CLASSES
// RUN: %{run}=classes_half --input=6xf16=inf,-inf,nan,6e-8,0,-2 | FileCheck %s --check-prefix=CLASSES
// RUN: %{run}=truth --input=4xf32=0,1,0.75,0 --expected=4xi1=0,1,0,0
// RUN: %{run}=less --input=6xf32=1,2,3,4,5,nan --input=6xf32=2,2,4,3,6,1 | FileCheck %s --check-prefix=LESS
// RUN: %{run}=column --input=3x4xf32=iota --input=4x1xf32=1,2,3,4 --expected=3x1xf32=20,60,100
// RUN: %{run}=row --input=1x4xf32=iota --input=4x3xf32=iota --expected=1x3xf32=42,48,54
// RUN: %{run}=dot --input=1x4xf32=iota --input=4x1xf32=1,2,3,4 --expected=1x1xf32=20

// NAN: 6xf32=nan -1 0.5 -0.25 0.5 -1
// POWERS: 6xf32=0 -inf 1 -1 0 -inf
// CLASSES: 6xi1=1 1 0 0 0 0
// CLASSES: 6xi1=0 0 0 0 0 1
// LESS: 6xi1=1 0 1 0 1 0
// LESS: i1=1

// REDEFINE: %{at} = gpu:0
// RUN: %{run}=clamp --input=6xf32=-2,-1,0,0.5,1,5 --input=6xf32=-1 --input=6xf32=0.5 --expected=6xf32=-1,-1,0,0.5,0.5,0.5
// RUN: %{run}=clamp --input=6xf32=nan,-inf,inf,-0.25,3,-3 --input=6xf32=-1 --input=6xf32=0.5 | FileCheck %s --check-prefix=NAN
// RUN: %{run}=copysign --input=6xf32=1,-2,3,-4,5,-6 --input=6xf32=-1,1,-0.0,0.0,-3,3 --expected=6xf32=-1,2,-3,4,-5,6
// RUN: %{run}=fpowi --input=6xf32=2,-2,2,0.5,0,4 --input=6xi32=3,3,-2,4,0,-1 --expected=6xf32=8,-8,0.25,0.0625,1,0.25
// RUN: %{run}=fpowi --input=6xf32=2,-2,1,-1,inf,-inf --input=6xi32=-2147483648,2147483647,5,-2147483647,-3,3 | FileCheck %s --check-prefix=POWERS
// RUN: %{run}=fpowi_wide --input=4xf16=2,-3,0.5,1 --input=4xi64=3,-1,-4,4294967296 --expected=4xf16=8,-0.333251953125,16,1
// RUN: %{run}=ipowi --input=6xi32=2,-3,1,-1,-1,7 --input=6xi32=10,3,-5,-3,-4,-1 --expected=6xi32=1024,-27,1,-1,1,0
// RUN: %{run}=classes --input=6xf32=inf,-inf,nan,1e-40,0,-2 | FileCheck %s --check-prefix=CLASSES
// RUN: %{run}=classes_half --input=6xf16=inf,-inf,nan,6e-8,0,-2 | FileCheck %s --check-prefix=CLASSES
// RUN: %{run}=truth --input=4xf32=0,1,0.75,0 --expected=4xi1=0,1,0,0
// RUN: %{run}=column --input=3x4xf32=iota --input=4x1xf32=1,2,3,4 --expected=3x1xf32=20,60,100

func.func @clamp(%x: tensor<6xf32>, %lo: tensor<6xf32>, %hi: tensor<6xf32>) -> tensor<6xf32> {
  %0 = math.clampf %x to [%lo, %hi] {hetero.device = #hetero.device<DEVICE>} : tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @copysign(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = math.copysign %x, %y {hetero.device = #hetero.device<DEVICE>} : tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @fpowi(%x: tensor<6xf32>, %y: tensor<6xi32>) -> tensor<6xf32> {
  %0 = math.fpowi %x, %y {hetero.device = #hetero.device<DEVICE>} : tensor<6xf32>, tensor<6xi32>
  return %0 : tensor<6xf32>
}
func.func @fpowi_wide(%x: tensor<4xf16>, %y: tensor<4xi64>) -> tensor<4xf16> {
  %0 = math.fpowi %x, %y {hetero.device = #hetero.device<DEVICE>} : tensor<4xf16>, tensor<4xi64>
  return %0 : tensor<4xf16>
}
func.func @ipowi(%x: tensor<6xi32>, %y: tensor<6xi32>) -> tensor<6xi32> {
  %0 = math.ipowi %x, %y {hetero.device = #hetero.device<DEVICE>} : tensor<6xi32>
  return %0 : tensor<6xi32>
}
func.func @classes(%x: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>) {
  %e = tensor.empty() : tensor<6xi1>
  %0:2 = linalg.generic {hetero.device = #hetero.device<DEVICE>, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<6xf32>) outs(%e, %e : tensor<6xi1>, tensor<6xi1>) {
  ^bb0(%a: f32, %b: i1, %c: i1):
    %1 = math.isinf %a : f32
    %2 = math.isnormal %a : f32
    linalg.yield %1, %2 : i1, i1
  } -> (tensor<6xi1>, tensor<6xi1>)
  return %0#0, %0#1 : tensor<6xi1>, tensor<6xi1>
}
func.func @classes_half(%x: tensor<6xf16>) -> (tensor<6xi1>, tensor<6xi1>) {
  %e = tensor.empty() : tensor<6xi1>
  %0:2 = linalg.generic {hetero.device = #hetero.device<DEVICE>, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<6xf16>) outs(%e, %e : tensor<6xi1>, tensor<6xi1>) {
  ^bb0(%a: f16, %b: i1, %c: i1):
    %1 = math.isinf %a : f16
    %2 = math.isnormal %a : f16
    linalg.yield %1, %2 : i1, i1
  } -> (tensor<6xi1>, tensor<6xi1>)
  return %0#0, %0#1 : tensor<6xi1>, tensor<6xi1>
}
func.func @truth(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = arith.fptoui %x {hetero.device = #hetero.device<DEVICE>} : tensor<4xf32> to tensor<4xi1>
  return %0 : tensor<4xi1>
}
func.func @less(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xi1>, i1) {
  %0 = arith.cmpf olt, %x, %y : tensor<6xf32>
  %c = arith.constant 2 : index
  %1 = tensor.extract %0[%c] : tensor<6xi1>
  return %0, %1 : tensor<6xi1>, i1
}
func.func @column(%x: tensor<3x4xf32>, %y: tensor<4x1xf32>) -> tensor<3x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x1xf32>) -> tensor<3x1xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<DEVICE>} ins(%x, %y : tensor<3x4xf32>, tensor<4x1xf32>) outs(%f : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
func.func @row(%x: tensor<1x4xf32>, %y: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<DEVICE>} ins(%x, %y : tensor<1x4xf32>, tensor<4x3xf32>) outs(%f : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @dot(%x: tensor<1x4xf32>, %y: tensor<4x1xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = linalg.matmul {hetero.device = #hetero.device<DEVICE>} ins(%x, %y : tensor<1x4xf32>, tensor<4x1xf32>) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
