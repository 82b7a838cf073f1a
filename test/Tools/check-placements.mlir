// A model must have the same results wherever it runs.

// RUN: hetero-run %s --entry=sums --input=16x64xf32=random:1 --check=2 | FileCheck %s --check-prefix=SAME
// SAME: all on cpu:0: 2 result(s) that the others must have
// SAME-NEXT: as placed: same
// SAME-NEXT: all on gpu:0: same
// SAME-NEXT: random placement 1: same
// SAME-NEXT: random placement 2: same
// SAME-NEXT: 4 placements, 0 differ

// Where no rounding is allowed, a sum in another order differs; the operation is
// named as the source has it, with both values.
// RUN: not hetero-run %s --entry=sums --input=16x64xf32=random:1 --check=0 --rtol=0 --atol=0 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: all on gpu:0: result[0] differs: expected {{.*}} at {{.*}}, got {{.*}}; {{[0-9]+}} of 16 elements differ
// DIFFERS-NEXT: first: 'linalg.reduce' op at {{.*}}check-placements.mlir:[[#@LINE+39]]:8 on gpu:0: expected {{[-0-9.e]+}} at {{.*}}, got {{[-0-9.e]+}};
// DIFFERS-NEXT: 2 placements, 1 differ

// Where the values in between are computed in one piece, keeping one of them
// may hide the difference: then one at a time is kept.
// RUN: not hetero-run %s --entry=halves --input=64xf16=random:1 --input=64xf16=random:2 --check=0 --rtol=0 --atol=0 | FileCheck %s --check-prefix=HALVES
// HALVES: all on gpu:0: result[0] differs
// HALVES-NEXT: first: 'math.{{[a-z]+}}' op at {{.*}} on gpu:0: expected

// As placed means with the rules and the annotations, which the others do without.
// RUN: hetero-run %s --entry=sums --input=16x64xf32=random:1 --check=0 --rules='[{op: math.exp, device: "gpu:1"}]' | FileCheck %s --check-prefix=RULES
// RULES: as placed: same
// RULES-NEXT: all on gpu:0: same
// RULES-NEXT: all on gpu:1: same
// RULES-NEXT: 3 placements, 0 differ

// A placement that fails does not stop the others, which run after a reset.
// RUN: env HETERO_EMULATOR=fail=launch:1 not hetero-run %s --entry=sums --input=16x64xf32=random:1 --check=1 | FileCheck %s --check-prefix=FAILS
// FAILS: all on gpu:0: cu{{[A-Za-z]+}} failed on gpu:0{{(, stream [0-9]+)?}}: {{.*}}on gpu:0 fails (fail=launch:1)
// FAILS-NEXT: random placement 1: same
// FAILS-NEXT: 3 placements, 1 differ

// RUN: not hetero-run %s --entry=sums --input=16x64xf32=random:1 --check=many 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: expected --check to be a number, got 'many'
// RUN: not hetero-run %s --entry=sums --input=16x64xf32=random:1 --check --report 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --check runs many placements; leave out --output, --expected, --state, --time, --tune, --report, --report-nodes, --report-file, --write-profile, --trace and --view
// RUN: not hetero-run %s --entry=sums --input=16x64xf32=random:1 --check --rules='[{device: "npu:1"}]' 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: unknown device kind 'npu'
// INVALID-NOT: same

// State, control flow and unsigned numbers.
// RUN: hetero-run %s --entry=counts --input=4xui8=250 --input=i1=1 --check=2 | FileCheck %s --check-prefix=COUNTS
// COUNTS: 4 placements, 0 differ

func.func @sums(%x: tensor<16x64xf32>) -> (tensor<16xf32>, tensor<16x64xf32>) {
  %0 = arith.addf %x, %x : tensor<16x64xf32>
  %e = tensor.empty() : tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<16x64xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
  %2 = math.exp %1 {hetero.device = #hetero.device<cpu>} : tensor<16xf32>
  return %2, %0 : tensor<16xf32>, tensor<16x64xf32>
}

func.func @halves(%x: tensor<64xf16>, %y: tensor<64xf16>) -> tensor<64xf16> {
  %0 = arith.mulf %x, %y : tensor<64xf16>
  %1 = math.exp %0 : tensor<64xf16>
  %2 = arith.addf %1, %y : tensor<64xf16>
  %3 = arith.mulf %2, %2 : tensor<64xf16>
  %4 = math.sin %3 : tensor<64xf16>
  %5 = math.tanh %4 : tensor<64xf16>
  return %5 : tensor<64xf16>
}

ml_program.global private mutable @state(dense<1> : tensor<4xi8>) : tensor<4xi8>
func.func @counts(%x: tensor<4xui8>, %c: i1) -> tensor<4xui8> {
  %s = ml_program.global_load @state : tensor<4xi8>
  %0 = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %1 = scf.if %c -> tensor<4xi8> {
    %2 = arith.addi %0, %s : tensor<4xi8>
    scf.yield %2 : tensor<4xi8>
  } else {
    scf.yield %0 : tensor<4xi8>
  }
  ml_program.global_store @state = %1 : tensor<4xi8>
  %3 = tensor.bitcast %1 : tensor<4xi8> to tensor<4xui8>
  return %3 : tensor<4xui8>
}
