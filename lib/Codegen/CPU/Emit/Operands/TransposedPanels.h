//===- TransposedPanels.h - Packs what is transposed ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDPANELS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDPANELS_H

#include "EmitContext.h"

namespace mlir::hetero {

class PanelPacker;

/// Fills panels of an input that is contiguous along the reduction and
/// scattered along the vectors.
class TransposedPanels {
public:
  TransposedPanels(EmitContext &context, PanelPacker &packer)
      : context(context), nest(context.nest), packer(packer) {}

  Value pack(OpOperand *input, Value panel, const TileShape &shape);

private:
  /// What is copied: the input, the reduction loop that it is contiguous along,
  /// and its vectors, `depth` groups of steps at a time.
  struct Source {
    OpOperand *input;
    unsigned loop;
    const TileShape &shape;
    int64_t depth = 1;
  };

  Value packByBlocks(const Source &from, Value panel);
  Value storeRest(const Source &from, Value panel);
  Value storeBlocks(const Source &from, Value panel, Value column);
  Value storeBlock(const Source &from, Value panel, OpFoldResult group,
                   Value column);
  SmallVector<Values> loadBlock(const Source &from, OpFoldResult group,
                                int64_t segment);
  Value loadWords(OpOperand *input, int64_t count);
  void enterGroup(unsigned loop, OpFoldResult group, int64_t offset);
  SmallVector<unsigned> getOtherLoops(const Source &from);

  EmitContext &context;
  LoopNest &nest;
  PanelPacker &packer;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDPANELS_H
