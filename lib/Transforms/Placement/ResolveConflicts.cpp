//===- ResolveConflicts.cpp - Values wanted on several devices ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.negf ins(%a)
//   linalg.exp {hetero.device = #cpu} ins(%0)
//   linalg.exp {hetero.device = #gpu} ins(%0)
//
// becomes, when conflicts are replicated,
//
//   %0 = linalg.negf {hetero.device = #cpu} ins(%a)
//   %1 = linalg.negf {hetero.device = #gpu} ins(%a)
//   linalg.exp {hetero.device = #cpu} ins(%0)
//   linalg.exp {hetero.device = #gpu} ins(%1)
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/ResolveConflicts.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

namespace {
/// A value and its pinned uses by device, in the order of the program.
struct Conflict {
  Value value;
  SmallVector<std::pair<DeviceAttr, SmallVector<OpOperand *, 2>>, 2> uses;
};
} // namespace

/// The device that a use pins its value to, or null. It has no ordinal where
/// the topology leaves a choice.
static DeviceAttr getPin(OpOperand &use, const Topology &topology) {
  Operation *user = use.getOwner();
  DeviceAttr device = getDevice(user);
  bool isPin = device && isPlaceable(user) && readsOperand(use) &&
               getOperandConstraint(use) == PlacementConstraint::SameAsOp;
  if (!isPin)
    return {};
  SmallVector<DeviceIndex> matching = topology.getMatching(device.getBare());
  return matching.size() == 1 ? topology.getDevice(matching.front())
                              : device.getBare();
}

/// Adds a use to those that one device can serve, else as a further one.
static void addUse(Conflict &conflict, DeviceAttr device, OpOperand &use) {
  for (auto &[known, uses] : conflict.uses)
    if (DeviceAttr both = known.meet(device)) {
      known = both;
      uses.push_back(&use);
      return;
    }
  conflict.uses.push_back({device, {&use}});
}

/// The device that the value's own maker pins it to, or null.
static DeviceAttr getOwnPin(Value value) {
  if (Operation *producer = value.getDefiningOp()) {
    if (auto copy = dyn_cast<CopyOp>(producer))
      return copy.getResultDevice();
    return getDevice(producer);
  }
  auto argument = cast<BlockArgument>(value);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock()
             ? getArgumentDevice(function, argument.getArgNumber())
             : DeviceAttr();
}

/// True if each device makes the value for itself in any case.
static bool isRepeatedAnyway(const Conflict &conflict) {
  Operation *producer = conflict.value.getDefiningOp();
  return producer && llvm::all_of(conflict.uses, [&](const auto &entry) {
           return canBeReplicatedOn(producer, entry.first.getKind());
         });
}

static std::optional<Conflict> getConflict(Value value,
                                           const Topology &topology) {
  if (!isa<TensorType>(value.getType()) || value.hasOneUse() ||
      value.use_empty() || getOwnPin(value))
    return std::nullopt;
  Conflict conflict{value, {}};
  SmallVector<OpOperand *> uses = llvm::to_vector(
      llvm::map_range(value.getUses(), [](OpOperand &use) { return &use; }));
  for (OpOperand *use : llvm::reverse(uses))
    if (DeviceAttr device = getPin(*use, topology))
      addUse(conflict, device, *use);
  if (conflict.uses.size() < 2 || isRepeatedAnyway(conflict))
    return std::nullopt;
  return conflict;
}

/// The conflicts of a module, in the order of the program.
static SmallVector<Conflict> findConflicts(ModuleOp module,
                                           const Topology &topology) {
  SmallVector<Conflict> conflicts;
  auto add = [&](Value value) {
    if (std::optional<Conflict> conflict = getConflict(value, topology))
      conflicts.push_back(std::move(*conflict));
  };
  auto addArguments = [&](Region &region) {
    for (Block &block : region)
      llvm::for_each(block.getArguments(), add);
  };
  FunctionOpInterface function;
  walkPlacedOperations(module, [&](Operation *op) {
    if (!function || op->getParentOp() != function)
      if (auto around = dyn_cast<FunctionOpInterface>(op->getParentOp())) {
        function = around;
        addArguments(function.getFunctionBody());
      }
    if (isControlFlow(op))
      llvm::for_each(op->getRegions(), addArguments);
    llvm::for_each(op->getResults(), add);
  });
  return conflicts;
}

static void report(const Conflict &conflict, ConflictMode mode) {
  std::string devices;
  for (auto &[device, uses] : conflict.uses)
    devices += (devices.empty() ? "" : ", ") + device.str();
  bool isError = mode == ConflictMode::Error;
  Location loc = conflict.value.getLoc();
  InFlightDiagnostic diagnostic = isError ? emitError(loc) : emitWarning(loc);
  diagnostic
      << "expected a value that one device needs, got one that is needed on "
      << devices << "; pin what makes it, write a hetero.copy, or use "
      << (isError ? "conflict=copy" : "conflict=copy to say nothing");
  for (auto &[device, uses] : conflict.uses)
    for (OpOperand *use : uses)
      diagnostic.attachNote(use->getOwner()->getLoc())
          << "'" << use->getOwner()->getName() << "' op needs it on "
          << device.str();
}

//===----------------------------------------------------------------------===//
// Replication
//===----------------------------------------------------------------------===//

