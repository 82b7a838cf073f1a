//===- CPUCodegen.cpp - Code generation for the host ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a cpu region becomes, step by step: destination-style
// linalg.generic operations, fused ones, tiles of an scf.forall, and loops over
// vectors in each tile. What cannot be vectorized stays a linalg.generic, which
// the lowering turns into scalar loops. Regions of the host are vectorized when
// all of them have been tiled, so that equal kernels are one
// (MergeHostKernels.cpp).
//
//===----------------------------------------------------------------------===//

#include "CPUCodegen.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/CPU/Emit/VectorizeRegion.h"
#include "Codegen/CPU/Layout/FiltersToLanes.h"
#include "Codegen/CPU/Layout/MoveChannelsLast.h"
#include "Codegen/CPU/Layout/ResultOrder.h"
#include "Codegen/CPU/Prepare/CollapseLoops.h"
#include "Codegen/CPU/Prepare/CollapseWindows.h"
#include "Codegen/CPU/Prepare/ExpandElementwise.h"
#include "Codegen/CPU/Prepare/Pads.h"
#include "Codegen/CPU/Prepare/Softmax.h"
#include "Codegen/CPU/Prepare/SumStarts.h"
#include "Codegen/CPU/Prepare/TileParallel.h"
#include "Codegen/CPU/Prepare/WidenOnce.h"
#include "Codegen/CPU/Prepare/Winograd.h"
#include "hetero/Codegen/Common/FuseElementwise.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"

using namespace mlir;
using namespace mlir::hetero;

LogicalResult mlir::hetero::prepareCPURegion(Operation *root) {
  for (auto step :
       {decomposeSoftmax, decomposeRegion, widenSums, normalizeProducts,
        separateStarts, findPads, moveChannelsLast, expandElementwise,
        collapseLoops, applyWinograd, moveFiltersToLanes, collapseWindows,
        fuseElementwise, widenOnce, collapseTransposes, tileCPURegion,
        expandPads})
    if (failed(step(root)))
      return failure();
  return success();
}

LogicalResult mlir::hetero::generateCPURegion(ExecuteOp op) {
  if (failed(prepareCPURegion(op)))
    return reportNoHostCode(op);
  // The tensors of other devices get their memory in types, region by region.
  if (!op.getDevice().isHost())
    return vectorizePreparedRegion(op);
  op->setAttr(kPreparedAttrName, UnitAttr::get(op.getContext()));
  return success();
}
