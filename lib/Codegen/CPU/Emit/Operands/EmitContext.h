//===- EmitContext.h - What the parts of an emitter share -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_EMITCONTEXT_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_EMITCONTEXT_H

#include "CellLoads.h"
#include "Codegen/CPU/Emit/Loops/ReductionLoops.h"
#include "Results.h"

namespace mlir::hetero {

/// What the parts that emit one operation share, in the order in which they are
/// set up.
struct EmitContext {
  EmitContext(RewriterBase &rewriter, linalg::GenericOp op,
              const VectorPlan &plan)
      : nest(rewriter, op, plan) {}

  LoopNest nest;
  ImageBorder border{nest};
  Results results{nest};
  BlockedSums sums{nest};
  StepGroups groups{nest, sums};
  ReductionLoops reductions{nest, border, sums, groups};
  PreparedPanels prepared{nest, groups};
  PackedPanels packed{nest, groups};
  VectorLoads vectors{nest, border, prepared, packed};
  GroupLoads words{nest, groups, vectors};
  CellLoads loads{nest, vectors, words};
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_EMITCONTEXT_H