namespace {
/// Replicates the values of conflicts.
class Replicator {
public:
  explicit Replicator(ModuleOp module) : module(module) {}
  void add(Conflict &conflict);
  unsigned getNumAdded() const { return numAdded; }

private:
  void repeat(Conflict &conflict);
  void repeatArgument(Conflict &conflict, FunctionOpInterface function);
  bool hasKnownCalls(FunctionOpInterface function);

  ModuleOp module;
  unsigned numAdded = 0;
};
} // namespace

static void pin(Operation *op, DeviceAttr device) {
  setDevice(op, device);
  op->setAttr(
      kOriginAttrName,
      StringAttr::get(op->getContext(), "replicated for " + device.str()));
}

/// A device wants a value for itself. `replica` makes it, or passes it.
static void remarkOnReplica(Operation *replica, DeviceAttr device,
                            ArrayRef<OpOperand *> uses) {
  auto replicated = remark::passed(
      replica->getLoc(),
      remark::RemarkOpts::name("replicated").category("hetero-place"));
  if (!replicated)
    return;
  std::string what = isa<FunctionOpInterface>(replica)
                         ? "an argument of " + getOperationName(replica)
                         : replica->getName().getStringRef().str();
  replicated << remark::add("{0} repeated on {1}", what, device.str())
             << remark::reason("needed there by {0}, pinned",
                               getOperationName(uses.front()->getOwner()));
}

/// One more operation for each device but the first.
void Replicator::repeat(Conflict &conflict) {
  Operation *op = conflict.value.getDefiningOp();
  std::string reason;
  bool canRepeat =
      isPlaceable(op) && isMemoryEffectFree(op) && !isa<ExecuteOp>(op) &&
      llvm::all_of(conflict.uses, [&](auto &entry) {
        return succeeded(canRunOn(op, entry.first.getKind(), reason));
      });
  if (!canRepeat)
    return;
  unsigned result = cast<OpResult>(conflict.value).getResultNumber();
  for (auto &[device, uses] : llvm::drop_begin(conflict.uses)) {
    Operation *clone = op->clone();
    op->getBlock()->getOperations().insertAfter(Block::iterator(op), clone);
    pin(clone, device);
    remarkOnReplica(clone, device, uses);
    for (OpOperand *use : uses)
      use->set(clone->getResult(result));
    ++numAdded;
  }
  pin(op, conflict.uses.front().first);
}

/// True if the function's signature can change with its calls.
bool Replicator::hasKnownCalls(FunctionOpInterface function) {
  if (!function.isPrivate() || function.isExternal())
    return false;
  auto uses = SymbolTable::getSymbolUses(function, &module.getBodyRegion());
  return uses && llvm::all_of(*uses, [](const SymbolTable::SymbolUse &use) {
           return isa<CallOpInterface>(use.getUser());
         });
}

/// Calls pass the same operand again, for each device but the first.
void Replicator::repeatArgument(Conflict &conflict,
                                FunctionOpInterface function) {
  auto argument = cast<BlockArgument>(conflict.value);
  if (!argument.getOwner()->isEntryBlock() || !hasKnownCalls(function))
    return;
  unsigned index = argument.getArgNumber();
  function.setArgAttr(index, kDeviceAttrName, conflict.uses.front().first);
  auto calls = SymbolTable::getSymbolUses(function, &module.getBodyRegion());
  for (auto &[device, uses] : llvm::drop_begin(conflict.uses)) {
    unsigned position = function.getNumArguments();
    NamedAttribute attr(kDeviceAttrName, device);
    if (failed(function.insertArgument(
            position, argument.getType(),
            DictionaryAttr::get(function.getContext(), attr),
            argument.getLoc())))
      return;
    for (const SymbolTable::SymbolUse &use : *calls) {
      auto call = cast<CallOpInterface>(use.getUser());
      Value operand = call.getArgOperands()[index];
      call.getArgOperandsMutable().append(operand);
    }
    remarkOnReplica(function, device, uses);
    for (OpOperand *use : uses)
      use->set(function.getArgument(position));
    ++numAdded;
  }
}

void Replicator::add(Conflict &conflict) {
  if (conflict.value.getDefiningOp())
    return repeat(conflict);
  Operation *parent =
      cast<BlockArgument>(conflict.value).getOwner()->getParentOp();
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    repeatArgument(conflict, function);
}

bool mlir::hetero::hasConflictModes(ModuleOp module) {
  auto name = StringAttr::get(module.getContext(), kConflictAttrName);
  if (module->hasAttr(name))
    return true;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function->hasAttr(name))
      return true;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.getArgAttr(i, name))
        return true;
  }
  bool found = false;
  walkPlacedOperations(module, [&](Operation *op) {
    found = found || op->getDiscardableAttr(name);
  });
  return found;
}

FailureOr<unsigned> mlir::hetero::resolveConflicts(ModuleOp module,
                                                   const Topology &topology,
                                                   ConflictMode mode) {
  Replicator replicator(module);
  SmallVector<Conflict> conflicts = findConflicts(module, topology);
  bool hasErrors = false;
  for (Conflict &conflict : conflicts) {
    ConflictMode own = getConflictMode(conflict.value, mode);
    if (own == ConflictMode::Replicate)
      replicator.add(conflict);
    else if (own != ConflictMode::Copy)
      report(conflict, own);
    hasErrors |= own == ConflictMode::Error;
  }
  if (hasErrors)
    return failure();
  return replicator.getNumAdded();
}
