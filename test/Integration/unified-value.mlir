// A value in memory that the host and all devices address, on a machine whose
// links are not unified: it is allocated once, and crosses without a copy.
//
// RUN: hetero-run %s --entry=from_device --input=1024xf32=0 --report --print-max=1 --expected=1024xf32=-1 | FileCheck %s --check-prefix=FROM
// RUN: hetero-run %s --entry=to_device --input=1024xf32=-2 --report --print-max=1 --expected=1024xf32=4 | FileCheck %s --check-prefix=TO
// RUN: hetero-run %s --entry=argument --input=1024xf32=3 --report --print-max=1 --expected=1024xf32=-3 --expected=1024xf32=9 | FileCheck %s --check-prefix=ARGUMENT
// RUN: hetero-run %s --entry=several --input=1024xf32=1 --report --print-max=1 --expected=1024xf32=-2 --expected=1024xf32=4 | FileCheck %s --check-prefix=SEVERAL
// RUN: hetero-run %s --entry=loop --input=64xf32=1 --input=index=5 --expected=64xf32=33 --report | FileCheck %s --check-prefix=LOOP
// RUN: hetero-run %s --entry=from_device --input=1024xf32=0 --check=2 | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE: 0 differ
// RUN: sed 's/, hetero.memory = #hetero.memory<unified>//' %s > %t.mlir
// RUN: hetero-run %t.mlir --entry=from_device --rules='rules: [{op: math.exp, memory: unified}]' --input=1024xf32=0 --report --print-max=1 | FileCheck %s --check-prefix=FROM
// RUN: hetero-opt %s --hetero-annotate='rules={[{memory: device}]}' --hetero-place --hetero-materialize-copies | FileCheck %s --check-prefix=IR

#gpu = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
#cpu = #hetero.device<cpu>
!t = tensor<1024xf32>

// The argument crosses, what the device makes does not.
// IR-LABEL: @from_device
// IR: hetero.copy %arg0 :
// IR: hetero.copy %{{.*}} {hetero.unified} : tensor<1024xf32, #hetero.device<gpu:0>> -> tensor<1024xf32>
// FROM: copies: 1, 4096 bytes
// FROM-NEXT: value
// FROM-NEXT: %arg0 of @from_device
// FROM: memory peaks:
// FROM: gpu:0 {{ *}}4096
func.func @from_device(%x: !t) -> !t {
  %0 = math.exp %x {hetero.device = #gpu, hetero.memory = #hetero.memory<unified>} : !t
  %1 = arith.negf %0 {hetero.device = #cpu} : !t
  return %1 : !t
}

// TO: copies: 1, 4096 bytes
// TO-NEXT: value
// TO-NEXT: gpu:0 {{ *}}cpu:0 {{ *}}4096
func.func @to_device(%x: !t) -> !t {
  %0 = arith.negf %x {hetero.device = #cpu, hetero.memory = #hetero.memory<unified>} : !t
  %1 = arith.addf %0, %0 {hetero.device = #gpu} : !t
  return %1 : !t
}

// ARGUMENT: copies: 1, 4096 bytes
// ARGUMENT-NOT: %arg0
func.func @argument(%x: !t {hetero.memory = #hetero.memory<unified>}) -> (!t, !t) {
  %0 = arith.negf %x {hetero.device = #cpu} : !t
  %1 = arith.mulf %x, %x {hetero.device = #gpu} : !t
  return %0, %1 : !t, !t
}

// SEVERAL: copies: 2, 8192 bytes
func.func @several(%x: !t) -> (!t, !t) {
  %0 = arith.addf %x, %x {hetero.device = #gpu, hetero.memory = #hetero.memory<unified>} : !t
  %1 = arith.negf %0 {hetero.device = #cpu} : !t
  %2 = arith.mulf %0, %0 {hetero.device = #gpu1} : !t
  return %1, %2 : !t, !t
}

// Both sides in turns.
// LOOP: copies: 0, 0 bytes
func.func @loop(%x: tensor<64xf32> {hetero.memory = #hetero.memory<unified>}, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xf32> {
    %1 = arith.addf %a, %a {hetero.device = #gpu, hetero.memory = #hetero.memory<unified>} : tensor<64xf32>
    %2 = math.absf %1 {hetero.device = #cpu, hetero.memory = #hetero.memory<unified>} : tensor<64xf32>
    scf.yield %2 : tensor<64xf32>
  } {hetero.memory = #hetero.memory<unified>}
  %1 = arith.addf %0, %one {hetero.device = #cpu} : tensor<64xf32>
  return %1 : tensor<64xf32>
}
