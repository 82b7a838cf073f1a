// Windows matter for the time only. Chains and nests are placed window by
// window; graphs read much from far away, so that only their first windows are.

// DEFINE: %{shape} =
// DEFINE: %{window} =
// DEFINE: %{place} = hetero-opt /dev/null --test-hetero-generate="shape=%{shape} pins=half ops=12000 devices=cpu:0,gpu:0,gpu:1" --hetero-place --hetero-materialize-copies=window=%{window} --hetero-verify
// REDEFINE: %{shape} = chain
// REDEFINE: %{window} = 4294967295
// RUN: %{place} -o %t.whole
// REDEFINE: %{window} = 4096
// RUN: %{place} -o %t.windows
// RUN: diff %t.whole %t.windows
// RUN: grep -q hetero.copy %t.windows

// REDEFINE: %{shape} = nested
// REDEFINE: %{window} = 4294967295
// RUN: %{place} -o %t.whole
// REDEFINE: %{window} = 4096
// RUN: %{place} -o %t.windows
// RUN: diff %t.whole %t.windows
// RUN: grep -q hetero.copy %t.windows

// REDEFINE: %{shape} = dag
// REDEFINE: %{window} = 4294967295
// RUN: %{place} -o %t.whole
// REDEFINE: %{window} = 4096
// RUN: %{place} -o %t.windows
// RUN: diff %t.whole %t.windows
// RUN: grep -q hetero.copy %t.windows

// RUN: hetero-opt %s --hetero-materialize-copies=window=1 --hetero-verify | FileCheck %s
// RUN: hetero-opt %S/materialize-copies.mlir --hetero-materialize-copies -o %t.all
// RUN: hetero-opt %S/materialize-copies.mlir --hetero-materialize-copies=window=1 | diff %t.all -
// RUN: hetero-opt %S/materialize-copies-control-flow.mlir --hetero-materialize-copies -o %t.all
// RUN: hetero-opt %S/materialize-copies-control-flow.mlir --hetero-materialize-copies=window=1 | diff %t.all -
// RUN: hetero-opt %S/materialize-copies-sites.mlir --hetero-materialize-copies -o %t.all
// RUN: hetero-opt %S/materialize-copies-sites.mlir --hetero-materialize-copies=window=1 | diff %t.all -

// A block may stand before the one that makes what it reads.
// CHECK-LABEL: func.func @blocks_in_any_order
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[COPY:.*]] = hetero.copy %[[X]]
// CHECK: ^[[LAST:bb[0-9]+]]:
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[HOST:.*]], %[[HOST]] {{{.*}}cpu:0
// CHECK-NEXT: return %[[SUM]]
// CHECK: %[[DOUBLE:.*]] = arith.addf %[[COPY]], %[[COPY]] {{{.*}}gpu:0
// CHECK-NEXT: %[[HOST]] = hetero.copy %[[DOUBLE]]
// CHECK-NEXT: cf.br ^[[LAST]]
func.func @blocks_in_any_order(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^first
^last:
  %sum = arith.addf %double, %double {hetero.device = #hetero.device<cpu:0>} : tensor<4xf32>
  return %sum : tensor<4xf32>
^first:
  %double = arith.addf %x, %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  cf.br ^last
}
