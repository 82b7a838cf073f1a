//===- UnifiedCopies.cpp - Copies within one memory -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy between devices that address the same memory is another name of the
// buffer, unless one side overwrites what the other still reads: the analysis
// of read-after-write conflicts says so.
//
//===----------------------------------------------------------------------===//

#include "UnifiedCopies.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if both ends of a copy address the same memory: a unified link joins
/// them, or there is none and all on the path are unified.
static bool shareMemory(const Topology &topology, DeviceIndex from,
                        DeviceIndex to) {
  for (DeviceIndex stop : topology.getStops(from, to)) {
    if (!topology.isUnified(from, stop))
      return false;
    from = stop;
  }
  return topology.isUnified(from, to);
}

/// A constant is repeated where it would be shared: no device writes to it.
static bool repeatConstant(CopyOp copy) {
  auto constant = copy.getSource().getDefiningOp<arith::ConstantOp>();
  auto type = cast<ShapedType>(copy.getType());
  Attribute value =
      constant ? retypeElements(constant.getValue(), type) : Attribute();
  if (!value)
    return false;
  OpBuilder builder(copy);
  copy.replaceAllUsesWith(
      arith::ConstantOp::create(builder, copy.getLoc(), cast<TypedAttr>(value))
          .getResult());
  copy.erase();
  return true;
}

static SmallVector<CopyOp> collectCopies(ModuleOp module) {
  SmallVector<CopyOp> copies;
  module.walk([&](CopyOp copy) { copies.push_back(copy); });
  return copies;
}

/// True if what is on one device, another may have under another name.
static bool shareMemory(const Topology &topology, DeviceAttr from,
                        DeviceAttr to) {
  auto source = topology.lookup(from), target = topology.lookup(to);
  return source && target && shareMemory(topology, *source, *target);
}

/// A copy that stands in the block before, to a device that shares memory with
/// that of this one: the value crosses once for both.
static CopyOp findNearbyCopy(CopyOp copy, const Topology &topology) {
  for (Operation *user : copy.getSource().getUsers()) {
    auto other = dyn_cast<CopyOp>(user);
    if (other && other != copy && other->getBlock() == copy->getBlock() &&
        other->isBeforeInBlock(copy) &&
        shareMemory(topology, other.getResultDevice(), copy.getResultDevice()))
      return other;
  }
  return {};
}

void mlir::hetero::markUnifiedCopies(ModuleOp module) {
  Topology topology = Topology::get(module);
  for (CopyOp copy : collectCopies(module)) {
    DeviceAttr to = copy.getResultDevice();
    bool isShared = copy->hasAttr(kUnifiedAttrName) ||
                    shareMemory(topology, copy.getSourceDevice(), to);
    if (CopyOp other = isShared ? CopyOp() : findNearbyCopy(copy, topology)) {
      copy.getSourceMutable().assign(other.getResult());
      isShared = true;
    }
    if (isShared && !repeatConstant(copy))
      copy->setAttr(kUnifiedAttrName, UnitAttr::get(module.getContext()));
  }
}

// What copies no longer alias leaves fewer conflicts, not more.
LogicalResult mlir::hetero::keepConflicts(
    ModuleOp module,
    const bufferization::OneShotBufferizationOptions &options) {
  SmallVector<CopyOp> unified = collectCopies(module);
  llvm::erase_if(unified,
                 [](CopyOp copy) { return !copy->hasAttr(kUnifiedAttrName); });
  for (size_t count = 0; !unified.empty() && count != unified.size();) {
    bufferization::OneShotAnalysisState state(module, options);
    if (failed(bufferization::analyzeModuleOp(module, state)))
      return failure();
    count = unified.size();
    llvm::erase_if(unified, [&](CopyOp copy) {
      if (state.isInPlace(copy->getOpOperand(0)))
        return false;
      copy->removeAttr(kUnifiedAttrName);
      return true;
    });
  }
  return success();
}
