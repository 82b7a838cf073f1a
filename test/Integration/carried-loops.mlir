// Loops that carry tensors on a device: the numbers, one copy in and one out
// whatever the number of iterations, and memory that does not grow with it.
// RUN: hetero-run %s --entry=static --input=4x3xf32=iota --input=4x3xf32=0.5 --expected=4x3xf32=50,51,52,53,54,55,56,57,58,59,60,61 --report | FileCheck %s --check-prefix=STATIC
// STATIC: copies: 3, 144 bytes
// STATIC-NEXT: value
// STATIC-NEXT: %arg0 of @static {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}48 {{ *}}1{{$}}
// STATIC-NEXT: %arg1 of @static {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}48 {{ *}}1{{$}}
// STATIC-NEXT: scf.for at {{.*}} gpu:0 {{ *}}cpu:0 {{ *}}48 {{ *}}1{{$}}
// STATIC: static_gpu0_0_0_add {{ *}}100{{$}}
// STATIC: memory peaks:
// STATIC: gpu:0 {{ *}}512{{$}}
// STATIC-NOT: only the end of a call freed

// RUN: hetero-run %s --entry=dynamic --input=index=100 --input=2x6xf32=iota --input=2x6xf32=0.5 --expected=2x6xf32=50,51,52,53,54,55,56,57,58,59,60,61 --report | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: copies: 3, 144 bytes
// DYNAMIC: memory peaks:
// DYNAMIC: gpu:0 {{ *}}512{{$}}
// DYNAMIC-NOT: only the end of a call freed

// No iteration: the result is the argument.
// RUN: hetero-run %s --entry=dynamic --input=index=0 --input=2x6xf32=iota --input=2x6xf32=0.5 --expected=2x6xf32=iota

// The arguments change places in every iteration.
// RUN: hetero-run %s --entry=fibonacci --input=index=0 --input=3xf32=0 --input=3xf32=1 --expected=3xf32=0 --expected=3xf32=1
// RUN: hetero-run %s --entry=fibonacci --input=index=1 --input=3xf32=0 --input=3xf32=1 --expected=3xf32=1 --expected=3xf32=1
// RUN: hetero-run %s --entry=fibonacci --input=index=20 --input=3xf32=0 --input=3xf32=1 --expected=3xf32=6765 --expected=3xf32=10946 --report | FileCheck %s --check-prefix=CHANGE
// CHANGE: copies: 4, 48 bytes
// CHANGE: gpu:0 {{ *}}72{{$}}
// CHANGE-NOT: only the end of a call freed

// Tests on the host whether to go on, carries on the device.
// RUN: hetero-run %s --entry=while --input=i32=10 --input=3xf32=1 --expected=i32=10 --expected=3xf32=1024 --report | FileCheck %s --check-prefix=WHILE
// WHILE: copies: 2, 24 bytes
// WHILE-NOT: only the end of a call freed
// RUN: hetero-run %s --entry=while --input=i32=0 --input=3xf32=1 --expected=i32=0 --expected=3xf32=1

// The test reads one element, which is copied per test; the value stays.
// RUN: hetero-run %s --entry=until --input=3xf32=1 --expected=3xf32=128 --report | FileCheck %s --check-prefix=UNTIL
// UNTIL: copies: 10, 56 bytes
// UNTIL-NOT: only the end of a call freed

// RUN: hetero-run %s --entry=nested --input=index=3 --input=index=4 --input=3x2xf32=1 --expected=3x2xf32=4096 --report | FileCheck %s --check-prefix=NESTED
// NESTED: copies: 2, 48 bytes
// NESTED-NOT: only the end of a call freed
// RUN: hetero-run %s --entry=nested --input=index=0 --input=index=4 --input=3x2xf32=1 --expected=3x2xf32=1
// RUN: hetero-run %s --entry=nested --input=index=4 --input=index=0 --input=3x2xf32=1 --expected=3x2xf32=1

