//===- JoinedOperations.h - Operations that take over others ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simplification lets one operation do what two have done. No annotation may
// be lost by that: place holds their number against what annotate has counted.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_JOINEDOPERATIONS_H
#define HETERO_TRANSFORMS_SIMPLIFY_JOINEDOPERATIONS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {

/// True if an operation on `device` (null: on any) may do what `op` does: it
/// has no annotation, or the same one.
bool mayJoin(Operation *op, DeviceAttr device);

/// Gives `to` what annotates `from`.
void copyAnnotations(Operation *from, Operation *to);

/// Erases those that have no users any more, and what only they have read. Some
/// may be null: arguments of blocks have no producer.
void eraseUnusedProducers(RewriterBase &rewriter, ArrayRef<Operation *> ops);

/// Counts the annotated operations of a module before a simplification.
class PinCount {
public:
  explicit PinCount(ModuleOp module);
  /// Takes those that have joined others off the number that annotate wrote.
  void update();

private:
  ModuleOp module;
  int64_t before = 0;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_JOINEDOPERATIONS_H
