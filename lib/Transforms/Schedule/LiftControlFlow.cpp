//===- LiftControlFlow.cpp - Structures blocks ----------------------------===//
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
// and switches become scf.index_switch. Other blocks stay.
//
//===----------------------------------------------------------------------===//

#include "LiftControlFlow.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::hetero;

/// True for what deallocation does not follow: a loop of blocks, or a branch
/// with several targets that is no cf.cond_br.
static bool needsStructure(Region &region) {
  if (region.empty() || region.hasOneBlock())
    return false;
  for (Block &block : region) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() > 1 &&
        !isa<cf::CondBranchOp>(terminator))
      return true;
  }
  for (auto component = llvm::scc_begin(&region); !component.isAtEnd();
       ++component)
    if (component.hasCycle())
      return true;
  return false;
}

LogicalResult mlir::hetero::liftControlFlow(ModuleOp module) {
  SmallVector<Region *> regions;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Other dialects' functions have neither tensors nor buffers of ours.
    if (isa<FunctionOpInterface>(op) && !isa<func::FuncOp>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      if (needsStructure(region))
        regions.push_back(&region);
    return WalkResult::advance();
  });
  // Inner ones first.
  std::reverse(regions.begin(), regions.end());
  for (Region *region : regions) {
    ControlFlowToSCFTransformation transformation;
    DominanceInfo dominance(region->getParentOp());
    if (failed(transformCFGToSCF(*region, transformation, dominance)))
      return region->getParentOp()->emitOpError(
          "has branches that cannot be structured; write them with the scf "
          "dialect");
  }
  return success();
}
