// Views of a device's tensor that branches and loops pass: buffers with
// strides and offsets that only run time knows.
// RUN: hetero-run %s --entry=slices --input=i1=1 --input=4x6xf32=iota --input=2x3xf32=1 --expected=2x3xf32=10,11,12,16,17,18 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=slices --input=i1=0 --input=4x6xf32=iota --input=2x3xf32=1 --expected=2x3xf32=4 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=slice_loop --input=index=2 --input=4x6xf32=0 --input=2x3xf32=1 --expected=4x6xf32=0,0,0,0,0,0,1,2,2,1,0,0,1,2,2,1,0,0,0,0,0,0,0,0 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=slice_blocks --input=i1=1 --input=4x6xf32=iota --input=2x3xf32=1 --expected=2x3xf32=9,10,11,15,16,17 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=slice_blocks --input=i1=0 --input=4x6xf32=iota --input=2x3xf32=1 --expected=2x3xf32=3 --report | FileCheck %s --check-prefix=FREED
// FREED: as expected
// FREED-NOT: only the end of a call freed

#gpu = #hetero.device<gpu:0>
#cpu = #hetero.device<cpu:0>

func.func @slices(%p: i1, %x: tensor<4x6xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.add {hetero.device = #gpu} ins(%z, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = scf.if %p -> tensor<2x3xf32> {
    %s = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] {hetero.device = #gpu} : tensor<4x6xf32> to tensor<2x3xf32>
    scf.yield %s : tensor<2x3xf32>
  } else {
    scf.yield %y : tensor<2x3xf32>
  } {hetero.carried = [#gpu]}
  %q = linalg.add {hetero.device = #gpu} ins(%r, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %q : tensor<2x3xf32>
}

func.func @slice_loop(%n: index, %x: tensor<4x6xf32>, %z: tensor<2x3xf32>) -> tensor<4x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%it = %x) -> tensor<4x6xf32> {
    %s = tensor.extract_slice %it[1, %i] [2, 3] [1, 1] {hetero.device = #gpu} : tensor<4x6xf32> to tensor<2x3xf32>
    %q = linalg.add {hetero.device = #gpu} ins(%s, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    %t = tensor.insert_slice %q into %it[1, %i] [2, 3] [1, 1] {hetero.device = #gpu} : tensor<2x3xf32> into tensor<4x6xf32>
    scf.yield %t : tensor<4x6xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<4x6xf32>
}

func.func @slice_blocks(%p: i1, %x: tensor<4x6xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {hetero.block_arguments = [[], [], [#gpu]]} {
  %e = tensor.empty() : tensor<2x3xf32>
  cf.cond_br %p, ^a, ^b
^a:
  %s = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] {hetero.device = #gpu} : tensor<4x6xf32> to tensor<2x3xf32>
  cf.br ^c(%s : tensor<2x3xf32>)
^b:
  %y = linalg.add {hetero.device = #gpu} ins(%z, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  cf.br ^c(%y : tensor<2x3xf32>)
^c(%r: tensor<2x3xf32>):
  %q = linalg.add {hetero.device = #gpu} ins(%r, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %q : tensor<2x3xf32>
}
