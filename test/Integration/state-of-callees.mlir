// What a callee, a branch, a loop or a recursion stores into state on a device
// is there before the next load copies it elsewhere, and what a load copies is
// not overwritten before it is copied.
//
// RUN: hetero-run %s --entry=main --input=6xf32=1 --default=gpu:0 --expected=6xf32=0 --expected=6xf32=1
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=main --input=6xf32=1 --default=gpu:0 --expected=6xf32=0 --expected=6xf32=1
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=4" hetero-run %s --entry=main --input=6xf32=1 --default=gpu:0 --expected=6xf32=0 --expected=6xf32=1
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=1" hetero-run %s --entry=loops --input=6xf32=1 --input=index=3 --default=gpu:0 --expected=6xf32=9 --expected=6xf32=3
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=2" hetero-run %s --entry=branches --input=6xf32=1 --input=i1=1 --default=gpu:0 --expected=6xf32=1 --expected=6xf32=2
// RUN: env HETERO_EMULATOR="check=races,schedule=random,seed=3" hetero-run %s --entry=recurses --input=6xf32=1 --input=index=3 --default=gpu:0 --expected=6xf32=3 --expected=6xf32=3
// RUN: env HETERO_EMULATOR="devices=2,check=races,schedule=random,seed=5" hetero-run %s --entry=devices --input=6xf32=1 --default=gpu:1 --expected=6xf32=0 --expected=6xf32=2

!s = tensor<6xf32>

ml_program.global private mutable @s(dense<0.0> : !s) : !s
ml_program.global private mutable @loop(dense<0.0> : !s) : !s
ml_program.global private mutable @branch(dense<0.0> : !s) : !s
ml_program.global private mutable @recursion(dense<0.0> : !s) : !s
ml_program.global private mutable @first(dense<0.0> : !s) : !s {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @second(dense<0.0> : !s) : !s {hetero.device = #hetero.device<gpu:1>}

func.func private @step(%x: !s) -> !s {
  %a = ml_program.global_load @s : !s
  %b = arith.addf %a, %x : !s
  ml_program.global_store @s = %b : !s
  return %a : !s
}
func.func @main(%x: !s) -> (!s, !s) {
  %u = func.call @step(%x) : (!s) -> !s
  %q = func.call @step(%x) : (!s) -> !s
  return %u, %q : !s, !s
}

// Each step adds the state of the iteration on the host.
func.func @loops(%x: !s, %n: index) -> (!s, !s) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !s
  ml_program.global_store @loop = %z : !s
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> !s {
    %a = ml_program.global_load @loop : !s
    %b = arith.addf %a, %x : !s
    ml_program.global_store @loop = %b : !s
    %c = arith.addf %a, %sum {hetero.device = #hetero.device<cpu>} : !s
    %d = ml_program.global_load @loop : !s
    %e = arith.maximumf %c, %d {hetero.device = #hetero.device<cpu>} : !s
    scf.yield %e : !s
  }
  %l = ml_program.global_load @loop : !s
  %r2 = arith.addf %r, %r : !s
  %r3 = arith.addf %r2, %x : !s
  return %r3, %l : !s, !s
}

func.func private @change(%x: !s, %p: i1) -> !s {
  %a = ml_program.global_load @branch : !s
  scf.if %p {
    %b = arith.addf %a, %x : !s
    ml_program.global_store @branch = %b : !s
  }
  %c = ml_program.global_load @branch : !s
  %d = arith.addf %c, %a {hetero.device = #hetero.device<cpu>} : !s
  %e = arith.subf %d, %a {hetero.device = #hetero.device<cpu>} : !s
  return %e : !s
}
func.func @branches(%x: !s, %p: i1) -> (!s, !s) {
  %z = arith.constant dense<0.0> : !s
  ml_program.global_store @branch = %z : !s
  %u = func.call @change(%x, %p) : (!s, i1) -> !s
  %q = func.call @change(%x, %p) : (!s, i1) -> !s
  return %u, %q : !s, !s
}

func.func private @deeper(%n: index, %x: !s) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ml_program.global_load @recursion : !s
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> !s {
    scf.yield %a : !s
  } else {
    %m = arith.subi %n, %c1 : index
    %b = arith.addf %a, %x : !s
    ml_program.global_store @recursion = %b : !s
    %s = func.call @deeper(%m, %x) : (index, !s) -> !s
    scf.yield %s : !s
  }
  return %r : !s
}
func.func @recurses(%x: !s, %n: index) -> (!s, !s) {
  %z = arith.constant dense<0.0> : !s
  ml_program.global_store @recursion = %z : !s
  %u = func.call @deeper(%n, %x) : (index, !s) -> !s
  %q = ml_program.global_load @recursion : !s
  return %u, %q : !s, !s
}

// The state of one device becomes that of the other.
func.func private @swap(%x: !s) -> !s {
  %a = ml_program.global_load @first : !s
  %b = ml_program.global_load @second : !s
  %c = arith.addf %b, %x : !s
  ml_program.global_store @first = %c : !s
  ml_program.global_store @second = %a : !s
  return %b : !s
}
func.func @devices(%x: !s) -> (!s, !s) {
  %z = arith.constant dense<0.0> : !s
  ml_program.global_store @first = %z : !s
  ml_program.global_store @second = %z : !s
  %u = func.call @swap(%x) : (!s) -> !s
  %v = func.call @swap(%x) : (!s) -> !s
  %w = func.call @swap(%x) : (!s) -> !s
  %q = func.call @swap(%x) : (!s) -> !s
  %sum = arith.addf %q, %w : !s
  return %u, %sum : !s, !s
}
