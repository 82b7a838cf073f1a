//===- MemoryRanges.h - The bytes that a buffer names -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ORDER_MEMORYRANGES_H
#define HETERO_TRANSFORMS_ORDER_MEMORYRANGES_H

#include "MemoryHistory.h"
#include "ModuleStreams.h"

namespace mlir::hetero {

/// Finds the bytes of the buffers of one function.
class MemoryLocator {
public:
  MemoryLocator(func::FuncOp function, const ModuleStreams &program)
      : function(function), program(program),
        isEntry(program.isEntry(function)) {}

  /// None for constants.
  std::optional<MemoryRange> locate(Value buffer);

private:
  struct Escapes {
    bool hasAliases = false, isPassed = false;
  };
  Escapes findEscapes(Value alloc);

  func::FuncOp function;
  const ModuleStreams &program;
  bool isEntry;
  /// By allocation.
  llvm::DenseMap<Value, Escapes> escapes;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_MEMORYRANGES_H
