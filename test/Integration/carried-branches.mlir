// Branches, blocks and calls that pass tensors on a device, whether computed
// there, copied there, or somebody else's. Nothing is left for the end of the
// call to free, and nothing is freed twice.
// FREED: as expected
// FREED-NOT: only the end of a call freed

// RUN: hetero-run %s --entry=if --input=i1=1 --input=4xf32=iota --expected=4xf32=1,3,5,7 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=if --input=i1=0 --input=4xf32=iota --expected=4xf32=1,2,3,4 --report | FileCheck %s --check-prefix=FREED

// The two arms compute on different devices.
// RUN: hetero-run %s --entry=arms --input=i1=1 --input=2x2xf32=iota --expected=2x2xf32=0,2,4,6 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=arms --input=i1=0 --input=2x2xf32=iota --expected=2x2xf32=0,1,4,9 --report | FileCheck %s --check-prefix=FREED

// RUN: hetero-run %s --entry=switch --input=index=0 --input=3xf32=iota --expected=3xf32=0,32,64 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=switch --input=index=1 --input=3xf32=iota --expected=3xf32=0,1,2 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=switch --input=index=7 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED

// RUN: hetero-run %s --entry=blocks --input=index=0 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=blocks --input=index=5 --input=3xf32=iota --expected=3xf32=0,64,128 --report | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: copies: 2, 24 bytes
// BLOCKS: gpu:0 {{ *}}36{{$}}
// BLOCKS-NOT: only the end of a call freed

// RUN: hetero-run %s --entry=calls --input=i1=1 --input=3xf32=iota --expected=3xf32=0,4,8 --report | FileCheck %s --check-prefix=CALLS
// CALLS: copies: 2, 24 bytes
// CALLS-NOT: only the end of a call freed
// RUN: hetero-run %s --entry=calls --input=i1=0 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED

// RUN: hetero-run %s --entry=region --input=i1=0 --input=3xf32=iota --expected=3xf32=iota --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=region --input=i1=1 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED

// A switch between blocks, two of which lead to the same one.
// RUN: hetero-run %s --entry=block_switch --input=i32=0 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=block_switch --input=i32=1 --input=3xf32=iota --expected=3xf32=0,1,4 --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=block_switch --input=i32=2 --input=3xf32=iota --expected=3xf32=iota --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=block_switch --input=i32=5 --input=3xf32=iota --expected=3xf32=iota --report | FileCheck %s --check-prefix=FREED

// Both ways lead to the same block.
// RUN: hetero-run %s --entry=select --input=i1=0 --input=3xf32=iota --expected=3xf32=iota --report | FileCheck %s --check-prefix=FREED
// RUN: hetero-run %s --entry=select --input=i1=1 --input=3xf32=iota --expected=3xf32=0,2,4 --report | FileCheck %s --check-prefix=FREED

#gpu = #hetero.device<gpu:0>
#cpu = #hetero.device<cpu:0>

func.func @if(%p: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %ones = linalg.fill {hetero.device = #gpu} ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %chosen = scf.if %p -> tensor<?xf32> {
    %0 = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  } {hetero.carried = [#gpu]}
  %r = linalg.add {hetero.device = #gpu} ins(%chosen, %ones : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @arms(%p: i1, %x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = scf.if %p -> tensor<2x2xf32> {
    %0 = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %0 : tensor<2x2xf32>
  } else {
    %0 = linalg.mul {hetero.device = #cpu} ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %0 : tensor<2x2xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<2x2xf32>
}

func.func @switch(%which: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = scf.index_switch %which {hetero.carried = [#gpu]} -> tensor<?xf32>
  case 0 {
    %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%it = %x) -> tensor<?xf32> {
      %y = linalg.add {hetero.device = #gpu} ins(%it, %it : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %y : tensor<?xf32>
    } {hetero.carried = [#gpu]}
    scf.yield %0 : tensor<?xf32>
  }
  case 1 {
    scf.yield %x : tensor<?xf32>
  }
  default {
    %y = linalg.add {hetero.device = #cpu} ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @blocks(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> attributes {hetero.block_arguments = [[#cpu, #gpu], [#gpu]]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  cf.br ^loop(%c0, %x : index, tensor<?xf32>)
^loop(%i: index, %it: tensor<?xf32>):
  %y = linalg.add {hetero.device = #gpu} ins(%it, %it : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^loop(%next, %y : index, tensor<?xf32>), ^end(%y : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

func.func private @twice(%x: tensor<?xf32> {hetero.device = #gpu}) -> (tensor<?xf32> {hetero.device = #gpu}) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %y = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// Returns its argument or something new.
func.func private @maybe_twice(%p: i1, %x: tensor<?xf32> {hetero.device = #gpu}) -> (tensor<?xf32> {hetero.device = #gpu}) {
  %r = scf.if %p -> tensor<?xf32> {
    %y = func.call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<?xf32>
}

func.func @calls(%p: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @maybe_twice(%p, %a) : (i1, tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @region(%p: i1, %x: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %r = scf.execute_region -> tensor<3xf32> {
    cf.cond_br %p, ^compute, ^end(%x : tensor<3xf32>)
  ^compute:
    %y = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    cf.br ^end(%y : tensor<3xf32>)
  ^end(%z: tensor<3xf32>):
    scf.yield %z : tensor<3xf32>
  } {hetero.carried = [#gpu], hetero.block_arguments = [[], [#gpu]]}
  return %r : tensor<3xf32>
}

func.func @block_switch(%which: i32, %x: tensor<3xf32>) -> tensor<3xf32> attributes {hetero.block_arguments = [[], [], [#gpu]]} {
  %e = tensor.empty() : tensor<3xf32>
  cf.switch %which : i32, [
    default: ^end(%x : tensor<3xf32>),
    0: ^double,
    1: ^square,
    2: ^end(%x : tensor<3xf32>)
  ]
^double:
  %y = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  cf.br ^end(%y : tensor<3xf32>)
^square:
  %z = linalg.mul {hetero.device = #gpu} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  cf.br ^end(%z : tensor<3xf32>)
^end(%r: tensor<3xf32>):
  return %r : tensor<3xf32>
}

func.func @select(%p: i1, %x: tensor<3xf32>) -> tensor<3xf32> attributes {hetero.block_arguments = [[#gpu]]} {
  %e = tensor.empty() : tensor<3xf32>
  %y = linalg.add {hetero.device = #gpu} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  cf.cond_br %p, ^end(%y : tensor<3xf32>), ^end(%x : tensor<3xf32>)
^end(%r: tensor<3xf32>):
  return %r : tensor<3xf32>
}
