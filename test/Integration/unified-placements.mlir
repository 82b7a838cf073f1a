// Devices that share memory: the numbers under every placement, with copies
// that are other names of one buffer, and copies that have to stay because one
// side overwrites what the other still reads.

// RUN: %python %S/every-placement.py --randoms 4 %s
// CASE: chain 6xf32=0,1,2,3,4,5 6xf32=1 -> 6xf32=3,5,7,9,11,13
// CASE: diamond 6xf32=1,2,3,4,5,6 -> 6xf32=7,16,27,40,55,72
// CASE: accumulate 2x2xf32=1,2,3,4 2x2xf32=1 -> 2x2xf32=7,9,15,17
// CASE: overwrite 5xf32=1,2,3,4,5 -> 5xf32=2,3,4,5,6 5xf32=3,6,9,12,15
// CASE: view 4x6xf32=iota -> 4x2xf32=2,7,20,25,38,43,56,61
// CASE: insert 4x4xf32=1 2x2xf32=5 -> 4x4xf32=2,2,2,2,2,12,12,2,2,12,12,2,2,2,2,2
// CASE: dynamic 7xf32=iota index=3 -> 3xf32=2,4,6
// CASE: loop 3xf32=1,2,3 index=4 -> 3xf32=31,47,63
// CASE: loop 3xf32=1,2,3 index=0 -> 3xf32=1,2,3
// CASE: swap 3xf32=1 3xf32=2 index=3 -> 3xf32=4 3xf32=5
// CASE: branch 3xf32=1 i1=1 -> 3xf32=8,8,8
// CASE: branch 3xf32=1 i1=0 -> 3xf32=5,5,5
// CASE: calls 3xf32=1,2,3 -> 3xf32=8,16,24
// CASE: twice 3xf32=1,2,3 -> 3xf32=2,4,6 3xf32=2,4,6
// CASE: constants 3xf32=1 -> 3xf32=10,15,20 3xf32=2,3,4
// CASE: passed 3xf32=1 i1=1 index=0 -> 3xf32=3,4,5 3xf32=5,6,7 3xf32=1,2,3 3xf32=2,3,4
// CASE: passed 3xf32=1 i1=0 index=2 -> 3xf32=4,4,4 3xf32=9,9,9 3xf32=4,8,12 3xf32=2,3,4
// CASE: state 3xf32=1,2,3 -> 3xf32=1,2,3 3xf32=4,8,12
// CASE: element 3xf32=1,2,3 -> f32=4 3xf32=5,6,7

