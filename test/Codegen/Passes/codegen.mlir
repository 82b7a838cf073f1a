// RUN: hetero-opt %s --hetero-codegen | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-codegen -o %t.once
// RUN: hetero-opt %t.once --hetero-codegen | diff %t.once -

// The last run shows what is already done: generated code stays as it is.

#gpu0 = #hetero.device<gpu:0>
!host = tensor<4xf32>
!gpu0 = tensor<4xf32, #gpu0>

module attributes {hetero.phase = #hetero.phase<partitioned>} {

// Must not act: what is outside of regions is not generated code.
// CHECK-LABEL: func.func @outside
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: return
func.func @outside(%x: !host) -> (!gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.copy %x : !host -> !gpu0
  return %0 : !gpu0
}

// Conflict: regions with the same body on two devices are generated for each:
// vectors on the CPU, linalg operations that become kernels on the GPU.
// CHECK-LABEL: func.func @two_devices
// CHECK: hetero.execute "two_devices_cpu0_0"
// CHECK: arith.negf {{.*}} : vector<
// CHECK: hetero.execute "two_devices_gpu0_0"
// CHECK: linalg.
// CHECK-NOT: vector<
// CHECK: return
func.func @two_devices(%x: !host, %y: !gpu0 {hetero.device = #gpu0}) -> (!host, !gpu0 {hetero.device = #gpu0}) {
  %0 = hetero.execute "two_devices_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host) -> (!host) {
    %e = tensor.empty() : !host
    %1 = linalg.negf ins(%a : !host) outs(%e : !host) -> !host
    hetero.yield %1 : !host
  }
  %2 = hetero.execute "two_devices_gpu0_0" on #gpu0 (%a = %y : !gpu0) -> (!gpu0) {
    %e = tensor.empty() : !host
    %1 = linalg.negf ins(%a : !host) outs(%e : !host) -> !host
    hetero.yield %1 : !host
  }
  return %0, %2 : !host, !gpu0
}

// Control flow: a region in a branch is generated there, and control flow in a
// region stays around the generated code.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.if
// CHECK: hetero.execute "control_flow_cpu0_0"
// CHECK: scf.for
// CHECK: arith.negf {{.*}} : vector<
// CHECK: scf.yield
func.func @control_flow(%p: i1, %n: index, %x: !host) -> !host {
  %0 = scf.if %p -> !host {
    %1 = hetero.execute "control_flow_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host, %m = %n : index) -> (!host) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %2 = scf.for %i = %c0 to %m step %c1 iter_args(%c = %a) -> (!host) {
        %e = tensor.empty() : !host
        %3 = linalg.negf ins(%c : !host) outs(%e : !host) -> !host
        scf.yield %3 : !host
      }
      hetero.yield %2 : !host
    }
    scf.yield %1 : !host
  } else {
    scf.yield %x : !host
  }
  return %0 : !host
}

// Call: a region of a callee is generated in the callee; the call stays.
// CHECK-LABEL: func.func private @callee
// CHECK: arith.negf {{.*}} : vector<
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @callee
// CHECK-NEXT: return
func.func private @callee(%x: !host) -> !host {
  %0 = hetero.execute "callee_cpu0_0" on #hetero.device<cpu:0> (%a = %x : !host) -> (!host) {
    %e = tensor.empty() : !host
    %1 = linalg.negf ins(%a : !host) outs(%e : !host) -> !host
    hetero.yield %1 : !host
  }
  return %0 : !host
}
func.func @caller(%x: !host) -> !host {
  %0 = call @callee(%x) : (!host) -> !host
  return %0 : !host
}
}