// Each value on a device of its own, with copies in the loop.
// RUN: env HETERO_EMULATOR=devices=2 hetero-run %s --entry=two_devices --input=index=3 --input=3xf32=1 --input=3xf32=2 --expected=3xf32=21 --expected=3xf32=34 --report | FileCheck %s --check-prefix=FREED
// FREED: as expected
// FREED-NOT: only the end of a call freed

// The test of the loop passes the value elsewhere than it gets it.
// RUN: hetero-run %s --entry=mixed --input=i32=5 --input=3xf32=1 --expected=3xf32=32 --report | FileCheck %s --check-prefix=FREED

#gpu = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#cpu = #hetero.device<cpu:0>

func.func @static(%x: tensor<4x3xf32>, %step: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %e = tensor.empty() : tensor<4x3xf32>
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%it = %x) -> tensor<4x3xf32> {
    %y = linalg.add {hetero.device = #gpu} ins(%it, %step : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
    scf.yield %y : tensor<4x3xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<4x3xf32>
}

func.func @dynamic(%n: index, %x: tensor<?x?xf32>, %step: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%it = %x) -> tensor<?x?xf32> {
    %y = linalg.add {hetero.device = #gpu} ins(%it, %step : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %y : tensor<?x?xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<?x?xf32>
}

func.func @fibonacci(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %c = linalg.add {hetero.device = #gpu} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b, %c : tensor<?xf32>, tensor<?xf32>
  } {hetero.carried = [#gpu, #gpu]}
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

func.func @while(%n: i32, %x: tensor<?xf32>) -> (i32, tensor<?xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r:2 = scf.while (%i = %zero, %it = %x) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %it : i32, tensor<?xf32>
  } do {
  ^bb0(%i: i32, %it: tensor<?xf32>):
    %next = arith.addi %i, %one : i32
    %y = linalg.add {hetero.device = #gpu} ins(%it, %it : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %next, %y : i32, tensor<?xf32>
  } attributes {hetero.carried = [#cpu, #gpu], hetero.carried_inits = [#cpu, #gpu]}
  return %r#0, %r#1 : i32, tensor<?xf32>
}

func.func @until(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 100.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %r = scf.while (%it = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %first = tensor.extract %it[%c0] : tensor<3xf32>
    %more = arith.cmpf olt, %first, %limit : f32
    scf.condition(%more) %it : tensor<3xf32>
  } do {
  ^bb0(%it: tensor<3xf32>):
    %y = linalg.add {hetero.device = #gpu} ins(%it, %it : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  } attributes {hetero.carried = [#gpu], hetero.carried_inits = [#gpu]}
  return %r : tensor<3xf32>
}

func.func @nested(%n: index, %m: index, %x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%d) : tensor<?x2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %x) -> tensor<?x2xf32> {
    %0 = scf.for %j = %c0 to %m step %c1 iter_args(%inner = %outer) -> tensor<?x2xf32> {
      %y = linalg.add {hetero.device = #gpu} ins(%inner, %inner : tensor<?x2xf32>, tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
      scf.yield %y : tensor<?x2xf32>
    } {hetero.carried = [#gpu]}
    scf.yield %0 : tensor<?x2xf32>
  } {hetero.carried = [#gpu]}
  return %r : tensor<?x2xf32>
}

func.func @two_devices(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = linalg.add {hetero.device = #gpu} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %1 = linalg.add {hetero.device = #gpu1} ins(%0, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.add {hetero.device = #gpu1} ins(%1, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %3 = linalg.sub {hetero.device = #gpu1} ins(%2, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0, %3 : tensor<?xf32>, tensor<?xf32>
  } {hetero.carried = [#gpu, #gpu1]}
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

func.func @mixed(%n: i32, %x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<3xf32>
  %r:2 = scf.while (%i = %zero, %it = %x) : (i32, tensor<3xf32>) -> (i32, tensor<3xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %it : i32, tensor<3xf32>
  } do {
  ^bb0(%i: i32, %it: tensor<3xf32>):
    %next = arith.addi %i, %one : i32
    %y = linalg.add {hetero.device = #gpu} ins(%it, %it : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %next, %y : i32, tensor<3xf32>
  } attributes {hetero.carried_inits = [#cpu, #gpu]}
  return %r#1 : tensor<3xf32>
}
