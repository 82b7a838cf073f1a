// RUN: hetero-opt %s --hetero-optimize-copies --hetero-verify | FileCheck %s -enable-var-scope
// RUN: hetero-opt %s --hetero-optimize-copies -o %t.once
// RUN: hetero-opt %t.once --hetero-optimize-copies | diff %t.once -
// RUN: hetero-opt %s --hetero-optimize-copies --remarks-filter='hetero-optimize-copies' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#cpu = #hetero.device<cpu:0>
#gpu = #hetero.device<gpu:0>
#gpu1 = #hetero.device<gpu:1>
!host = tensor<1024x1024xf32>
!gpu = tensor<1024x1024xf32, #gpu>
!row = tensor<1x1024xf32>
!gpurow = tensor<1x1024xf32, #gpu>

// REMARK-DAG: remark: [Analysis] summary {{.*}}narrowed=12

// Acts: the slice crosses instead of the whole; what is read twice crosses once.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: (%[[X:.+]]: tensor<1024x1024xf32>)
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %[[X]][2, 0] [1, 1024] [1, 1] {hetero.device = #hetero.device<cpu:0>, hetero.origin = "narrowed"} : tensor<1024x1024xf32> to tensor<1x1024xf32>
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[S]] {hetero.value = "slice of %arg0 of @slice"} : tensor<1x1024xf32> -> tensor<1x1024xf32, #hetero.device<gpu:0>>
// CHECK-NEXT: return %[[C]], %[[C]]
// REMARK-DAG: remark: [Passed] narrowed {{.*}}copy of %arg0 of @slice from cpu:0 to gpu:0: narrowed to 1 slice(s) of 4096 instead of 4194304 bytes
func.func @slice(%x: !host) -> (!gpurow, !gpurow) {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
  %2 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
  return %1, %2 : !gpurow, !gpurow
}