module attributes {hetero.topology = #hetero.topology<
  devices = [
    #hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 50000000000>,
    #hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000000, bandwidth = 500000000000, launch = 5000>],
  links = [
    #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, bandwidth = 12000000000, latency = 1000, unified = true>,
    #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, bandwidth = 12000000000, latency = 1000, unified = true>]>} {

func.func @chain(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<6xf32> {
  %0 = arith.addf %a, %b : tensor<6xf32>
  %1 = math.ceil %0 : tensor<6xf32>
  %2 = arith.addf %1, %0 : tensor<6xf32>
  %3 = arith.addf %b, %2 : tensor<6xf32>
  return %3 : tensor<6xf32>
}

// A value that is read on both sides, and written over in turns.
func.func @diamond(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = arith.addf %a, %a : tensor<6xf32>
  %1 = arith.mulf %a, %a : tensor<6xf32>
  %2 = arith.addf %0, %1 : tensor<6xf32>
  %3 = arith.addf %0, %a : tensor<6xf32>
  %4 = arith.addf %2, %3 : tensor<6xf32>
  %5 = math.absf %4 : tensor<6xf32>
  %6 = arith.addf %5, %a : tensor<6xf32>
  return %6 : tensor<6xf32>
}

// The product is added to what the other device still reads.
func.func @accumulate(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = arith.addf %x, %y : tensor<2x2xf32>
  %1 = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = math.ceil %0 : tensor<2x2xf32>
  %3 = arith.addf %1, %2 : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

func.func @overwrite(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %c = arith.constant dense<1.0> : tensor<5xf32>
  %0 = arith.addf %x, %x : tensor<5xf32>
  %1 = arith.subf %0, %x : tensor<5xf32>
  %2 = linalg.map ins(%0 : tensor<5xf32>) outs(%1 : tensor<5xf32>)
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  %3 = arith.addf %1, %c : tensor<5xf32>
  return %3, %2 : tensor<5xf32>, tensor<5xf32>
}

// Columns, whose elements are not next to each other.
func.func @view(%x: tensor<4x6xf32>) -> tensor<4x2xf32> {
  %0 = arith.addf %x, %x : tensor<4x6xf32>
  %1 = tensor.extract_slice %0[0, 2] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %2 = math.ceil %1 : tensor<4x2xf32>
  %3 = tensor.extract_slice %0[0, 1] [4, 2] [1, 2] : tensor<4x6xf32> to tensor<4x2xf32>
  %4 = arith.addf %2, %3 : tensor<4x2xf32>
  %5 = tensor.extract_slice %x[0, 4] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %6 = arith.subf %4, %5 : tensor<4x2xf32>
  return %6 : tensor<4x2xf32>
}

func.func @insert(%x: tensor<4x4xf32>, %y: tensor<2x2xf32>) -> tensor<4x4xf32> {
  %0 = arith.addf %x, %x : tensor<4x4xf32>
  %1 = arith.addf %y, %y : tensor<2x2xf32>
  %2 = tensor.insert_slice %1 into %0[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %3 = tensor.extract_slice %0[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %4 = math.ceil %3 : tensor<2x2xf32>
  %5 = tensor.extract_slice %2[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %6 = arith.addf %5, %4 : tensor<2x2xf32>
  %7 = tensor.insert_slice %6 into %2[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  return %7 : tensor<4x4xf32>
}

func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = math.ceil %0 : tensor<?xf32>
  %2 = arith.addf %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// 2 x + 1 each time, in two steps.
func.func @loop(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<3xf32> {
    %0 = arith.addf %v, %v : tensor<3xf32>
    %1 = arith.addf %0, %one : tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

func.func @swap(%x: tensor<3xf32>, %y: tensor<3xf32>, %n: index) -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %y) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = arith.addf %v, %one : tensor<3xf32>
    %1 = arith.addf %w, %one : tensor<3xf32>
    scf.yield %0, %1 : tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}

func.func @branch(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
  %0 = arith.addf %x, %x : tensor<3xf32>
  %1 = scf.if %c -> tensor<3xf32> {
    %a = arith.mulf %0, %0 : tensor<3xf32>
    %b = arith.addf %a, %0 : tensor<3xf32>
    scf.yield %b : tensor<3xf32>
  } else {
    %a = arith.addf %0, %x : tensor<3xf32>
    scf.yield %a : tensor<3xf32>
  }
  %2 = arith.addf %1, %0 : tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func private @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = arith.addf %x, %x : tensor<3xf32>
  %1 = math.ceil %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}

func.func @calls(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = func.call @double(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = arith.addf %0, %x : tensor<3xf32>
  %2 = arith.addf %1, %x : tensor<3xf32>
  %3 = func.call @double(%2) : (tensor<3xf32>) -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// One buffer for two results, and an argument that is one.
func.func @twice(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.addf %x, %x : tensor<3xf32>
  %1 = math.ceil %0 : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

func.func @constants(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = arith.constant dense<[4.0, 6.0, 8.0]> : tensor<3xf32>
  %d = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = arith.addf %x, %d : tensor<3xf32>
  %1 = arith.addf %c, %0 : tensor<3xf32>
  %2 = arith.addf %1, %c : tensor<3xf32>
  return %2, %0 : tensor<3xf32>, tensor<3xf32>
}

func.func @element(%x: tensor<3xf32>) -> (f32, tensor<3xf32>) {
  %c1 = arith.constant 1 : index
  %0 = arith.addf %x, %x : tensor<3xf32>
  %e = tensor.extract %0[%c1] : tensor<3xf32>
  %s = tensor.splat %e : tensor<3xf32>
  %1 = arith.addf %s, %x : tensor<3xf32>
  return %e, %1 : f32, tensor<3xf32>
}


// A branch, a selection, a loop and a call may pass constants or values.
func.func @passed(%x: tensor<3xf32>, %p: i1, %n: index)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %d = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %e = arith.constant dense<8.0> : tensor<3xf32>
  %0 = scf.if %p -> tensor<3xf32> {
    scf.yield %c : tensor<3xf32>
  } else {
    %6 = arith.addf %x, %x : tensor<3xf32>
    scf.yield %6 : tensor<3xf32>
  }
  %1 = math.ceil %0 : tensor<3xf32>
  %2 = arith.addf %1, %x : tensor<3xf32>
  %7 = arith.maximumf %2, %0 : tensor<3xf32>
  %8 = math.absf %7 : tensor<3xf32>
  %11 = arith.addf %8, %x : tensor<3xf32>
  %12 = arith.select %p, %d, %e : tensor<3xf32>
  %3 = arith.addf %12, %x : tensor<3xf32>
  %4 = scf.for %i = %zero to %n step %one iter_args(%v = %c) -> tensor<3xf32> {
    %9 = arith.addf %v, %v : tensor<3xf32>
    scf.yield %9 : tensor<3xf32>
  }
  %10 = math.ceil %4 : tensor<3xf32>
  %5 = func.call @addOne(%c) : (tensor<3xf32>) -> tensor<3xf32>
  return %11, %3, %10, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func private @addOne(%x: tensor<3xf32>) -> tensor<3xf32> {
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %0 = math.ceil %x : tensor<3xf32>
  %1 = arith.addf %0, %one : tensor<3xf32>
  return %1 : tensor<3xf32>
}

ml_program.global private mutable @total(dense<0.0> : tensor<3xf32>) : tensor<3xf32>

func.func private @add(%x: tensor<3xf32>) {
  %0 = ml_program.global_load @total : tensor<3xf32>
  %1 = arith.addf %0, %x : tensor<3xf32>
  ml_program.global_store @total = %1 : tensor<3xf32>
  return
}

// State that both sides read and write.
func.func @state(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  ml_program.global_store @total = %zero : tensor<3xf32>
  func.call @add(%x) : (tensor<3xf32>) -> ()
  %0 = ml_program.global_load @total : tensor<3xf32>
  %1 = math.ceil %0 : tensor<3xf32>
  %2 = arith.addf %1, %1 : tensor<3xf32>
  func.call @add(%2) : (tensor<3xf32>) -> ()
  %3 = ml_program.global_load @total : tensor<3xf32>
  %4 = arith.addf %3, %x : tensor<3xf32>
  return %1, %4 : tensor<3xf32>, tensor<3xf32>
}
}
