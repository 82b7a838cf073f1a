// State of ml_program over many calls: on the host, on the device, on a device
// while the rest runs on the host, and the other way round.

// DEFINE: %{rules} = --rules="{default: cpu}"
// DEFINE: %{program} = %s
// DEFINE: %{run} = hetero-run %{program} %{rules}
// RUN: %{run} --entry=sum --input=4xf32=1 --time=3 --expected=4xf32=4 | FileCheck %s
// RUN: %{run} --entry=old --input=4xf32=1 --time=2 --expected=4xf32=12,13,14,15
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=1 --time=4 --expected=4xf32=6
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=0 --time=4 --expected=4xf32=1
// RUN: %{run} --entry=shared --input=4xf32=1 --time=2 --expected=4xf32=6
// RUN: %{run} --entry=kept --input=4xf32=1 --expected=4xf32=1 --expected=4xf32=2
// RUN: %{run} --entry=swapped --expected=2xf32=2 --expected=2xf32=1
// RUN: %{run} --entry=in_loop --input=4xf32=1 --expected=4xf32=5 --expected=4xf32=10
// REDEFINE: %{rules} = --rules="{default: 'gpu:0'}"
// RUN: %{run} --entry=sum --input=4xf32=1 --time=3 --expected=4xf32=4 | FileCheck %s
// RUN: %{run} --entry=old --input=4xf32=1 --time=2 --expected=4xf32=12,13,14,15
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=1 --time=4 --expected=4xf32=6
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=0 --time=4 --expected=4xf32=1
// RUN: %{run} --entry=shared --input=4xf32=1 --time=2 --expected=4xf32=6
// RUN: %{run} --entry=kept --input=4xf32=1 --expected=4xf32=1 --expected=4xf32=2
// RUN: %{run} --entry=swapped --expected=2xf32=2 --expected=2xf32=1
// RUN: %{run} --entry=in_loop --input=4xf32=1 --expected=4xf32=5 --expected=4xf32=10
// RUN: sed 's/^ml_program.global.*$/& {hetero.device = #hetero.device<gpu:0>}/' %s > %t.gpu.mlir
// REDEFINE: %{program} = %t.gpu.mlir
// REDEFINE: %{rules} = --rules="{default: cpu}"
// RUN: %{run} --entry=sum --input=4xf32=1 --time=3 --expected=4xf32=4 | FileCheck %s
// RUN: %{run} --entry=old --input=4xf32=1 --time=2 --expected=4xf32=12,13,14,15
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=1 --time=4 --expected=4xf32=6
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=0 --time=4 --expected=4xf32=1
// RUN: %{run} --entry=shared --input=4xf32=1 --time=2 --expected=4xf32=6
// RUN: %{run} --entry=kept --input=4xf32=1 --expected=4xf32=1 --expected=4xf32=2
// RUN: %{run} --entry=swapped --expected=2xf32=2 --expected=2xf32=1
// RUN: %{run} --entry=in_loop --input=4xf32=1 --expected=4xf32=5 --expected=4xf32=10
// RUN: sed 's/^ml_program.global.*$/& {hetero.device = #hetero.device<cpu>}/' %s > %t.cpu.mlir
// REDEFINE: %{program} = %t.cpu.mlir
// REDEFINE: %{rules} = --rules="{default: 'gpu:0'}"
// RUN: %{run} --entry=sum --input=4xf32=1 --time=3 --expected=4xf32=4 | FileCheck %s
// RUN: %{run} --entry=old --input=4xf32=1 --time=2 --expected=4xf32=12,13,14,15
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=1 --time=4 --expected=4xf32=6
// RUN: %{run} --entry=sometimes --input=4xf32=1 --input=i1=0 --time=4 --expected=4xf32=1
// RUN: %{run} --entry=shared --input=4xf32=1 --time=2 --expected=4xf32=6
// RUN: %{run} --entry=kept --input=4xf32=1 --expected=4xf32=1 --expected=4xf32=2
// RUN: %{run} --entry=swapped --expected=2xf32=2 --expected=2xf32=1
// RUN: %{run} --entry=in_loop --input=4xf32=1 --expected=4xf32=5 --expected=4xf32=10

// CHECK: EXEC @sum

ml_program.global private mutable @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @counted(dense<[9.0, 10.0, 11.0, 12.0]> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @first(dense<1.0> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @second(dense<2.0> : tensor<2xf32>) : tensor<2xf32>

func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ml_program.global_load @state : tensor<4xf32>
  %0 = arith.addf %x, %s : tensor<4xf32>
  ml_program.global_store @state = %0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What was loaded does not change with what is stored later; the sum is of the
// old state and 1, the call before the last has stored the last but one.
func.func @old(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ml_program.global_load @counted : tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  ml_program.global_store @counted = %0 : tensor<4xf32>
  %1 = arith.addf %s, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @sometimes(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %s = ml_program.global_load @state : tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  scf.if %c {
    ml_program.global_store @state = %0 : tensor<4xf32>
  }
  %t = ml_program.global_load @state : tensor<4xf32>
  %1 = arith.addf %t, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What was stored is still the value that was stored after the next store.
func.func @kept(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = ml_program.global_load @state : tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  ml_program.global_store @state = %0 : tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  ml_program.global_store @state = %1 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Two functions share the state.
func.func private @add(%x: tensor<4xf32>) {
  %s = ml_program.global_load @state : tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  ml_program.global_store @state = %0 : tensor<4xf32>
  return
}
func.func @shared(%x: tensor<4xf32>) -> tensor<4xf32> {
  call @add(%x) : (tensor<4xf32>) -> ()
  call @add(%x) : (tensor<4xf32>) -> ()
  %s = ml_program.global_load @state : tensor<4xf32>
  return %s : tensor<4xf32>
}

func.func @swapped() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = ml_program.global_load @first : tensor<2xf32>
  %b = ml_program.global_load @second : tensor<2xf32>
  ml_program.global_store @first = %b : tensor<2xf32>
  ml_program.global_store @second = %a : tensor<2xf32>
  %c = ml_program.global_load @first : tensor<2xf32>
  %d = ml_program.global_load @second : tensor<2xf32>
  return %c, %d : tensor<2xf32>, tensor<2xf32>
}

func.func @in_loop(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %zero) -> tensor<4xf32> {
    %s = ml_program.global_load @state : tensor<4xf32>
    %0 = arith.addf %s, %x : tensor<4xf32>
    ml_program.global_store @state = %0 : tensor<4xf32>
    %1 = arith.addf %a, %s : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %t = ml_program.global_load @state : tensor<4xf32>
  return %t, %r : tensor<4xf32>, tensor<4xf32>
}
