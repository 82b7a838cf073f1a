//===- LaneEmitter.h - Emits sums along lanes -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LANEEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_LANEEMITTER_H

#include "BodyEmitter.h"
#include "SignCorrection.h"

namespace mlir::hetero {

/// Reduces along the vector loop: vectors of partial results for each row and
/// iteration of the inner loop, put together at the end.
class LaneEmitter {
public:
  explicit LaneEmitter(EmitContext &context)
      : context(context), nest(context.nest), body(context),
        correction(context) {}

  Values emit(Values tensors, const TileShape &tile);

private:
  Values createNeutral(const TileShape &tile);
  Values accumulate(Values accumulators, const TileShape &tile,
                    const TileShape &shape);
  Values emitScalarEnd(Values tensors, const TileShape &tile);
  Values emitScalarStep(Values sums, ArrayRef<Cell> cells);
  Value addVectors(unsigned result, ArrayRef<Value> vectors);
  Value addLanes(unsigned result, Value sum, Value old);
  Values reduce(Values accumulators, Values tensors, const TileShape &tile);

  EmitContext &context;
  LoopNest &nest;
  BodyEmitter body;
  SignCorrection correction;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LANEEMITTER_H
