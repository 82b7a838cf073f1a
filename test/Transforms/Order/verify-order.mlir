// RUN: hetero-opt %s --split-input-file --verify-diagnostics --hetero-verify

// Must not act: each operation waits for what it needs.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @right(%x: !host) -> !host {
  %d = memref.alloc() : !gpu0
  memref.copy %x, %d : !host to !gpu0
  %h = memref.alloc() : !host
  hetero.order #out after #gpu0
  memref.copy %d, %h {hetero.from = #out} : !gpu0 to !host
  hetero.order #gpu0 after #out
  linalg.exp {hetero.device = #gpu0} ins(%d : !gpu0) outs(%d : !gpu0)
  hetero.wait on #out
  return %h : !host
}
}

// -----

// C1: the host waits before it reads what a device sends.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @host(%d: !gpu0, %i: index) -> f32 {
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host // expected-note {{'memref.copy' writes it here}}
  // expected-error@+1 {{breaks the contract of phase 'scheduled': expected 'memref.copy' on #hetero.device<gpu:0> to be done before it reads the same memory; insert hetero.wait on #hetero.device<gpu:0>}}
  %v = vector.load %h[%i] : !host, vector<1xf32>
  %f = vector.extract %v[0] : f32 from vector<1xf32>
  return %f : f32
}
}

// -----

// C1: a result is there when the function returns.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @result(%d: !gpu0) -> !host {
  %h = memref.alloc() : !host
  memref.copy %d, %h {hetero.from = #out} : !gpu0 to !host // expected-note {{writes it here}}
  // expected-error@+1 {{insert hetero.wait on #hetero.device<gpu:0, unit = "copy out">}}
  return %h : !host
}
}

// -----

// C1: one stream reads what another one has written.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @streams() {
  %d = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%d : !gpu0) outs(%d : !gpu0) // expected-note {{'linalg.exp' writes it here}}
  // expected-error@+1 {{expected 'linalg.exp' on #hetero.device<gpu:0> to be done before it reads the same memory; insert hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0>}}
  linalg.abs {hetero.device = #a} ins(%d : !gpu0) outs(%d : !gpu0)
  return
}
}

// -----

// C1: one stream overwrites what another one still reads.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @overwrites() {
  %d = memref.alloc() : !gpu0
  %e = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #a} ins(%d : !gpu0) outs(%e : !gpu0) // expected-note {{'linalg.exp' reads it here}}
  // expected-error@+1 {{before it writes the same memory; insert hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "a">}}
  linalg.abs {hetero.device = #gpu0} ins(%d : !gpu0) outs(%d : !gpu0)
  return
}
}

// -----

// C1: buffers at one place of an arena are one memory, others are not.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<planned>} {
func.func @arena(%x: !host) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %arena = memref.alloc() : memref<512xi8, #gpu0>
  %0 = memref.view %arena[%c0][] : memref<512xi8, #gpu0> to !gpu0
  %1 = memref.view %arena[%c256][] : memref<512xi8, #gpu0> to !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%0 : !gpu0) outs(%0 : !gpu0) // expected-note {{'linalg.exp' writes it here}}
  memref.copy %x, %1 {hetero.to = #in} : !host to !gpu0
  %2 = memref.view %arena[%c0][] : memref<512xi8, #gpu0> to !gpu0
  // expected-error@+1 {{insert hetero.order #hetero.device<gpu:0, unit = "copy in"> after #hetero.device<gpu:0>}}
  memref.copy %x, %2 {hetero.to = #in} : !host to !gpu0
  memref.dealloc %arena : memref<512xi8, #gpu0>
  return
}
}

// -----

// C1, control flow: a loop uses the part of an arena that it has a view of, also
// where it makes the view.
#gpu0 = #hetero.device<gpu:0>
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<planned>} {
func.func @parts(%d: !gpu0, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %arena = memref.alloc() : memref<512xi8>
  %0 = memref.view %arena[%c0][] : memref<512xi8> to !host
  memref.copy %d, %0 {hetero.from = #out} : !gpu0 to !host // expected-note {{'memref.copy' writes it here}}
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.view %arena[%c256][] : memref<512xi8> to !host
    memref.store %v, %1[%c0] : !host
  }
  // expected-error@+1 {{to be done before it writes the same memory; insert hetero.wait on #hetero.device<gpu:0, unit = "copy out">}}
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.view %arena[%c0][] : memref<512xi8> to !host
    memref.store %v, %1[%c0] : !host
  }
  hetero.wait on #out
  memref.dealloc %arena : memref<512xi8>
  return
}
}

