//===- MarkNodes.cpp - Marks the work of operations of the source ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   hetero.host_region "f_cpu0_0"
//   scf.for ... { ... loc("Conv/a") ... loc("Relu/b") ... }
//     ->
//   hetero.host_region "f_cpu0_0"
//   hetero.node ["Conv/a", "Relu/b"]
//   scf.for ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_MARKNODESPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Locations of the operation and of what is in it. A constant may be one of
/// several that were equal.
static void collectLocations(Operation *root,
                             llvm::SetVector<Location> &locations) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      locations.insert(op->getLoc());
  });
}

static ArrayAttr getNames(MLIRContext *context,
                          const llvm::SetVector<Location> &locations) {
  llvm::SetVector<Attribute> names;
  for (Location loc : locations)
    forEachSource(loc, [&](StringRef name) {
      std::string line = name.str();
      llvm::replace(line, '\n', ' ');
      names.insert(StringAttr::get(context, line));
    });
  return ArrayAttr::get(context, names.getArrayRef());
}

/// True for what takes time in a host region.
static bool isHostWork(Operation *op) {
  return op->getNumRegions() != 0 || isa<InvokeOp, CallOpInterface>(op) ||
         hasEffect<MemoryEffects::Write>(op);
}

/// True for what a device runs and the runtime has a name for.
static bool isDeviceWork(Operation *op) {
  return isa<gpu::LaunchFuncOp, LibraryCallOp>(op);
}

namespace {
/// Marks the blocks of a module.
class NodeMarker {
public:
  explicit NodeMarker(MLIRContext *context) : builder(context) {}

  void mark(Operation *root);
  int64_t getCount() const { return count; }

private:
  void mark(Block &block);
  ArrayAttr getNames(Operation *op);
  void create(Operation *before, ArrayAttr names);

  OpBuilder builder;
  SymbolTableCollection symbols;
  int64_t count = 0;
};
} // namespace

/// Of a launch those of its kernel too.
ArrayAttr NodeMarker::getNames(Operation *op) {
  llvm::SetVector<Location> locations;
  collectLocations(op, locations);
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    if (auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
            launch, launch.getKernel()))
      collectLocations(kernel, locations);
  return ::getNames(op->getContext(), locations);
}

void NodeMarker::create(Operation *before, ArrayAttr names) {
  builder.setInsertionPoint(before);
  NodeOp::create(builder, before->getLoc(), names);
  ++count;
}

void NodeMarker::mark(Block &block) {
  // What the open region has begun with, so that its first mark is there.
  HostRegionOp region;
  ArrayAttr current;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto begin = dyn_cast<HostRegionOp>(op)) {
      region = begin;
      current = ArrayAttr();
    } else if (isa<EndHostRegionOp>(op)) {
      region = HostRegionOp();
    } else if (!region) {
      if (isDeviceWork(&op))
        if (ArrayAttr names = getNames(&op); !names.empty())
          create(&op, names);
      mark(&op);
    } else if (isHostWork(&op)) {
      ArrayAttr names = getNames(&op);
      if (names.empty() || names == current)
        continue;
      create(current ? &op : region->getNextNode(), names);
      current = names;
    }
  }
}

void NodeMarker::mark(Operation *root) {
  for (Region &region : root->getRegions())
    for (Block &block : region)
      mark(block);
}

namespace {
struct MarkNodesPass
    : public mlir::hetero::impl::MarkNodesPassBase<MarkNodesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Done already.
    if (module.walk([](NodeOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return;
    NodeMarker marker(module.getContext());
    marker.mark(module);
    remarkSummary(module, getArgument(), {{"marks", marker.getCount()}});
  }
};
} // namespace
