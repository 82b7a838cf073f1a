//===- InferUnits.cpp - Units of operations that say none -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation that cost puts between two of one unit would be on a stream of
// its own and wait twice. It joins the unit instead.
//
//===----------------------------------------------------------------------===//

#include "InferUnits.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"

#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Infers the units of one list of decisions.
class UnitInference {
public:
  explicit UnitInference(MutableArrayRef<PlacementDecision> decisions)
      : decisions(decisions) {
    for (PlacementDecision &decision : decisions)
      if (isPlaceable(decision.op))
        byOp[decision.op] = &decision;
  }
  void run();

private:
  template <typename Range>
  void meetWith(PlacementDecision &decision, Range &&neighbours);

  MutableArrayRef<PlacementDecision> decisions;
  llvm::DenseMap<Operation *, PlacementDecision *> byOp;
};
} // namespace

/// Takes what neighbours on the same device agree on.
template <typename Range>
void UnitInference::meetWith(PlacementDecision &decision, Range &&neighbours) {
  DeviceAttr inferred;
  for (Operation *op : neighbours) {
    PlacementDecision *neighbour = byOp.lookup(op);
    if (!neighbour || neighbour->device.getUnit().empty() ||
        !neighbour->device.isSameDevice(decision.device))
      continue;
    DeviceAttr device = neighbour->device.with(neighbour->device.getUnit(), "");
    inferred = inferred ? inferred.meet(device) : device;
    if (!inferred)
      return;
  }
  if (inferred)
    decision.device = withDefaults(decision.device, inferred);
}

void UnitInference::run() {
  auto isOpen = [&](PlacementDecision &decision) {
    return decision.device.getUnit().empty() &&
           decision.reason != PlacementReason::Kept && byOp.count(decision.op);
  };
  for (PlacementDecision &decision : decisions)
    if (isOpen(decision))
      meetWith(decision,
               llvm::map_range(decision.op->getOperands(), [](Value value) {
                 return value.getDefiningOp();
               }));
  for (PlacementDecision &decision : llvm::reverse(decisions))
    if (isOpen(decision))
      meetWith(decision, decision.op->getUsers());
}

void mlir::hetero::inferUnits(MutableArrayRef<PlacementDecision> decisions) {
  bool hasUnits = llvm::any_of(decisions, [](PlacementDecision &decision) {
    return !decision.device.getUnit().empty();
  });
  if (hasUnits)
    UnitInference(decisions).run();
}
