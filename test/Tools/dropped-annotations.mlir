// Passes of others that lose an annotation are named, with what is lost, also
// where nobody ran hetero-annotate.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --linalg-fuse-elementwise-ops --canonicalize --cse -o %t.mlir
// The same as part of a pipeline: passes that run passes lose nothing besides.
//
// RUN: hetero-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(linalg-fuse-elementwise-ops,canonicalize,cse))' -o /dev/null
// RUN: hetero-opt %s --split-input-file --verify-each=0 --linalg-fuse-elementwise-ops -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNCHECKED --allow-empty
// UNCHECKED-NOT: : warning:

#id = affine_map<(i) -> (i)>
!t = tensor<4xf32>
#gpu = #hetero.device<gpu:0>

// Fusion makes one operation of two, without the annotation.

func.func @fused(%x: !t, %e: !t) -> !t {
  // expected-warning@+1 {{pass 'linalg-fuse-elementwise-ops' drops this 'linalg.generic' op, annotated with gpu:0; run it on the regions after hetero-partition, or annotate after it}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : !t) outs(%e : !t) attrs = {hetero.device = #gpu} {
  ^bb0(%a: f32, %b: f32):
    %2 = math.exp %a : f32
    linalg.yield %2 : f32
  } -> !t
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : !t) outs(%e : !t) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> !t
  return %1 : !t
}

// -----

// What nobody reads goes; equal operations on one device become one, which
// loses an operation and no annotation that somebody would miss; different
// devices stay apart.

func.func @merged(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-warning@+1 {{pass 'linalg-fuse-elementwise-ops' drops this 'math.sin' op, annotated with gpu:1}}
  %0 = math.sin %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  // expected-warning@+1 {{pass 'cse' drops this 'math.exp' op, annotated with gpu:0}}
  %2 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
  %3 = math.exp %x {hetero.device = #hetero.device<gpu:1>} : tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What moves keeps its annotation, and passes of the project carry it on.

func.func @moved(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.for %i = %c0 to %n step %n iter_args(%a = %x) -> tensor<4xf32> {
    %1 = math.exp %x {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
    %2 = arith.addf %a, %1 : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
