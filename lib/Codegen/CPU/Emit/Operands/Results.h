//===- Results.h - Where results begin and end ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_RESULTS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_RESULTS_H

#include "Codegen/CPU/Emit/Loops/LoopNest.h"
#include "VectorLoads.h"

namespace mlir::hetero {

/// What the results of an operation start from, and what they are written to.
class Results {
public:
  /// A sum that starts from a filled tensor starts from the value, and needs no
  /// pass over memory before.
  explicit Results(LoopNest &nest);

  /// For each result the tensor that it is written to.
  const Values &getDestinations() const { return destinations; }
  /// The only result is written to another tensor.
  void setDestination(Value tensor) { destinations = {tensor}; }

  /// What a sum starts from.
  Value loadStart(unsigned result, Value tensor, const Cell &cell,
                  VectorLoads &loads);
  /// What the first steps have started is in memory from here on.
  void startFromMemory();

  /// The tensor with the value of a cell.
  Value store(OpOperand *init, Value value, Value tensor, const Cell &cell);

private:
  LoopNest &nest;
  /// `starts`: for each result what all of its elements are before; null where
  /// that must be loaded.
  Values destinations, starts;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_RESULTS_H
