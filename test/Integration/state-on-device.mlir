// State on a device stays there: its first value is copied once, no call copies
// what another one has left, and what is overwritten a part at a time is
// written in place.
//
// RUN: hetero-run %s --entry=step --input=64x8xf32=1 --time=5 --report --expected=f32=3072 --rules="{default: 'gpu:0'}" | FileCheck %s --check-prefix=STEP
// RUN: hetero-run %s --entry=step --input=64x8xf32=1 --time=5 --expected=f32=3072 --rules="{default: cpu}"
// RUN: hetero-run %s --entry=append --input=1x8xf32=1 --input=8xf32=2 --input=index=3 --expected=16xf32=0,0,0,16,0,0,0,0,0,0,0,0,0,0,0,0 --report | FileCheck %s --check-prefix=APPEND
// RUN: hetero-run %s --entry=powers --time=2 --expected=2x2xf32=1,8,0,1
// RUN: hetero-run %s --entry=turned --time=2 --expected=2x2xf32=1,3,2,4 --expected=2x2xf32=1,2,3,4
// RUN: hetero-run %s --entry=half --input=2xf32=5 --time=1 --expected=2x2xf32=1,2,3,4 --expected=2x2xf32=5,5,3,4
// RUN: hetero-run %s --entry=lost --input=2xf32=5 --time=1 --expected=2x2xf32=5,5,3,4
// RUN: hetero-run %s --entry=called --time=2 --expected=4xf32=10,10,10,10 --expected=4xf32=8,8,8,8
// RUN: hetero-run %s --entry=branch --input=i1=1 --time=2 --expected=4xf32=2,2,2,2
// RUN: hetero-run %s --entry=buffer --input=4xf32=1 --time=3 --report --expected=4xf32=4 | FileCheck %s --check-prefix=BUFFER
// RUN: hetero-run %s --entry=variable --input=4xf32=1 --time=3 --expected=4xf32=4
// RUN: hetero-opt %s --hetero-pipeline="stop-after=bufferized default=gpu:0" | FileCheck %s --check-prefix=IR
//
// The same without annotations, with others around, and in a file.
//
// RUN: sed 's/ {hetero.device = #hetero.device<gpu:0>}$//' %s > %t.mlir
// RUN: hetero-run %t.mlir --entry=append --input=1x8xf32=1 --input=8xf32=2 --input=index=3 --expected=16xf32=0,0,0,16,0,0,0,0,0,0,0,0,0,0,0,0 --rules="{default: cpu}"
// RUN: hetero-run %t.mlir --entry=append --input=1x8xf32=1 --input=8xf32=2 --input=index=3 --expected=16xf32=0,0,0,16,0,0,0,0,0,0,0,0,0,0,0,0 --rules="{default: 'gpu:0'}"
// RUN: hetero-run %t.mlir --entry=powers --time=2 --expected=2x2xf32=1,8,0,1 --rules="{default: cpu}"
// RUN: hetero-run %t.mlir --entry=turned --time=2 --expected=2x2xf32=1,3,2,4 --expected=2x2xf32=1,2,3,4 --rules="{default: cpu}"
// RUN: hetero-run %t.mlir --entry=half --input=2xf32=5 --time=1 --expected=2x2xf32=1,2,3,4 --expected=2x2xf32=5,5,3,4 --rules="{default: cpu}"
// RUN: hetero-run %t.mlir --entry=lost --input=2xf32=5 --time=1 --expected=2x2xf32=5,5,3,4 --rules="{default: cpu}"
// RUN: hetero-run %t.mlir --entry=called --time=2 --expected=4xf32=10,10,10,10 --expected=4xf32=8,8,8,8 --rules="{default: cpu}"
// RUN: hetero-run %s --entry=step --input=64x8xf32=1 --check=3 | FileCheck %s --check-prefix=DIFFERENTIAL
// RUN: hetero-compile %s -o %t.exe
// RUN: %t.exe --entry=step --input=64x8xf32=1 --time=5 --expected=f32=3072

// DIFFERENTIAL: 0 differ

