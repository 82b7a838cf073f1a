//===- PlacementVariants.cpp - The same program placed otherwise ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/PlacementVariants.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/MapVector.h"

#include <random>

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

static void eraseSchedules(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa_and_present<transform::TransformDialect>(op.getDialect()))
      op.erase();
}

void mlir::hetero::forgetPlacement(ModuleOp module) {
  eraseSchedules(module);
  module.walk([](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      copy.replaceAllUsesWith(copy.getSource());
      return copy.erase();
    }
    for (StringRef name : kAnnotationNames)
      op->removeAttr(name);
    removeCarriedDevices(op);
  });
  module->removeAttr(kPinsAttrName);
  module->removeAttr(kDefaultAttrName);
  module->removeAttr(kPhaseAttrName);
}

void mlir::hetero::placeRandomly(ModuleOp module, const Topology &topology,
                                 ArrayRef<DeviceIndex> devices, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto origin = StringAttr::get(module.getContext(), "rule of the check");
  llvm::DenseMap<Attribute, DeviceAttr> states;
  walkPlacedOperations(module, [&](Operation *op) {
    if (!isPlaceable(op) || hetero::isReplicable(op))
      return;
    SmallVector<DeviceIndex> capable;
    std::string reason;
    for (DeviceIndex device : devices)
      if (succeeded(canRunOn(op, topology, device, reason)))
        capable.push_back(device);
    if (capable.empty())
      return;
    DeviceAttr chosen = topology.getDevice(capable[random() % capable.size()]);
    // All that use one state run where it is.
    if (SymbolRefAttr state = getStateName(op))
      chosen = states.try_emplace(state, chosen).first->second;
    setDevice(op, chosen);
    op->setAttr(kOriginAttrName, origin);
  });
}

Remainder mlir::hetero::collectRemainder(ModuleOp placed, StringRef device) {
  Remainder remainder;
  llvm::MapVector<StringRef, int64_t> reasons;
  walkPlacedOperations(placed, [&](Operation *op) {
    // What is made wherever it is needed was placed by nobody.
    if (hetero::isReplicable(op))
      return;
    DeviceAttr placedOn = getDevice(op);
    remainder.isUsed |= placedOn && placedOn.getBare().str() == device;
    auto origin = op->getAttrOfType<StringAttr>(kOriginAttrName);
    StringRef reason = origin ? origin.getValue() : "";
    if (reason.consume_front("fallback: "))
      ++reasons[reason];
  });
  for (auto [reason, count] : reasons)
    remainder.lines.push_back(std::to_string(count) +
                              " operation(s): " + reason.str());
  return remainder;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Finds values of which each element is the same in every run.
class WrittenValues {
public:
  /// Notes what the operation makes; operations come in program order.
  void visit(Operation &op);
  bool isWritten(Value value) const { return !unwritten.contains(value); }

private:
  llvm::DenseSet<Value> unwritten;
};
} // namespace

void WrittenValues::visit(Operation &op) {
  if (isa<tensor::EmptyOp>(op))
    unwritten.insert(op.getResult(0));
  // What inserts a part leaves the rest of its destination as it is; so does
  // a view of what nobody has written.
  bool passesOn = isa<SubsetInsertionOpInterface>(op) ||
                  !isa<DestinationStyleOpInterface>(op);
  if (passesOn && op.getNumRegions() == 0 &&
      llvm::any_of(op.getOperands(),
                   [&](Value operand) { return !isWritten(operand); }))
    unwritten.insert_range(op.getResults());
}

static bool canCross(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() <= HETERO_MAX_RANK &&
         (tensor.getElementType().isIntOrFloat() ||
          isa<IndexType, ComplexType>(tensor.getElementType()));
}

SmallVector<OpResult>
mlir::hetero::collectComparableValues(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!function.getBody().hasOneBlock() ||
      !SymbolTable::symbolKnownUseEmpty(function, module))
    return {};
  SmallVector<OpResult> values;
  WrittenValues written;
  for (Operation &op : function.getBody().front()) {
    written.visit(op);
    if (hetero::isReplicable(&op))
      continue;
    for (OpResult result : op.getResults())
      if (canCross(result.getType()) && written.isWritten(result))
        values.push_back(result);
  }
  return values;
}

void mlir::hetero::returnToo(func::FuncOp function, ArrayRef<OpResult> values) {
  Operation *end = function.getBody().front().getTerminator();
  for (OpResult value : values) {
    end->insertOperands(end->getNumOperands(), {value});
    (void)function.insertResult(function.getNumResults(), value.getType(),
                                /*resultAttrs=*/{});
  }
}
