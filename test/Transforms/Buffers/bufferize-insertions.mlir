// RUN: hetero-opt --hetero-pipeline=stop-after=bufferized %s | FileCheck %s

// What the host makes is inserted into a tensor of the device, copied back: made
// in its place, it would wait for the device in the middle of the host's region.

// CHECK-LABEL: func.func @parts
// CHECK: hetero.host_region "parts_cpu0_0"
// CHECK: %[[PART:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK-NOT: gpu
// CHECK: hetero.end_host_region
// CHECK: memref.copy %{{.*}} : memref<2x4xf32, strided<[4, 1]>> to memref<2x4xf32, #hetero.device<gpu:0>>
// CHECK: hetero.host_region "parts_cpu0_1"
// CHECK: memref.copy %[[PART]],
// CHECK: hetero.end_host_region
func.func @parts(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %part = tensor.empty() : tensor<4x4xf32>
  %first = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] {hetero.device = #hetero.device<cpu>} : tensor<4x4xf32> to tensor<2x4xf32>
  %a = linalg.add {hetero.device = #hetero.device<cpu>} ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%part : tensor<4x4xf32>) -> tensor<4x4xf32>
  %big = tensor.empty() : tensor<8x4xf32>
  %fill = linalg.fill {hetero.device = #hetero.device<gpu>} ins(%zero : f32) outs(%big : tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = tensor.insert_slice %first into %fill[4, 0] [2, 4] [1, 1] {hetero.device = #hetero.device<gpu>} : tensor<2x4xf32> into tensor<8x4xf32>
  %c = tensor.insert_slice %a into %b[0, 0] [4, 4] [1, 1] {hetero.device = #hetero.device<cpu>} : tensor<4x4xf32> into tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// Nothing but the memory of the whole is needed before: the part is made in its
// place, and what the device makes follows.

// CHECK-LABEL: func.func @in_place
// CHECK: hetero.host_region
// CHECK: %[[WHOLE:.*]] = memref.alloc() {{.*}} : memref<8x4xf32>
// CHECK-NEXT: memref.subview %[[WHOLE]]
// CHECK: return %[[WHOLE]]
func.func @in_place(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %part = tensor.empty() : tensor<4x4xf32>
  %sum = linalg.add {hetero.device = #hetero.device<cpu>} ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%part : tensor<4x4xf32>) -> tensor<4x4xf32>
  %other = tensor.empty() : tensor<4x4xf32>
  %product = linalg.mul {hetero.device = #hetero.device<gpu>} ins(%sum, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%other : tensor<4x4xf32>) -> tensor<4x4xf32>
  %whole = tensor.empty() : tensor<8x4xf32>
  %first = tensor.insert_slice %sum into %whole[0, 0] [4, 4] [1, 1] {hetero.device = #hetero.device<cpu>} : tensor<4x4xf32> into tensor<8x4xf32>
  %all = tensor.insert_slice %product into %first[4, 0] [4, 4] [1, 1] {hetero.device = #hetero.device<cpu>} : tensor<4x4xf32> into tensor<8x4xf32>
  return %all : tensor<8x4xf32>
}
