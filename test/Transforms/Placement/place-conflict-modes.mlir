// What becomes of a conflict is said on the operation, on what is around it, on
// an argument, on the module, and by the option; the innermost one decides.
//
// RUN: not hetero-opt %s --hetero-place="conflict=copy" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=ALWAYS,COPY
// RUN: not hetero-opt %s --hetero-place="conflict=error" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=ALWAYS,ERROR
// RUN: sed 's/<error>/<copy>/' %s | hetero-opt --hetero-place --hetero-materialize-copies | FileCheck %s --check-prefix=IR
// RUN: sed 's/<error>/<copy>/' %s | hetero-opt --hetero-place --verify-roundtrip | hetero-opt --hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN --allow-empty
// RUN: sed 's/<error>/<copy>/; s/^module {/module attributes {hetero.conflict = #hetero.conflict<error>} {/' %s > %t
// RUN: not hetero-opt %t --hetero-place -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: hetero-run %s --entry=replicated --input=4xf32=0 --expected=4xf32=-1 --expected=4xf32=-1 --report | FileCheck %s --check-prefix=RAN

// AGAIN-NOT: {{error|warning}}:

#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!t = tensor<4xf32>

module {
  // The operation says it.
  // COPY-NOT: error:
  // ERROR-NOT: error:
  // MODULE-NOT: error:
  // IR-LABEL: @replicated(
  // IR-COUNT-2: = math.exp
  // IR-NOT: = math.exp
  // IR: return
  // RAN: gpu:0   kernel  replicated_gpu0_0_{{[0-9]}}_exp_neg  1
  // RAN: gpu:1   kernel  replicated_gpu1_0_{{[0-9]}}_exp_neg  1
  func.func @replicated(%x: !t) -> (!t, !t) {
    %0 = math.exp %x {hetero.conflict = #hetero.conflict<replicate>} : !t
    %1 = arith.negf %0 {hetero.device = #gpu0} : !t
    %2 = arith.negf %0 {hetero.device = #gpu1} : !t
    return %1, %2 : !t, !t
  }

  // The function says it, and the operation wins over it.
  // ALWAYS: warning: expected a value that one device needs, got one that is needed on gpu:0, gpu:1
  // ALWAYS: note: 'arith.negf' op needs it on gpu:0
  // ALWAYS-NOT: {{error|warning}}:
  // MODULE: warning: expected a value that one device needs
  // IR-LABEL: @function(
  // IR-COUNT-1: = math.exp
  // IR-NOT: = math.exp
  // IR: return
  func.func @function(%x: !t) -> (!t, !t, !t, !t) attributes {hetero.conflict = #hetero.conflict<warn>} {
    %0 = math.exp %x : !t
    %1 = arith.negf %0 {hetero.device = #gpu0} : !t
    %2 = arith.negf %0 {hetero.device = #gpu1} : !t
    %3 = math.sin %x {hetero.conflict = #hetero.conflict<copy>} : !t
    %4 = arith.negf %3 {hetero.device = #gpu0} : !t
    %5 = arith.negf %3 {hetero.device = #gpu1} : !t
    return %1, %2, %4, %5 : !t, !t, !t, !t
  }

  // Control flow says it of what is inside; not of its own result, which the
  // function around it has.
  // ALWAYS: [[#@LINE+9]]:12: error: expected a value that one device needs
  // ALWAYS: note: 'arith.negf' op needs it on gpu:0
  // ALWAYS: note: 'arith.negf' op needs it on gpu:1
  // MODULE-NOT: {{error|warning}}:
  // IR-LABEL: @region(
  func.func @region(%x: !t, %c: i1) -> !t attributes {hetero.conflict = #hetero.conflict<copy>} {
    %3 = math.sin %x : !t
    %6 = arith.addf %3, %3 {hetero.device = #gpu0} : !t
    %0 = scf.if %c -> !t {
      %4 = math.exp %x : !t
      %1 = arith.negf %4 {hetero.device = #gpu0} : !t
      %2 = arith.negf %4 {hetero.device = #gpu1} : !t
      %5 = arith.addf %1, %2 {hetero.device = #gpu1} : !t
      scf.yield %5 : !t
    } else {
      %7 = arith.addf %3, %6 {hetero.device = #gpu1} : !t
      scf.yield %7 : !t
    } {hetero.conflict = #hetero.conflict<error>}
    return %0 : !t
  }

  // An argument: a private function takes it on each device, as long as nothing
  // says otherwise.
  // COPY-NOT: {{error|warning}}:
  // ERROR-NOT: {{error|warning}}:
  // MODULE-NOT: {{error|warning}}:
  // IR-LABEL: @caller(
  // IR: call @argument({{.*}}) {{.*}} : (tensor<4xf32, #hetero.device<gpu:0>>, tensor<4xf32, #hetero.device<gpu:1>>)
  func.func @caller(%x: !t) -> (!t, !t) {
    %0:2 = call @argument(%x) : (!t) -> (!t, !t)
    return %0#0, %0#1 : !t, !t
  }
  func.func private @argument(%x: !t {hetero.conflict = #hetero.conflict<replicate>}) -> (!t, !t) {
    %0 = math.exp %x {hetero.device = #gpu0} : !t
    %1 = math.sin %x {hetero.device = #gpu1} : !t
    return %0, %1 : !t, !t
  }

  // Nobody says it: the module or the option does.
  // ERROR: error: expected a value that one device needs, got one that is needed on gpu:0, gpu:1
  // MODULE: error: expected a value that one device needs, got one that is needed on gpu:0, gpu:1
  func.func @open(%x: !t) -> (!t, !t) {
    %0 = math.exp %x : !t
    %1 = arith.negf %0 {hetero.device = #gpu0} : !t
    %2 = arith.negf %0 {hetero.device = #gpu1} : !t
    return %1, %2 : !t, !t
  }
}
