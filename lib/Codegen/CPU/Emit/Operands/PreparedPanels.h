//===- PreparedPanels.h - Panels of constants -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_PREPAREDPANELS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_PREPAREDPANELS_H

#include "Codegen/CPU/Emit/Loops/StepGroups.h"
#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {

/// Panels that the compiler has made: those of all blocks of all tiles, one
/// after the other.
class PreparedPanels {
public:
  struct Panels {
    /// All of them.
    Value elements;
    ConstantPart part;
    /// What a tile takes.
    int64_t tileElements = 0;
    /// Where the current block begins, and its width.
    Value begin;
    int64_t width = 0;
  };

  PreparedPanels(LoopNest &nest, StepGroups &groups);

  bool contains(OpOperand *input) const;
  /// By operand.
  const llvm::MapVector<unsigned, Panels> &getAll() const { return inputs; }
  /// Goes to the current block of vectors.
  void enterBlock(const TileShape &shape);
  /// Where a cell's vector is in the panels.
  Value getPlace(OpOperand *input, const Cell &cell);
  Value load(OpOperand *input, const Cell &cell);
  /// Steps of the reduction of which all rows read the panels before the next.
  int64_t countStepsOfPart(const Panels &panels) const;

private:
  LoopNest &nest;
  StepGroups &groups;
  llvm::MapVector<unsigned, Panels> inputs;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_PREPAREDPANELS_H
