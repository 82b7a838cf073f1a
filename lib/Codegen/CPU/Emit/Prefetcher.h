//===- Prefetcher.h - Asks for panels before they are read ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_PREFETCHER_H
#define HETERO_CODEGEN_CPU_EMIT_PREFETCHER_H

#include "Codegen/CPU/Emit/Operands/EmitContext.h"

namespace mlir::hetero {

/// What a processor fetches at a time.
inline constexpr int64_t kLineBytes = 64;

/// A buffer whose addresses are asked for: only buffers have some.
Value createPrefetchedBuffer(LoopNest &nest, Value tensor);

/// Asks for a place in a buffer.
void createPrefetch(LoopNest &nest, Value buffer, ValueRange place);

/// Asks for the next panels that the compiler has made while the current ones
/// are read again and again, which processors do not do by themselves.
class Prefetcher {
public:
  /// An input, and how far ahead its panels are asked for.
  struct Ahead {
    unsigned input = 0;
    Value distance;
  };

  explicit Prefetcher(EmitContext &context);

  /// Before the steps of a block of rows: the vectors of the next panel that it
  /// asks for, each block for another.
  SmallVector<Ahead> plan(const TileShape &shape);
  /// In each step, a line of the same step of the next panel.
  void emit(ArrayRef<Ahead> all);

private:
  bool isFetchedAhead(const PreparedPanels::Panels &panels);
  OpFoldResult countBlocksBefore(OpOperand *input);

  EmitContext &context;
  LoopNest &nest;
  /// By operand.
  llvm::DenseMap<unsigned, Value> buffers;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_PREFETCHER_H
