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
class RewriterBase;
namespace linalg {
class PackOp;
class UnPackOp;
} // namespace linalg
namespace tensor {
class GatherOp;
class PadOp;
} // namespace tensor
} // namespace mlir

namespace mlir::hetero {

/// The name of the operation that the user wrote, on what replaces it and may
/// fail at run time.
inline constexpr llvm::StringLiteral kWrittenAsAttrName = "hetero.written_as";
/// Marks an access that is inside of its tensor by construction.
inline constexpr llvm::StringLiteral kInsideAttrName = "hetero.inside";

/// Turns every operation on tensors in `root` that has one into its
/// linalg.generic or destination-style form: named and aggregated operations,
/// pack, unpack, pad, concat, splat, generate, elementwise arith.
LogicalResult decomposeRegion(Operation *root);

/// Turns a pad into a fill, or an operation like it, and an insertion.
void decomposePad(RewriterBase &rewriter, tensor::PadOp op);

/// Turns a gather into a linalg.generic that reads one element per result.
void decomposeGather(RewriterBase &rewriter, tensor::GatherOp op);

/// Turn packs and unpacks, also of tiles whose sizes are not static, into a
/// linalg.generic that reads one element per result.
void packByIndex(RewriterBase &rewriter, linalg::PackOp op);
void unpackByIndex(RewriterBase &rewriter, linalg::UnPackOp op);

/// Turns the scatters in `root` into loops over what they insert.
void lowerScatters(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_DECOMPOSE_DECOMPOSE_H
