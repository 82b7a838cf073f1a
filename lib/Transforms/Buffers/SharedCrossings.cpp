//===- SharedCrossings.cpp - Values that go to another node ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that several devices of another node need crosses the network once
// for all of them, also where they need it in different blocks:
//
//   %1 = hetero.copy %0 : gpu:0 -> gpu:0@1
//   scf.if %p {
//     %2 = hetero.copy %0 : gpu:0 -> cpu:0@1
//   }
//     ->
//   %h = hetero.copy %0 : gpu:0 -> cpu:0@1
//   %1 = hetero.copy %h : cpu:0@1 -> gpu:0@1
//   scf.if %p { /* %h */ }
//
// The crossings stand in the blocks where together they run the least often,
// as the copies to one device do.
//
//===----------------------------------------------------------------------===//

#include "SharedCrossings.h"

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The copies of one module.
class CrossingSharer {
public:
  CrossingSharer(ModuleOp module, const Topology &topology)
      : topology(topology), tree(module),
        plan(
            module, [this]() -> const BlockTree & { return tree; },
            CopySite::Auto) {}

  void share(Value source, ArrayRef<CopyOp> copies);
  int64_t getNumSaved() const { return numSaved; }

private:
  std::optional<DeviceIndex> findCrossing(CopyOp copy) const;
  void lead(Value source, DeviceIndex over, ArrayRef<CopyOp> copies);

  const Topology &topology;
  BlockTree tree;
  CopySitePlan plan;
  int64_t numSaved = 0;
};
} // namespace

/// The first device of another node on the way of a copy; none if it stays on
/// its node.
std::optional<DeviceIndex> CrossingSharer::findCrossing(CopyOp copy) const {
  std::optional<DeviceIndex> from = topology.lookup(copy.getSourceDevice());
  std::optional<DeviceIndex> to = topology.lookup(copy.getResultDevice());
  if (!from || !to)
    return std::nullopt;
  int64_t node = copy.getSourceDevice().getNode();
  for (DeviceIndex stop : topology.getStops(*from, *to))
    if (topology.getDevice(stop).getNode() != node)
      return stop;
  if (copy.getResultDevice().getNode() == node)
    return std::nullopt;
  return to;
}

/// Leads copies of `source` over a device of another node, where it is from
/// then on.
void CrossingSharer::lead(Value source, DeviceIndex over,
                          ArrayRef<CopyOp> copies) {
  SmallVector<Operation *> users(copies.begin(), copies.end());
  DeviceAttr device = topology.getDevice(over);
  SmallVector<CopySitePlan::Site> sites = plan.choose(source, device, users);
  if (sites.size() >= users.size())
    return;
  numSaved += users.size() - sites.size();
  for (const CopySitePlan::Site &site : sites) {
    OpBuilder builder(site.before);
    auto crossing =
        CopyOp::create(builder, site.users.front()->getLoc(),
                       withDevice(source.getType(), device), source);
    crossing->setDiscardableAttrs(
        site.users.front()->getDiscardableAttrDictionary());
    SmallVector<CopyOp> further;
    for (Operation *user : site.users) {
      auto copy = cast<CopyOp>(user);
      if (copy.getType() == crossing.getType()) {
        copy.replaceAllUsesWith(crossing.getResult());
        copy.erase();
        continue;
      }
      copy.getSourceMutable().assign(crossing);
      further.push_back(copy);
    }
    share(crossing, further);
  }
}

void CrossingSharer::share(Value source, ArrayRef<CopyOp> copies) {
  llvm::MapVector<DeviceIndex, SmallVector<CopyOp>> crossings;
  for (CopyOp copy : copies)
    if (std::optional<DeviceIndex> over = findCrossing(copy))
      crossings[*over].push_back(copy);
  for (auto &[over, together] : crossings)
    if (together.size() > 1)
      lead(source, over, together);
}

int64_t mlir::hetero::shareCrossings(ModuleOp module,
                                     const Topology &topology) {
  llvm::MapVector<Value, SmallVector<CopyOp>> copies;
  module.walk([&](CopyOp copy) { copies[copy.getSource()].push_back(copy); });
  CrossingSharer sharer(module, topology);
  for (auto &[source, together] : copies)
    sharer.share(source, together);
  return sharer.getNumSaved();
}
