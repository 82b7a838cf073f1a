// RUN: hetero-opt %s --hetero-target-pipeline="device=gpu pipeline=linalg-generalize-named-ops,cse" --split-input-file | FileCheck %s -enable-var-scope --check-prefixes=CHECK,KIND
// RUN: hetero-opt %s --hetero-target-pipeline="device=gpu:1 pipeline=builtin.module(linalg-generalize-named-ops)" --split-input-file | FileCheck %s -enable-var-scope --check-prefixes=CHECK,ORDINAL
// RUN: hetero-opt %s --hetero-target-pipeline="codegen=mine pipeline=func.func(linalg-generalize-named-ops)" --split-input-file | FileCheck %s -enable-var-scope --check-prefixes=CHECK,CODEGEN

// Only the regions of the named device are rewritten.
// CHECK-LABEL: func.func @one_device
// CHECK: hetero.execute "a" on #hetero.device<gpu:0> (%[[ARG:.+]] = %{{.+}} : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>)
// KIND: linalg.generic {{.*}} ins(%[[ARG]] : tensor<4xf32>)
// ORDINAL: linalg.exp
// CODEGEN: linalg.exp
// CHECK: hetero.yield
// CHECK: hetero.execute "b" on #hetero.device<gpu:1, codegen = "mine">
// KIND: linalg.generic
// ORDINAL: linalg.generic
// CODEGEN: linalg.generic
// CHECK: hetero.execute "c" on #hetero.device<cpu:0>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.exp
func.func @one_device(%x: tensor<4xf32, #hetero.device<gpu:0>>, %y: tensor<4xf32, #hetero.device<gpu:1>>, %z: tensor<4xf32>)
    -> (tensor<4xf32, #hetero.device<gpu:0>>, tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32>) {
  %0 = hetero.execute "a" on #hetero.device<gpu:0> (%a = %x : tensor<4xf32, #hetero.device<gpu:0>>) -> (tensor<4xf32, #hetero.device<gpu:0>>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  %1 = hetero.execute "b" on #hetero.device<gpu:1, codegen = "mine"> (%a = %y : tensor<4xf32, #hetero.device<gpu:1>>) -> (tensor<4xf32, #hetero.device<gpu:1>>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  %2 = hetero.execute "c" on #hetero.device<cpu:0> (%a = %z : tensor<4xf32>) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  return %0, %1, %2 : tensor<4xf32, #hetero.device<gpu:0>>, tensor<4xf32, #hetero.device<gpu:1>>, tensor<4xf32>
}

// -----

// A function that the body calls is seen as a declaration and stays as it is.
// CHECK-LABEL: func.func @helper
// CHECK-NEXT: return
func.func @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// CHECK-LABEL: func.func @calls
// CHECK: hetero.execute "d"
// CHECK-NEXT: func.call @helper
// CHECK-NOT: func.func
func.func @calls(%x: tensor<4xf32, #hetero.device<gpu:1>>) -> tensor<4xf32, #hetero.device<gpu:1>> {
  %0 = hetero.execute "d" on #hetero.device<gpu:1> (%a = %x : tensor<4xf32, #hetero.device<gpu:1>>) -> (tensor<4xf32, #hetero.device<gpu:1>>) {
    %r = func.call @helper(%a) : (tensor<4xf32>) -> tensor<4xf32>
    hetero.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32, #hetero.device<gpu:1>>
}
