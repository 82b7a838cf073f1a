// RUN: hetero-opt %s | FileCheck %s --enable-var-scope
// RUN: hetero-opt %s --hetero-bufferize | FileCheck %s --check-prefix=BUFFERS --enable-var-scope

// A kernel's destinations are its last arguments, on tensors and on buffers.
// CHECK-LABEL: func.func private @kernel
// CHECK-LABEL: func.func @call
// CHECK: hetero.invoke @kernel ins(%{{.+}}, %{{.+}} : tensor<4xf32>, f32) outs(%{{.+}} : tensor<4xf32>) -> tensor<4xf32>
// BUFFERS-LABEL: func.func private @kernel(%{{.+}}: memref<4xf32>, %{{.+}}: f32, %{{.+}}: memref<4xf32>) attributes {hetero.kernel}
// BUFFERS-LABEL: func.func @call
// BUFFERS: hetero.invoke @kernel ins(%{{.+}}, %{{.+}} : memref<4xf32>, f32) outs(%{{.+}} : memref<4xf32>)
func.func private @kernel(%x: tensor<4xf32>, %s: f32, %y: tensor<4xf32>) -> tensor<4xf32> attributes {hetero.kernel} {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<4xf32>
  %t = arith.addf %e, %s : f32
  %0 = tensor.insert %t into %y[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @call(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %y = tensor.empty() : tensor<4xf32>
  %0 = hetero.invoke @kernel ins(%x, %s : tensor<4xf32>, f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Part of a larger tensor is copied, and back if it is a destination.
// BUFFERS-LABEL: func.func @parts
// BUFFERS: %[[PART:.+]] = memref.subview
// BUFFERS: memref.copy %[[PART]], %[[WHOLE:.+]] :
// BUFFERS: hetero.invoke @kernel ins(%[[WHOLE]], %{{.+}} : memref<4xf32>, f32)
func.func @parts(%x: tensor<8xf32>, %s: f32) -> tensor<4xf32> {
  %y = tensor.empty() : tensor<4xf32>
  %part = tensor.extract_slice %x[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %0 = hetero.invoke @kernel ins(%part, %s : tensor<4xf32>, f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A value whose type says more than the kernel's argument is passed as well:
// canonicalization folds casts into operations with destinations.
// CHECK-LABEL: func.func @known
// CHECK: hetero.invoke @dynamic ins(%{{.+}} : tensor<4xf32>) outs(%{{.+}} : tensor<4xf32>) -> tensor<4xf32>
// BUFFERS-LABEL: func.func @known(
// BUFFERS-DAG: %[[X:.+]] = memref.cast %{{.+}} : memref<4xf32> to memref<?xf32>
// BUFFERS-DAG: %[[Y:.+]] = memref.cast %{{.+}} : memref<4xf32> to memref<?xf32>
// BUFFERS: hetero.invoke @dynamic ins(%[[X]] : memref<?xf32>) outs(%[[Y]] : memref<?xf32>)
func.func private @dynamic(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {hetero.kernel} {
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tensor.empty() : tensor<4xf32>
  %0 = hetero.invoke @dynamic ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
