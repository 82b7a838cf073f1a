//===- VectorLoads.h - Loads of vectors -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_VECTORLOADS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_VECTORLOADS_H

#include "Codegen/CPU/Emit/Loops/ImageBorder.h"
#include "PackedPanels.h"
#include "PreparedPanels.h"

namespace mlir::hetero {

/// Loads what a cell takes of an operand, from where it is.
class VectorLoads {
public:
  VectorLoads(LoopNest &nest, ImageBorder &border, PreparedPanels &prepared,
              PackedPanels &packed)
      : nest(nest), border(border), prepared(prepared), packed(packed) {}

  /// A scalar where all lanes are the same.
  Value load(OpOperand *operand, Value source, const Cell &cell);
  /// The same from the tensor that an input is read from.
  Value load(OpOperand *input, const Cell &cell);
  /// From panels; null if the input has none.
  Value loadFromPanel(OpOperand *input, const Cell &cell);
  bool hasPanel(OpOperand *input) const;

private:
  Values getIndices(OpOperand *operand, const Cell &cell);
  Value loadLanes(OpOperand *operand, Value source, const Cell &cell);
  Value loadStrided(OpOperand *operand, Value source, const Cell &cell);

  LoopNest &nest;
  ImageBorder &border;
  PreparedPanels &prepared;
  PackedPanels &packed;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_VECTORLOADS_H
