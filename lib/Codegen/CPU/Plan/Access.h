//===- Access.h - How operands are read along a loop ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_ACCESS_H
#define HETERO_CODEGEN_CPU_PLAN_ACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// How an operand's address changes from one iteration of a loop to the next.
enum class AccessKind {
  /// Not at all.
  Invariant,
  /// By one element, so that a vector is one load.
  Contiguous,
  /// By a few elements, so that a vector is a longer load and a shuffle.
  Strided,
  /// In any other way: each lane is a load of its own.
  Scattered
};

/// True if elements lie in a vector as in memory, where each takes a power of
/// two of bytes: an i1 a byte, an i24 four.
bool isWholeInVectors(Type element);

/// How `operand` of `op` is accessed along `loop`.
AccessKind classifyAccess(linalg::GenericOp op, OpOperand *operand,
                          unsigned loop);

/// How many elements apart a strided operand's accesses are.
int64_t getAccessStride(linalg::GenericOp op, OpOperand *operand,
                        unsigned loop);

/// The reduction loops that the place of `operand` depends on.
SmallVector<unsigned> getReductionLoops(linalg::GenericOp op,
                                        OpOperand *operand);

/// True for inputs that the body reads element by element.
bool readsTensor(linalg::GenericOp op, OpOperand *input);

/// Bytes of all of a tensor; INT64_MAX if unknown.
int64_t getKnownBytes(Value tensor);

/// A parallel loop whose iterations share what some input loads, so that a tile
/// of several in registers saves loads: of vectors, or else of scalars.
std::optional<unsigned> findRowLoop(linalg::GenericOp op, unsigned vectorLoop,
                                    bool ofVectors);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_ACCESS_H
