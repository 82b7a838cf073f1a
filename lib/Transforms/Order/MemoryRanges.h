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
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include <map>

namespace mlir::hetero {

/// Finds the bytes of the buffers of one function.
class MemoryLocator {
public:
  MemoryLocator(func::FuncOp function, const ModuleStreams &program)
      : function(function), program(program),
        isEntry(program.isEntry(function)) {}

  /// None for constants.
  std::optional<MemoryRange> locate(Value buffer);
  /// False if the places are never the same memory: control flow does not lead
  /// from one to the other, nor from a third one to both.
  bool mayBeSame(const void *place, const void *other);

private:
  /// Memory that a place may be; unknown if it may be more.
  struct Origins {
    SmallVector<MemoryRange, 2> ranges;
    bool isKnown = true;
  };
  const Origins &findOrigins(const void *place);
  struct Escapes {
    bool hasAliases = false, isPassed = false;
  };
  Escapes findEscapes(Value alloc);

  func::FuncOp function;
  const ModuleStreams &program;
  bool isEntry;
  /// By allocation.
  llvm::DenseMap<Value, Escapes> escapes;
  std::optional<BufferViewFlowAnalysis> flow;
  std::map<const void *, Origins> origins;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_MEMORYRANGES_H
