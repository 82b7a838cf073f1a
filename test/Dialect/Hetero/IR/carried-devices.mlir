// RUN: hetero-opt %s | FileCheck %s

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>

// Structured control flow says where each result is; scalars are on the host.
// CHECK-LABEL: func.func @structured
func.func @structured(%p: i1, %n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: scf.if
  // CHECK: {hetero.carried = [#hetero.device<gpu:0>, #hetero.device<cpu:0>]}
  %0:2 = scf.if %p -> (tensor<4xf32>, index) {
    scf.yield %x, %n : tensor<4xf32>, index
  } else {
    scf.yield %x, %n : tensor<4xf32>, index
  } {hetero.carried = [#gpu, #cpu]}
  // CHECK: scf.while
  // CHECK: attributes {hetero.carried = [#hetero.device<gpu:0>], hetero.carried_inits = [#hetero.device<cpu:0>, #hetero.device<gpu:0>]}
  %1 = scf.while (%i = %n, %it = %0#0) : (index, tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %it : tensor<4xf32>
  } do {
  ^bb0(%it: tensor<4xf32>):
    scf.yield %n, %it : index, tensor<4xf32>
  } attributes {hetero.carried = [#gpu], hetero.carried_inits = [#cpu, #gpu]}
  return %1 : tensor<4xf32>
}

// A function says where the arguments of its blocks are.
// CHECK-LABEL: func.func @blocks
// CHECK-SAME: hetero.block_arguments = {{\[\[}}#hetero.device<cpu:0>, #hetero.device<gpu:0>], []]
func.func @blocks(%p: i1, %n: index, %x: tensor<4xf32>) attributes {hetero.block_arguments = [[#cpu, #gpu], []]} {
  cf.br ^loop(%n, %x : index, tensor<4xf32>)
^loop(%i: index, %it: tensor<4xf32>):
  cf.cond_br %p, ^loop(%i, %it : index, tensor<4xf32>), ^end
^end:
  return
}
