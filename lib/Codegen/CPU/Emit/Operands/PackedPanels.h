//===- PackedPanels.h - Panels that are copied ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_PACKEDPANELS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_PACKEDPANELS_H

#include "Codegen/CPU/Emit/Loops/StepGroups.h"

namespace mlir::hetero {

/// Packed inputs of the current block of vectors: for each step of the
/// reduction the vectors of the block, one after the other,
///
///   for k: panel[k, 0 : vectors * lanes] = B[k, n : n + vectors * lanes]
///
/// All rows of the result then read them from the nearest caches, from one page
/// after the other, and without gaps or masks: what is past the end is zero.
class PackedPanels {
public:
  PackedPanels(LoopNest &nest, StepGroups &groups)
      : nest(nest), groups(groups) {}

  /// Of another block there are none yet.
  void clear() { panels.clear(); }
  /// The panel of an input; null if it has none.
  Value lookup(OpOperand *input) const;
  void set(OpOperand *input, Value panel);

  Value createEmpty(OpOperand *input, const TileShape &shape);
  /// Where a cell's vector is in the panel.
  Values getIndices(OpOperand *input, const Cell &cell);
  Value load(OpOperand *input, const Cell &cell);

private:
  LoopNest &nest;
  StepGroups &groups;
  /// By operand.
  llvm::DenseMap<unsigned, Value> panels;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_PACKEDPANELS_H
