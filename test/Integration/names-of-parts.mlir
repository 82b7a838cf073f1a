// What loops carry may be other parts of an arena than those that a device
// sends to the host meanwhile: nobody waits for these before it is read.
//
// RUN: hetero-run %s --entry=outer --default=cpu --input=4xf32=1 --input=index=1 --input=i1=1 --expected=4xf32=1
// RUN: env HETERO_EMULATOR="devices=2,check=races" hetero-run %s --entry=carried --default=cpu --input=4xf32=1 --input=index=2 --input=i1=1 --expected=4xf32=1
// RUN: hetero-run %s --entry=called --default=gpu:0 --input=4xf32=1 --input=index=1 --input=i1=0 --expected=4xf32=1

!s = tensor<4xf32>

ml_program.global private mutable @device(dense<1.0> : !s) : !s {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @host(dense<2.0> : !s) : !s {hetero.device = #hetero.device<cpu>}

func.func @outer(%x: !s, %n: index, %q: i1) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %outer = %x) : (index, !s) -> (index, !s) {
    %w:2 = scf.while (%k = %c0, %inner = %x) : (index, !s) -> (index, !s) {
      %sent = scf.for %j = %c0 to %n step %c1 iter_args(%old = %x) -> !s {
        %loaded = ml_program.global_load @device : !s
        scf.yield %loaded : !s
      }
      scf.if %q {
        ml_program.global_store @host = %outer : !s
        ml_program.global_store @host = %sent : !s
      }
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %k, %inner : index, !s
    } do {
    ^bb0(%k: index, %inner: !s):
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %inner : index, !s
    }
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %outer : index, !s
  } do {
  ^bb0(%i: index, %outer: !s):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %x : index, !s
  }
  return %r#1 : !s
}

func.func private @store(%x: !s) {
  ml_program.global_store @device = %x : !s
  return
}
func.func @carried(%x: !s, %n: index, %q: i1) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %x) -> !s {
    %sum = scf.if %q -> !s {
      %sent = arith.minimumf %x, %x {hetero.device = #hetero.device<gpu:1>} : !s
      %added = arith.addf %old, %sent : !s
      scf.yield %added : !s
    } else {
      scf.yield %x : !s
    }
    %w:2 = scf.while (%k = %c0, %a = %x) : (index, !s) -> (index, !s) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %k, %a : index, !s
    } do {
    ^bb0(%k: index, %a: !s):
      %least = arith.minimumf %x, %sum {hetero.device = #hetero.device<cpu>} : !s
      func.call @store(%a) : (!s) -> ()
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %least : index, !s
    }
    scf.yield %x : !s
  }
  return %r : !s
}

func.func private @step(%x: !s, %n: index, %q: i1) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %a = %x) : (index, !s) -> (index, !s) {
    ml_program.global_store @host = %a : !s
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %a : index, !s
  } do {
  ^bb0(%i: index, %a: !s):
    %b = scf.if %q -> !s {
      scf.yield %x : !s
    } else {
      %sent = arith.minimumf %a, %a : !s
      %least = arith.minimumf %x, %sent {hetero.device = #hetero.device<cpu>} : !s
      scf.yield %least : !s
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %b : index, !s
  }
  return %r#1 : !s
}
func.func @called(%x: !s, %n: index, %q: i1) -> !s {
  %r = func.call @step(%x, %n, %q) : (!s, index, i1) -> !s
  return %r : !s
}
