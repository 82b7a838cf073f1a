//===- Replicas.cpp - Operations made again on other devices --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.broadcast {hetero.repeated, hetero.device = #cpu} ins(%x) ...
//   %1 = linalg.exp {hetero.device = #cpu} ins(%0) ...
//   %2 = linalg.abs {hetero.device = #gpu} ins(%0) ...
//
// becomes
//
//   %0 = linalg.broadcast {hetero.device = #cpu} ins(%x) ...
//   %3 = linalg.broadcast {hetero.device = #gpu} ins(%x) ...
//   %1 = linalg.exp {hetero.device = #cpu} ins(%0) ...
//   %2 = linalg.abs {hetero.device = #gpu} ins(%3) ...
//
// From there on they are operations like others, and get their operands alike.
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"

#include "Transforms/Placement/PlacedTypes.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

Operation *mlir::hetero::cloneOn(Operation *op, DeviceAttr device,
                                 OpBuilder &builder, IRMapping &mapping) {
  Operation *clone = builder.clone(*op, mapping);
  for (OpResult result : clone->getResults())
    (void)setTensorType(result, withDevice(result.getType(), device));
  setDevice(clone, device);
  clone->setAttr(kOriginAttrName, builder.getStringAttr("replicated"));
  clone->removeAttr(kExplainAttrName);
  clone->removeAttr(kRepeatedAttrName);
  return clone;
}

DeviceAttr mlir::hetero::getWantedDevice(OpOperand &use,
                                         DeviceConstraints &constraints) {
  Operation *op = use.getOwner();
  Operation *placed = op;
  while (!constraints.hasPlacedRegions(placed->getParentOp()))
    placed = placed->getParentOp();
  if (placed != op) { // A capture.
    DeviceAttr run = constraints.getRunDevice(placed);
    return run ? run.getBare() : DeviceAttr();
  }
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getTo() ? copy.getTo()->getBare() : DeviceAttr();
  if (isa<tensor::ExtractOp>(op))
    return DeviceAttr::getHost(op->getContext());
  return readsOperand(use) ? constraints.getOperandDevice(use) : DeviceAttr();
}

namespace {
/// Repeats marked operations.
class Repeater {
public:
  explicit Repeater(DeviceConstraints &constraints)
      : constraints(constraints) {}

  void run(SmallVector<Operation *, 0> worklist);
  SmallVector<Operation *, 0> clones;

private:
  void repeat(Operation *op);
  void readOriginals(Operation *clone);
  Operation *getInstance(Operation *op, DeviceAttr device);

  DeviceConstraints &constraints;
  llvm::DenseMap<std::pair<Operation *, Attribute>, Operation *> known;
  /// What each clone repeats.
  llvm::DenseMap<Operation *, Operation *> originals;
  /// The last clone of an operation.
  llvm::DenseMap<Operation *, Operation *> tails;
};
} // namespace

/// The operation on `device`, itself if that is its own or cannot run it.
Operation *Repeater::getInstance(Operation *op, DeviceAttr device) {
  std::string reason;
  if (constraints.getTypeDevice(op->getResult(0).getType()) == device ||
      failed(canRunOn(op, device.getKind(), reason)))
    return op;
  Operation *&clone = known[{op, device}];
  if (clone)
    return clone;
  OpBuilder builder(op->getContext());
  Operation *&tail = tails[op];
  builder.setInsertionPointAfter(tail ? tail : op);
  IRMapping none;
  clone = tail = cloneOn(op, device, builder, none);
  clones.push_back(clone);
  originals[clone] = op;
  return clone;
}

/// What was repeated before its reader may have a clone read a clone, which is
/// on the device of another reader.
void Repeater::readOriginals(Operation *clone) {
  for (OpOperand &operand : clone->getOpOperands())
    if (auto result = dyn_cast<OpResult>(operand.get()))
      if (Operation *original = originals.lookup(result.getOwner()))
        operand.set(original->getResult(result.getResultNumber()));
}

void Repeater::repeat(Operation *op) {
  for (OpResult result : op->getResults())
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
      if (DeviceAttr device = getWantedDevice(use, constraints))
        use.set(getInstance(op, device)->getResult(result.getResultNumber()));
}

void Repeater::run(SmallVector<Operation *, 0> worklist) {
  // Readers first: their clones are further uses of what they read.
  while (!worklist.empty()) {
    size_t begin = clones.size();
    repeat(worklist.pop_back_val());
    // Once more, where blocks are not in the order of dominance.
    for (Operation *clone : ArrayRef(clones).drop_front(begin)) {
      readOriginals(clone);
      for (Value operand : clone->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && isRepeated(producer))
          worklist.push_back(producer);
    }
  }
}

/// Takes the operation out of the program if nobody on its device needs it, and
/// then those that only it has read.
static void dropUnused(ArrayRef<Operation *> ops) {
  llvm::SmallDenseSet<Operation *> known(ops.begin(), ops.end());
  SmallVector<Operation *> worklist(ops);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!op->getBlock() || !op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && known.contains(producer))
        worklist.push_back(producer);
    op->dropAllReferences();
    op->remove();
  }
}

SmallVector<Operation *, 0>
mlir::hetero::repeatMarked(ArrayRef<Operation *> marked,
                           DeviceConstraints &constraints) {
  Repeater repeater(constraints);
  repeater.run(llvm::to_vector<0>(marked));
  for (Operation *op : marked)
    op->removeAttr(kRepeatedAttrName);
  SmallVector<Operation *> all(marked);
  llvm::append_range(all, repeater.clones);
  dropUnused(all);
  return std::move(repeater.clones);
}
