// One rule places every operation of a name, in all functions and in control
// flow; the model says nothing.
//
// RUN: hetero-opt %s --hetero-annotate='rules={rules: [{op: linalg.matmul, device: gpu:0}], default: cpu}' --hetero-place | FileCheck %s
// RUN: hetero-run %s --rules='{rules: [{op: linalg.matmul, device: "gpu:0"}], default: cpu}' --input=4x4xf32=1 --input=index=2 --expected=4x4xf32=65 --report | FileCheck %s --check-prefix=RAN

// CHECK-COUNT-2: linalg.matmul {hetero.device = #hetero.device<gpu:0>, hetero.origin = "rule 1"}
// CHECK-NOT: linalg.matmul
// CHECK-NOT: linalg.add {hetero.device = #hetero.device<gpu:0>

// Two in the loop and one before it.
// RAN-DAG: kernel {{.*}}main{{.*}}matmul {{ *}}1
// RAN-DAG: kernel {{.*}}layer{{.*}}matmul {{ *}}2

!m = tensor<4x4xf32>
func.func @main(%x: !m, %n: index) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !m
  %0 = linalg.matmul ins(%x, %x : !m, !m) outs(%zero : !m) -> !m
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> !m {
    %3 = func.call @layer(%a, %x) : (!m, !m) -> !m
    scf.yield %3 : !m
  }
  %2 = linalg.add ins(%1, %x : !m, !m) outs(%x : !m) -> !m
  return %2 : !m
}
func.func private @layer(%a: !m, %x: !m) -> !m {
  %zero = arith.constant dense<0.0> : !m
  %0 = linalg.matmul ins(%a, %a : !m, !m) outs(%zero : !m) -> !m
  %e = tensor.empty() : !m
  %1 = linalg.sqrt ins(%0 : !m) outs(%e : !m) -> !m
  %2 = linalg.add ins(%1, %1 : !m, !m) outs(%e : !m) -> !m
  return %2 : !m
}