// -----

// C2: memory of the host is freed when what is sent there has arrived.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<planned>} {
func.func @freed(%d: !gpu0) {
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host // expected-note {{'memref.copy' writes it here}}
  // expected-error@+1 {{before it frees the same memory; insert hetero.wait on #hetero.device<gpu:0>}}
  memref.dealloc %h : !host
  return
}
}

// -----

// C2: memory of a device is freed after its last use, for which nobody waits.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<planned>} {
func.func @used(%x: !host, %d: !gpu0) {
  %e = memref.alloc() : !gpu0
  linalg.exp {hetero.device = #gpu0} ins(%d : !gpu0) outs(%e : !gpu0)
  memref.dealloc %e : !gpu0 // expected-note {{'memref.dealloc' frees it here}}
  // expected-error@+1 {{uses memory that is freed before; free it after its last use}}
  memref.copy %x, %e : !host to !gpu0
  return
}
}

// -----

// C3, call: the callee does not know of the stream for copies.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func private @callee(%d: !gpu0) {
  linalg.exp {hetero.device = #gpu0} ins(%d : !gpu0) outs(%d : !gpu0)
  return
}
func.func @caller(%x: !host) {
  %d = memref.alloc() : !gpu0
  memref.copy %x, %d {hetero.to = #in} : !host to !gpu0 // expected-note {{'memref.copy' writes it here}}
  // expected-error@+1 {{insert hetero.order #hetero.device<gpu:0> after #hetero.device<gpu:0, unit = "copy in">}}
  call @callee(%d) : (!gpu0) -> ()
  return
}
}

// -----

// C1, call: a callee may read state that its caller has on any stream.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
memref.global "private" @state : !gpu0 = dense<0.0>
func.func private @callee() -> !host {
  %s = memref.get_global @state : !gpu0
  %h = memref.alloc() : !host
  // expected-error@+1 {{expected work from before on #hetero.device<gpu:0> to be done before it reads the same memory; insert hetero.order #hetero.device<gpu:0, unit = "copy out"> after #hetero.device<gpu:0>}}
  memref.copy %s, %h {hetero.from = #out} : !gpu0 to !host
  linalg.exp {hetero.device = #gpu0} ins(%s : !gpu0) outs(%s : !gpu0)
  hetero.wait on #out
  return %h : !host
}
func.func @caller() -> !host {
  %0 = call @callee() : () -> !host
  return %0 : !host
}
}

// -----

// C1, control flow: an iteration comes after the one before.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : !gpu0
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{expected 'linalg.abs' on #hetero.device<gpu:0> to be done before it reads the same memory; insert hetero.order #hetero.device<gpu:0, unit = "a"> after #hetero.device<gpu:0>}}
    linalg.exp {hetero.device = #a} ins(%d : !gpu0) outs(%d : !gpu0)
    hetero.order #gpu0 after #a
    linalg.abs {hetero.device = #gpu0} ins(%d : !gpu0) outs(%d : !gpu0) // expected-note {{'linalg.abs' writes it here}}
  }
  return
}
}

// -----

// C1, control flow: a branch does not wait for the other one.
#gpu0 = #hetero.device<gpu:0>
#a = #hetero.device<gpu:0, unit = "a">
#in = #hetero.device<gpu:0, unit = "copy in">
#out = #hetero.device<gpu:0, unit = "copy out">
!host = memref<4xf32>
!gpu0 = memref<4xf32, #gpu0>
module attributes {hetero.phase = #hetero.phase<scheduled>} {
func.func @branch(%d: !gpu0, %p: i1, %i: index) -> f32 {
  %h = memref.alloc() : !host
  memref.copy %d, %h : !gpu0 to !host // expected-note {{'memref.copy' writes it here}}
  %f = scf.if %p -> f32 {
    hetero.wait on #gpu0
    %v = memref.load %h[%i] : !host
    scf.yield %v : f32
  } else {
    // expected-error@+1 {{before it reads the same memory; insert hetero.wait on #hetero.device<gpu:0>}}
    %v = memref.load %h[%i] : !host
    scf.yield %v : f32
  }
  return %f : f32
}
}
