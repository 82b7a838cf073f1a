// RUN: hetero-opt %s --hetero-annotate=rules=%S/Inputs/conditions.yaml --split-input-file 2>&1 | FileCheck %s -enable-var-scope
// RUN: not hetero-opt %s --hetero-annotate='rules=[{op: linalg.exp, device: gpo:0}]' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not hetero-opt %s --hetero-annotate='rules={devices: [cpu, npu]}' 2>&1 | FileCheck %s --check-prefix=LISTED-KIND
// RUN: not hetero-opt %s --hetero-annotate='rules={default: "npu:0"}' 2>&1 | FileCheck %s --check-prefix=DEFAULT-KIND

// A kind that nothing generates code for is a slip, wherever it stands.

// KIND: <rules>:1:27: error: unknown device kind 'gpo'; the kinds are cpu, gpu, and those of the module's hetero.topology
// LISTED-KIND: <rules>:1:17: error: unknown device kind 'npu'
// DEFAULT-KIND: <rules>:1:11: error: unknown device kind 'npu'

// A rule that matches nothing and a rule after others that match all of it
// are warnings where they stand. An operation that is annotated already counts
// as a match.

// CHECK: conditions.yaml:3:5: warning: rule 2 places no operation: earlier rules and annotations place all that it matches; move it up or remove it
// CHECK: conditions.yaml:10:5: warning: rule 9 matches no operation

// RUN: hetero-opt %s --hetero-annotate='rules={[{op: linalg.ceil, nth: 0, device: cpu}, {op: linalg.ceil, nth: 1, device: cpu}]}' 2>&1 | FileCheck %s --check-prefix=NTH
// NTH-NOT: rule 1
// NTH: <rules>:1:42: warning: rule 2 matches no operation: its other conditions hold for 1, and nth counts from 0

// A name is found in named locations, in what was fused, and in both ends of a
// call that was inlined, and must match as a whole.

// CHECK-LABEL: @locations
func.func @locations(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.exp {{.*}}hetero.origin = "rule 1"
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("net/exp")
  // CHECK: linalg.exp {{.*}}hetero.origin = "rule 1"
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc(fused["x.mlir":1:2, "net/exp"])
  // CHECK: linalg.exp {{.*}}hetero.origin = "rule 1"
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc(callsite("callee" at "net/exp"))
  // CHECK: linalg.exp {{.*}}hetero.origin = "rule 1"
  %3 = linalg.exp ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc(callsite("net/exp" at "x.mlir":1:2))
  // CHECK: linalg.exp {{.*}}hetero.origin = "rule 1"
  %4 = linalg.exp ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("outer"("net/ep"("x.mlir":1:2)))
  // CHECK: linalg.exp ins
  %5 = linalg.exp ins(%4 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("net/exp2")
  // CHECK: linalg.exp ins
  %6 = linalg.exp ins(%5 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> loc("my/net/exp")
  // CHECK: linalg.exp ins
  %7 = linalg.exp ins(%6 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// `nth` counts what meets the other conditions, over all functions, whether or
// not an earlier rule placed it; alternatives in braces.

// CHECK-LABEL: @nth
func.func @nth(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.abs ins
  %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.ceil {{.*}}hetero.origin = "rule 3"
  %1 = linalg.ceil ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.abs ins
  %2 = linalg.abs ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Functions by pattern, also around control flow.

// CHECK-LABEL: @decode_0
func.func @decode_0(%p: i1, %a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: scf.if
  %0 = scf.if %p -> tensor<4xf32> {
    // CHECK: linalg.abs {{.*}}hetero.origin = "rule 4"
    %1 = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    // CHECK: linalg.floor {{.*}}hetero.origin = "rule 5"
    %1 = linalg.floor ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  // CHECK: linalg.negf {{.*}}hetero.origin = "rule 5"
  %2 = linalg.negf ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Types of results decide; costs are the least that an operation must have.

// CHECK-LABEL: @costs
func.func @costs(%a: tensor<4xf32>, %b: tensor<4x8xbf16>, %c: tensor<8x4xbf16>, %e: tensor<4xf32>, %i: tensor<4x4xbf16>, %n: tensor<8xf32>) -> (tensor<4x4xbf16>, tensor<8xf32>, tensor<4xf32>) {
  // CHECK: linalg.matmul {{.*}}#hetero.device<gpu, unit = "m", codegen = "mlir">, hetero.origin = "rule 6"
  %0 = linalg.matmul ins(%b, %c : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%i : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  // CHECK: linalg.square {{.*}}hetero.origin = "rule 7"
  %1 = linalg.square ins(%n : tensor<8xf32>) outs(%n : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.square ins
  %2 = linalg.square ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.sqrt {hetero.device = #hetero.device<cpu>}
  %3 = linalg.sqrt {hetero.device = #hetero.device<cpu>} ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.sqrt {{.*}}hetero.origin = "rule 8"
  %4 = linalg.sqrt ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %4 : tensor<4x4xbf16>, tensor<8xf32>, tensor<4xf32>
}
