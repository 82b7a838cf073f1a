// RUN: hetero-opt %s --hetero-materialize-copies --hetero-verify | FileCheck %s -enable-var-scope --implicit-check-not=hetero.copy

#cpu = #hetero.device<cpu:0>
#gpu0 = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!t = tensor<4xf32>

module attributes {hetero.phase = #hetero.phase<placed>} {
// Each repetition reads the repetition of its operand on its own device, in
// whatever order their readers come: what is copied is the argument and results.
// CHECK-LABEL: func.func @chain(
// CHECK-DAG: hetero.copy %arg0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-DAG: hetero.copy %arg0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-DAG: %[[EXP:.+]] = math.exp {{.*}} : tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-DAG: math.sin %[[EXP]] {{.*}} : tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-DAG: math.cos %[[EXP]] {{.*}} : tensor<4xf32, #hetero.device<gpu:1>>
// CHECK-COUNT-3: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK: return
func.func @chain(%x: !t) -> (!t, !t, !t, !t) {
  %0 = math.exp %x {hetero.device = #cpu, hetero.repeated} : !t
  %1 = math.sin %0 {hetero.device = #gpu0, hetero.repeated} : !t
  %2 = math.cos %0 {hetero.device = #cpu, hetero.repeated} : !t
  %3 = math.absf %1 {hetero.device = #gpu0} : !t
  %4 = math.absf %1 {hetero.device = #gpu1} : !t
  %5 = math.absf %2 {hetero.device = #cpu} : !t
  %6 = math.absf %2 {hetero.device = #gpu1} : !t
  return %3, %4, %5, %6 : !t, !t, !t, !t
}

// What is needed elsewhere only is made there only, with what it reads.
// CHECK-LABEL: func.func @elsewhere(
// CHECK: hetero.copy %arg0 : tensor<4xf32> -> tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-COUNT-3: math{{.*}} : tensor<4xf32, #hetero.device<gpu:0>>
// CHECK-NOT: math
// CHECK: hetero.copy {{.*}} -> tensor<4xf32>
// CHECK-NEXT: return
func.func @elsewhere(%x: !t) -> !t {
  %0 = math.exp %x {hetero.device = #gpu1, hetero.repeated} : !t
  %1 = math.sin %0 {hetero.device = #gpu1, hetero.repeated} : !t
  %2 = math.absf %1 {hetero.device = #gpu0} : !t
  return %2 : !t
}
}
