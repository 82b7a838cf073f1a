//===- MarkedAnnotations.h - Annotations that rewrites drop -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites of others know nothing of `hetero.device`: what they replace an
// operation by has its location, and not its annotation. While they run, the
// location of each annotated operation says which one it is; afterwards what
// has that location, and no annotation has survived, gets it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_MARKEDANNOTATIONS_H
#define HETERO_TRANSFORMS_PLACEMENT_MARKEDANNOTATIONS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

class MarkedAnnotations {
public:
  /// Marks the locations of the annotated operations.
  explicit MarkedAnnotations(ModuleOp module);

  /// Annotates what has come in the place of annotated operations, warns of
  /// those in whose place there is nothing that can run there, in words that
  /// begin with who drops them, and takes the marks away.
  void restore(StringRef who);

  /// How many annotations have got to other operations, or nowhere.
  int64_t getNumCarried() const { return numCarried; }
  int64_t getNumDropped() const { return numDropped; }

private:
  struct Annotation {
    DeviceAttr device;
    /// Of the operation, which may be gone.
    OperationName name;
    Location loc;
    /// All that annotates it.
    SmallVector<NamedAttribute> attributes;
    /// Whether an operation with it is there, and those that have only its
    /// location.
    bool isKept = false;
    SmallVector<Operation *> successors = {};
  };

  void findSuccessors();
  bool carry(const Annotation &annotation, std::string &reason);
  void removeMarks();

  ModuleOp module;
  SmallVector<Annotation, 0> annotations;
  int64_t numCarried = 0, numDropped = 0;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_MARKEDANNOTATIONS_H
