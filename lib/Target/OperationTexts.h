//===- OperationTexts.h - Operations as short texts -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_OPERATIONTEXTS_H
#define HETERO_TARGET_OPERATIONTEXTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <unordered_map>

namespace mlir::hetero {

/// Operations that are the same but for the values that they are given: most
/// operations of a large program are like another one.
struct LikeOperations {
  struct Hash {
    size_t operator()(Operation *op) const;
  };

  bool operator()(Operation *first, Operation *second) const;
};

/// Prints operations, those that are alike once:
///
///   %0 = linalg.add ins(%1, %2 : tensor<4xf32>, ...) outs(%3 : ...)
///
/// without attributes of this project, elements of large constants, and the
/// bodies of control flow. Values are numbered within the text.
class OperationTexts {
public:
  explicit OperationTexts(MLIRContext *context);

  /// Valid as long as this is.
  StringRef get(Operation *op);

private:
  std::string print(Operation *op);

  /// What is printed stands here, and no names are looked for in the program.
  OwningOpRef<ModuleOp> scratch;
  std::unordered_map<Operation *, std::string, LikeOperations::Hash,
                     LikeOperations>
      texts;
};

} // namespace mlir::hetero

#endif // HETERO_TARGET_OPERATIONTEXTS_H