ml_program.global private mutable @sum(dense<0.0> : tensor<64x8xf32>) : tensor<64x8xf32> {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @cache(dense<0.0> : tensor<16x8xf32>) : tensor<16x8xf32> {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @square(dense<[[1.0, 1.0], [0.0, 1.0]]> : tensor<2x2xf32>) : tensor<2x2xf32> {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @table(dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>) : tensor<2x2xf32> {hetero.device = #hetero.device<gpu:0>}
ml_program.global private mutable @count(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {hetero.device = #hetero.device<gpu:0>}

// Besides the first value of the state, arguments and the result of each call
// are all that crosses.
// STEP: copies: 12, 12312 bytes
// STEP-NEXT: value
// STEP-NEXT: %arg0 of @step {{ *}}cpu:0 {{ *}}gpu:0 {{ *}}12288 {{ *}}6
// STEP-NEXT: gpu:0 {{ *}}cpu:0 {{ *}}24 {{ *}}6
// STEP: constants uploaded once:
// STEP: sum {{ *}}gpu:0 {{ *}}2048
func.func @step(%x: tensor<64x8xf32>) -> f32 {
  %s = ml_program.global_load @sum : tensor<64x8xf32>
  %0 = arith.addf %s, %x : tensor<64x8xf32>
  ml_program.global_store @sum = %0 : tensor<64x8xf32>
  %e = arith.constant dense<0.0> : tensor<f32>
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64x8xf32>) outs(%e : tensor<f32>) dimensions = [0, 1]
  %2 = tensor.extract %1[] : tensor<f32>
  return %2 : f32
}

// A row is written into the state itself.
// IR-LABEL: @append(
// IR-NOT: memref.alloc{{.*}}memref<16x8xf32
// IR: return
// APPEND: constants uploaded once:
// APPEND: cache
func.func @append(%row: tensor<1x8xf32>, %q: tensor<8xf32>, %i: index) -> tensor<16xf32> {
  %s = ml_program.global_load @cache : tensor<16x8xf32>
  %0 = tensor.insert_slice %row into %s[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
  %z = arith.constant dense<0.0> : tensor<16xf32>
  %1 = linalg.matvec ins(%0, %q : tensor<16x8xf32>, tensor<8xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
  ml_program.global_store @cache = %0 : tensor<16x8xf32>
  return %1 : tensor<16xf32>
}

// What is stored is made of the whole state, in another order.
func.func @powers() -> tensor<2x2xf32> {
  %s = ml_program.global_load @square : tensor<2x2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%s, %s : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  ml_program.global_store @square = %0 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @turned() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %s = ml_program.global_load @table : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.transpose ins(%s : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  ml_program.global_store @table = %0 : tensor<2x2xf32>
  return %0, %s : tensor<2x2xf32>, tensor<2x2xf32>
}

// The old value is read after the new one was made.
func.func @half(%x: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %s = ml_program.global_load @table : tensor<2x2xf32>
  %0 = tensor.insert_slice %x into %s[0, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %1 = linalg.copy ins(%s : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %0 : tensor<2x2xf32>, tensor<2x2xf32>
}
// What is made of the state and not stored does not change it.
func.func @lost(%x: tensor<2xf32>) -> tensor<2x2xf32> {
  %s = ml_program.global_load @table : tensor<2x2xf32>
  %0 = tensor.insert_slice %x into %s[0, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// A call changes the state between a load and the use of its value.
func.func private @add() {
  %s = ml_program.global_load @count : tensor<4xf32>
  %0 = arith.addf %s, %s : tensor<4xf32>
  ml_program.global_store @count = %0 : tensor<4xf32>
  return
}
func.func @called() -> (tensor<4xf32>, tensor<4xf32>) {
  %s = ml_program.global_load @count : tensor<4xf32>
  call @add() : () -> ()
  %t = ml_program.global_load @count : tensor<4xf32>
  %u = arith.constant dense<2.0> : tensor<4xf32>
  %0 = arith.subf %t, %s : tensor<4xf32>
  %1 = arith.addf %t, %u : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  %3 = arith.subf %2, %s : tensor<4xf32>
  return %1, %t : tensor<4xf32>, tensor<4xf32>
}

func.func @branch(%c: i1) -> tensor<4xf32> {
  %s = ml_program.global_load @count : tensor<4xf32>
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = arith.addf %s, %s : tensor<4xf32>
    ml_program.global_store @count = %s : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// State in a buffer, and a variable of TOSA.
// BUFFER: constants uploaded once:
// BUFFER: total {{ *}}gpu:0 {{ *}}16
memref.global "private" @total : memref<4xf32> = dense<0.0> {hetero.device = #hetero.device<gpu:0>}
func.func @buffer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = memref.get_global @total : memref<4xf32>
  %s = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %0 : tensor<4xf32>
}
tosa.variable @tosa_total {hetero.device = #hetero.device<gpu:0>} = dense<0.0> : tensor<4xf32>
func.func @variable(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = tosa.variable_read @tosa_total : tensor<4xf32>
  %0 = arith.addf %s, %x : tensor<4xf32>
  tosa.variable_write @tosa_total, %0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
