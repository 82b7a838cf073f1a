// RUN: hetero-opt %s --split-input-file --hetero-schedule | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --split-input-file --hetero-schedule -o %t.once
// RUN: hetero-opt %t.once --split-input-file --hetero-schedule | diff %t.once -
// RUN: hetero-opt %s --split-input-file --hetero-schedule --hetero-plan-memory -o /dev/null
// RUN: hetero-opt %s --split-input-file --hetero-schedule --remarks-filter=hetero-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: lean{{.*}}work runs at most 0 operations ahead, so that memory suffices

#gpu0 = #hetero.device<gpu:0>
!host = memref<64xf32>
!gpu0 = memref<64xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             #hetero.device_spec<device = #gpu0, memory = 256, compute = 1000000000, bandwidth = 1000000000>],
  links = [#hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 1000>]>} {

// Acts: the memory holds one value, so each one crosses when the one before is
// gone.
// CHECK-LABEL: func.func @one
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<64xf32>, %[[Y:[a-z0-9]+]]: memref<64xf32>
// CHECK: memref.copy %[[X]]
// CHECK: linalg.exp
// CHECK: memref.copy %{{.*}} to memref<64xf32>
// CHECK: memref.copy %[[Y]]
// CHECK: linalg.exp
// CHECK: memref.copy %{{.*}} to memref<64xf32>
// CHECK: return
func.func @one(%x: !host, %y: !host) -> (!host, !host) {
  %v = memref.alloc() : !host
  %w = memref.alloc() : !host
  %a = memref.alloc() : !gpu0
  %b = memref.alloc() : !gpu0
  memref.copy %x, %a : !host to !gpu0
  memref.copy %y, %b : !host to !gpu0
  linalg.exp ins(%a : !gpu0) outs(%a : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%b : !gpu0)
  memref.copy %a, %v : !gpu0 to !host
  memref.copy %b, %w : !gpu0 to !host
  return %v, %w : !host, !host
}

// Control flow: a copy stands after a loop that does not need it.
// CHECK-LABEL: func.func @after_loop
// CHECK-SAME: %{{.*}}: memref<64xf32>, %[[Y:[a-z0-9]+]]: memref<64xf32>
// CHECK: scf.for
// CHECK: }
// CHECK: memref.copy %[[Y]]
// CHECK: linalg.exp
func.func @after_loop(%x: !host, %y: !host, %n: index) -> (!host, !host) {
  %v = memref.alloc() : !host
  %w = memref.alloc() : !host
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !gpu0
  %b = memref.alloc() : !gpu0
  memref.copy %x, %a : !host to !gpu0
  memref.copy %y, %b : !host to !gpu0
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%a : !gpu0) outs(%a : !gpu0)
  }
  memref.copy %a, %v : !gpu0 to !host
  linalg.exp ins(%b : !gpu0) outs(%b : !gpu0)
  memref.copy %b, %w : !gpu0 to !host
  return %v, %w : !host, !host
}

}

// -----

#gpu0 = #hetero.device<gpu:0>
!host = memref<64xf32>
!gpu0 = memref<64xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<bufferized>, hetero.topology = #hetero.topology<
  devices = [#hetero.device_spec<device = #hetero.device<cpu:0>, compute = 1000000000, bandwidth = 1000000000>,
             #hetero.device_spec<device = #gpu0, memory = 512, compute = 1000000000, bandwidth = 1000000000>],
  links = [#hetero.link<from = #hetero.device<cpu:0>, to = #gpu0, bandwidth = 1000000000, latency = 1000>,
           #hetero.link<from = #gpu0, to = #hetero.device<cpu:0>, bandwidth = 1000000000, latency = 1000>]>} {

// Must not act: all fits, so the second copy runs while the first value is used.
// CHECK-LABEL: func.func @fits
// CHECK: unit = "copy in"
// CHECK: return
func.func @fits(%x: !host, %y: !host) -> (!host, !host) {
  %v = memref.alloc() : !host
  %w = memref.alloc() : !host
  %a = memref.alloc() : !gpu0
  %b = memref.alloc() : !gpu0
  memref.copy %x, %a : !host to !gpu0
  memref.copy %y, %b : !host to !gpu0
  linalg.exp ins(%a : !gpu0) outs(%a : !gpu0)
  linalg.exp ins(%b : !gpu0) outs(%b : !gpu0)
  memref.copy %a, %v : !gpu0 to !host
  memref.copy %b, %w : !gpu0 to !host
  return %v, %w : !host, !host
}

}
