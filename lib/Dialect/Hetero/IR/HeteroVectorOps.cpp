//===- HeteroVectorOps.cpp - Operations on vectors ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::hetero;

LogicalResult DotOp::verify() {
  VectorType narrow = getLhs().getType(), wide = getSums().getType();
  bool isFloat = narrow.getElementType().isBF16();
  int64_t group = isFloat ? 2 : 4;
  if (isFloat != wide.getElementType().isF32() ||
      narrow.getNumElements() != group * wide.getNumElements()) // C1
    return emitOpError("expected groups of two bf16 for each lane of f32, or "
                       "of four i8 for each of i32, got ")
           << narrow << " into " << wide;
  return success();
}

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.cpp.inc"
