//===- Decompose.h - Destination-style form of a region ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first step of code generation for every kind of device. The body stays on
// tensors.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_DECOMPOSE_H
#define HETERO_CODEGEN_DECOMPOSE_DECOMPOSE_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Turns every operation on tensors in `root` that has one into its
/// linalg.generic or destination-style form: named and aggregated operations,
/// pack, unpack, pad, concat, splat, generate, elementwise arith.
LogicalResult decomposeRegion(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_DECOMPOSE_DECOMPOSE_H
