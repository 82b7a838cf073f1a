// RUN: hetero-opt-test-passes %s --test-hetero-decompose --test-hetero-fuse-elementwise --canonicalize | FileCheck %s

// A chain is one operation, of any shape and element type.
// CHECK-LABEL: func.func @chain
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @chain(%a: tensor<?x5xbf16>, %b: tensor<?x5xbf16>) -> tensor<?x5xbf16> {
  %0 = arith.addf %a, %b : tensor<?x5xbf16>
  %1 = arith.mulf %0, %a : tensor<?x5xbf16>
  return %1 : tensor<?x5xbf16>
}

// A value that somebody else reads is computed once.
// CHECK-LABEL: func.func @two_users
// CHECK:         math.exp
// CHECK-NOT:     math.exp
// CHECK:         arith.addf
// CHECK:         return
func.func @two_users(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = math.exp %a : tensor<5xf32>
  %1 = arith.addf %0, %a : tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}

// An epilogue works in the buffer of the contraction; the contraction stays one.
// CHECK-LABEL: func.func @epilogue
// CHECK:         %[[PRODUCT:.*]] = linalg.generic {{.*}}"reduction"
// CHECK:         linalg.generic {{.*}} outs(%[[PRODUCT]] : tensor<7x9xf32>)
// CHECK:           arith.maximumf
func.func @epilogue(%a: tensor<7x8xf32>, %b: tensor<8x9xf32>, %c: tensor<7x9xf32>, %e: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant dense<0.0> : tensor<7x9xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<7x8xf32>, tensor<8x9xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
  %1 = arith.maximumf %0, %zero : tensor<7x9xf32>
  return %1 : tensor<7x9xf32>
}

// A costly function of an element that is read many times is not computed as
// often.
// CHECK-LABEL: func.func @broadcast
// CHECK:         math.exp
// CHECK:         linalg.yield
// CHECK:         linalg.generic
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @broadcast(%a: tensor<5xf32>, %b: tensor<9x5xf32>, %e: tensor<9x5xf32>) -> tensor<9x5xf32> {
  %0 = math.exp %a : tensor<5xf32>
  %1 = linalg.broadcast ins(%0 : tensor<5xf32>) outs(%e : tensor<9x5xf32>) dimensions = [0]
  %2 = linalg.add ins(%1, %b : tensor<9x5xf32>, tensor<9x5xf32>) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %2 : tensor<9x5xf32>
}

// Each value is read by the next two operations: all are one operation that
// computes each value once.
// CHECK-LABEL: func.func @recurrence
// CHECK:         linalg.generic
// CHECK-COUNT-5:   arith.addf
// CHECK-NEXT:      linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @recurrence(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = arith.addf %a, %a : tensor<5xf32>
  %1 = arith.addf %0, %a : tensor<5xf32>
  %2 = arith.addf %1, %0 : tensor<5xf32>
  %3 = arith.addf %2, %1 : tensor<5xf32>
  %4 = arith.addf %3, %2 : tensor<5xf32>
  return %4 : tensor<5xf32>
}

// Operands that become equal by fusion are one before their producer is fused.
// CHECK-LABEL: func.func @equal_operands
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @equal_operands(%a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = math.exp %a : tensor<5xf32>
  %1 = arith.mulf %0, %0 : tensor<5xf32>
  %2 = arith.mulf %1, %1 : tensor<5xf32>
  return %2 : tensor<5xf32>
}

#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1, d0)>

// An operation that reads two places of a costly result does not compute it
// twice.
// CHECK-LABEL: func.func @two_places
// CHECK:         math.exp
// CHECK-NOT:     math.exp
// CHECK:         arith.subf
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @two_places(%a: tensor<5x5xf32>, %e: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %0 = math.exp %a : tensor<5x5xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%row: f32, %column: f32, %out: f32):
    %2 = arith.subf %row, %column : f32
    linalg.yield %2 : f32
  } -> tensor<5x5xf32>
  return %1 : tensor<5x5xf32>
}

// A cheap result is computed at both places.
// CHECK-LABEL: func.func @two_cheap_places
// CHECK:         linalg.generic
// CHECK-COUNT-2:   arith.negf
// CHECK-NEXT:      arith.subf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @two_cheap_places(%a: tensor<5x5xf32>, %e: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %0 = arith.negf %a : tensor<5x5xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%row: f32, %column: f32, %out: f32):
    %2 = arith.subf %row, %column : f32
    linalg.yield %2 : f32
  } -> tensor<5x5xf32>
  return %1 : tensor<5x5xf32>
}