// Acts: several slices together are smaller; ranks are reduced on the way, and
// the sizes of the whole are known without it.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: (%[[X:.+]]: tensor<?x1024xf32, #hetero.device<gpu:0>>, %[[I:.+]]: index)
// CHECK-DAG: tensor.dim {{.*}} %[[X]]
// CHECK-DAG: %[[A:.+]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 1024] [1, 1] {{.*}} to tensor<1024xf32, #hetero.device<gpu:0>>
// CHECK-DAG: hetero.copy %[[A]] {{.*}} : tensor<1024xf32, #hetero.device<gpu:0>> -> tensor<1024xf32>
// CHECK-DAG: %[[B:.+]] = tensor.extract_slice %[[X]][0, 0] [1, 512] [1, 2]
// CHECK-DAG: hetero.copy %[[B]] {{.*}} : tensor<1x512xf32, #hetero.device<gpu:0>> -> tensor<1x512xf32>
// CHECK-NOT: hetero.copy
func.func @slices(%x: tensor<?x1024xf32, #gpu>, %i: index) -> (tensor<1024xf32>, tensor<1x512xf32>, index) {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %0 = hetero.copy %x : tensor<?x1024xf32, #gpu> -> tensor<?x1024xf32>
  %d = tensor.dim {hetero.device = #cpu} %0, %c0 : tensor<?x1024xf32>
  %1 = tensor.extract_slice %0[%i, 0] [1, 1024] [1, 1] {hetero.device = #cpu} : tensor<?x1024xf32> to tensor<1024xf32>
  %2 = tensor.extract_slice %0[0, 0] [1, 512] [1, 2] {hetero.device = #cpu} : tensor<?x1024xf32> to tensor<1x512xf32>
  return %1, %2, %d : tensor<1024xf32>, tensor<1x512xf32>, index
}

// Acts: slices of another shape of the value.
// CHECK-LABEL: func.func @reshaped
// CHECK-NEXT: %[[F:.+]] = tensor.collapse_shape %{{.+}} {{\[\[}}0, 1]] {hetero.device = #hetero.device<cpu:0>, hetero.origin = "narrowed"} : tensor<1024x1024xf32> into tensor<1048576xf32>
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %[[F]][5] [100] [1]
// CHECK-NEXT: hetero.copy %[[S]]
// CHECK-NEXT: return
func.func @reshaped(%x: !host) -> tensor<100xf32, #gpu> {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.collapse_shape %0 [[0, 1]] {hetero.device = #gpu} : !gpu into tensor<1048576xf32, #gpu>
  %2 = tensor.extract_slice %1[5] [100] [1] {hetero.device = #gpu} : tensor<1048576xf32, #gpu> to tensor<100xf32, #gpu>
  return %2 : tensor<100xf32, #gpu>
}

// Acts: what comes back with a part changed is changed where it came from; then
// nobody needs the whole elsewhere, and the part that is read crosses.
// CHECK-LABEL: func.func @comes_back
// CHECK-SAME: (%[[X:.+]]: tensor<1024x1024xf32>, %[[E:.+]]: tensor<1x1024xf32, #hetero.device<gpu:0>>)
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %[[X]][2, 0]
// CHECK-NEXT: %[[IN:.+]] = hetero.copy %[[S]]
// CHECK-NEXT: %[[R:.+]] = linalg.negf {{.*}} ins(%[[IN]]
// CHECK-NEXT: %[[OUT:.+]] = hetero.copy %[[R]] {hetero.value = "slice of tensor.insert_slice at {{.*}}"} : tensor<1x1024xf32, #hetero.device<gpu:0>> -> tensor<1x1024xf32>
// CHECK-NEXT: %[[Y:.+]] = tensor.insert_slice %[[OUT]] into %[[X]][2, 0] [1, 1024] [1, 1] {hetero.device = #hetero.device<cpu:0>, hetero.origin = "narrowed"} : tensor<1x1024xf32> into tensor<1024x1024xf32>
// CHECK-NEXT: return %[[Y]]
func.func @comes_back(%x: !host, %e: !gpurow) -> !host {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
  %2 = linalg.negf {hetero.device = #gpu} ins(%1 : !gpurow) outs(%e : !gpurow) -> !gpurow
  %3 = tensor.insert_slice %2 into %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpurow into !gpu
  %4 = hetero.copy %3 : !gpu -> !host
  return %4 : !host
}

// Acts: a value that stays elsewhere too still comes back as two slices.
// CHECK-LABEL: func.func @comes_back_and_stays
// CHECK: hetero.copy %{{.+}} : tensor<1024x1024xf32> -> tensor<1024x1024xf32, #hetero.device<gpu:0>>
// CHECK-COUNT-2: hetero.copy %{{.+}} : tensor<1x1024xf32, #hetero.device<gpu:0>> -> tensor<1x1024xf32>
// CHECK-NOT: hetero.copy
func.func @comes_back_and_stays(%x: !host, %r: !gpurow, %s: !gpurow) -> (!host, !gpu) {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.insert_slice %r into %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpurow into !gpu
  %2 = tensor.insert_slice %s into %1[3, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpurow into !gpu
  %3 = hetero.copy %2 : !gpu -> !host
  return %3, %2 : !host, !gpu
}

// Acts: a chain of slices and copies ends as one copy of the last slice.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %{{.+}}[2, 0]
// CHECK-NEXT: %[[T:.+]] = tensor.extract_slice %[[S]][0, 8] [1, 16]
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[T]] {{.*}} : tensor<1x16xf32, #hetero.device<gpu:0>> -> tensor<1x16xf32, #hetero.device<gpu:1>>
// CHECK-NEXT: return %[[C]]
func.func @chain(%x: !gpu) -> tensor<1x16xf32, #gpu1> {
  %0 = hetero.copy %x : !gpu -> !host
  %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #cpu} : !host to !row
  %2 = hetero.copy %1 : !row -> tensor<1x1024xf32, #gpu1>
  %3 = tensor.extract_slice %2[0, 8] [1, 16] [1, 1] {hetero.device = #gpu1} : tensor<1x1024xf32, #gpu1> to tensor<1x16xf32, #gpu1>
  return %3 : tensor<1x16xf32, #gpu1>
}

// Must not act: something else needs the whole.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: hetero.copy %{{.+}} : tensor<1024x1024xf32>
// CHECK-NEXT: tensor.extract_slice
func.func @whole(%x: !host) -> (!gpurow, !gpu) {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
  return %1, %0 : !gpurow, !gpu
}

// Must not act: the latencies of several copies outweigh the bytes.
// CHECK-LABEL: func.func @small
// CHECK-NEXT: hetero.copy %{{.+}} : tensor<64xf32>
// CHECK-COUNT-2: tensor.extract_slice
// CHECK-NEXT: return
func.func @small(%x: tensor<64xf32>) -> (tensor<4xf32, #gpu>, tensor<4xf32, #gpu>) {
  %0 = hetero.copy %x : tensor<64xf32> -> tensor<64xf32, #gpu>
  %1 = tensor.extract_slice %0[0] [4] [1] {hetero.device = #gpu} : tensor<64xf32, #gpu> to tensor<4xf32, #gpu>
  %2 = tensor.extract_slice %0[8] [4] [1] {hetero.device = #gpu} : tensor<64xf32, #gpu> to tensor<4xf32, #gpu>
  return %1, %2 : tensor<4xf32, #gpu>, tensor<4xf32, #gpu>
}

// Already done: the slice is what crosses.
// CHECK-LABEL: func.func @done
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: hetero.copy
// CHECK-NEXT: return
func.func @done(%x: !host) -> !gpurow {
  %0 = tensor.extract_slice %x[2, 0] [1, 1024] [1, 1] {hetero.device = #cpu} : !host to !row
  %1 = hetero.copy %0 : !row -> !gpurow
  return %1 : !gpurow
}

// Conflict: a value comes back to another device than it came from.
// CHECK-LABEL: func.func @elsewhere
// CHECK: hetero.copy %{{.+}} : tensor<1024x1024xf32, #hetero.device<gpu:0>> -> tensor<1024x1024xf32, #hetero.device<gpu:1>>
func.func @elsewhere(%x: !host, %r: !gpurow) -> tensor<1024x1024xf32, #gpu1> {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.insert_slice %r into %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpurow into !gpu
  %2 = hetero.copy %1 : !gpu -> tensor<1024x1024xf32, #gpu1>
  return %2 : tensor<1024x1024xf32, #gpu1>
}

// Control flow: a loop of few iterations takes its slices one by one, where each
// is known.
// CHECK-LABEL: func.func @few
// CHECK-NOT: hetero.copy
// CHECK: scf.for %[[I:.+]] = %c0 to
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %{{.+}}[%[[I]], 0] [1, 1024] [1, 1]
// CHECK-NEXT: hetero.copy %[[S]]
func.func @few(%x: !host, %init: !gpurow) -> !gpurow {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %c4 = arith.constant {hetero.device = #cpu} 4 : index
  %0 = hetero.copy %x : !host -> !gpu
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %init) -> !gpurow {
    %1 = tensor.extract_slice %0[%i, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
    %2 = linalg.add {hetero.device = #gpu} ins(%a, %1 : !gpurow, !gpurow) outs(%a : !gpurow) -> !gpurow
    scf.yield %2 : !gpurow
  }
  return %r : !gpurow
}

// Control flow: a loop over all of it keeps the whole.
// CHECK-LABEL: func.func @many
// CHECK: hetero.copy
// CHECK: scf.for
// CHECK-NEXT: tensor.extract_slice
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @many(%x: !host, %init: !gpurow) -> !gpurow {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %c1024 = arith.constant {hetero.device = #cpu} 1024 : index
  %0 = hetero.copy %x : !host -> !gpu
  %r = scf.for %i = %c0 to %c1024 step %c1 iter_args(%a = %init) -> !gpurow {
    %1 = tensor.extract_slice %0[%i, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
    %2 = linalg.add {hetero.device = #gpu} ins(%a, %1 : !gpurow, !gpurow) outs(%a : !gpurow) -> !gpurow
    scf.yield %2 : !gpurow
  }
  return %r : !gpurow
}

// Control flow: a slice whose place is known after the copy only, but before
// the loop, crosses there.
// CHECK-LABEL: func.func @hoisted
// CHECK: %[[I:.+]] = arith.addi
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice %{{.+}}[%[[I]], 0]
// CHECK-NEXT: hetero.copy %[[S]]
// CHECK-NEXT: scf.for
// CHECK-NOT: hetero.copy
// CHECK: return
func.func @hoisted(%x: !host, %init: !gpurow, %n: index) -> !gpurow {
  %c0 = arith.constant {hetero.device = #cpu} 0 : index
  %c1 = arith.constant {hetero.device = #cpu} 1 : index
  %0 = hetero.copy %x : !host -> !gpu
  %j = arith.addi %n, %c1 {hetero.device = #cpu} : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> !gpurow {
    %1 = tensor.extract_slice %0[%j, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
    %2 = linalg.add {hetero.device = #gpu} ins(%a, %1 : !gpurow, !gpurow) outs(%a : !gpurow) -> !gpurow
    scf.yield %2 : !gpurow
  }
  return %r : !gpurow
}

// Call: a callee takes the slice that the caller has cut elsewhere.
// CHECK-LABEL: func.func @call
// CHECK-NEXT: %[[S:.+]] = tensor.extract_slice
// CHECK-NEXT: %[[C:.+]] = hetero.copy %[[S]]
// CHECK-NEXT: call @callee(%[[C]])
func.func private @callee(!gpurow {hetero.device = #gpu}) -> (!gpurow {hetero.device = #gpu})
func.func @call(%x: !host) -> (!gpurow {hetero.device = #gpu}) {
  %0 = hetero.copy %x : !host -> !gpu
  %1 = tensor.extract_slice %0[2, 0] [1, 1024] [1, 1] {hetero.device = #gpu} : !gpu to !gpurow
  %2 = call @callee(%1) : (!gpurow) -> !gpurow
  return %2 : !gpurow
}
