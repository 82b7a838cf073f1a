//===- LiftLoops.cpp - Turns loops of blocks into scf.while ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ^loop(%a: memref<4xf32>):
//     ...
//     cf.cond_br %more, ^loop(%b : memref<4xf32>), ^end
//   ^end:
//
// becomes
//
//   scf.while (%a = ...) : (memref<4xf32>) -> memref<4xf32> {
//     ...
//     scf.condition(%more) %b : memref<4xf32>
//   } do { ... }
//
// Regions without loops keep their blocks.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/LiftLoops.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::hetero;

static bool hasLoop(Region &region) {
  if (region.empty() || region.hasOneBlock())
    return false;
  for (auto component = llvm::scc_begin(&region); !component.isAtEnd();
       ++component)
    if (component.hasCycle())
      return true;
  return false;
}

LogicalResult mlir::hetero::liftLoops(ModuleOp module) {
  SmallVector<Region *> regions;
  module.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (hasLoop(region))
        regions.push_back(&region);
  });
  for (Region *region : regions) {
    ControlFlowToSCFTransformation transformation;
    DominanceInfo dominance(region->getParentOp());
    if (failed(transformCFGToSCF(*region, transformation, dominance)))
      return region->getParentOp()->emitOpError(
          "has a loop of blocks that cannot be structured; write it with "
          "scf.while");
  }
  return success();
}
