//===- CellLoads.h - What the cells of a body read --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_CELLLOADS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_CELLLOADS_H

#include "GroupLoads.h"

namespace mlir::hetero {

/// What the cells of the current innermost body take of the inputs. What
/// several of them share is loaded once.
class CellLoads {
public:
  /// By operand, row, vector and iteration of the inner loop.
  using Loaded =
      llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t, int64_t>, Value>;

  CellLoads(LoopNest &nest, VectorLoads &vectors, GroupLoads &groups)
      : nest(nest), vectors(vectors), groups(groups) {}

  /// Of another body nothing is loaded yet.
  void clear() { loaded.clear(); }
  Value get(OpOperand *input, const Cell &cell);
  /// The cell is known without a load.
  void set(OpOperand *input, const Cell &cell, Value value);
  /// Exchanges what is loaded for what is loaded for another step of a window.
  void swap(Loaded &other) { std::swap(loaded, other); }

private:
  void loadBlock(OpOperand *input, const Cell &cell);

  LoopNest &nest;
  VectorLoads &vectors;
  GroupLoads &groups;
  Loaded loaded;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_CELLLOADS_H
