//===- MaterializeCopies.cpp - Devices in types, copies between -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.add {hetero.device = #cpu} ins(%a, %b : ...)
//   %1 = linalg.exp {hetero.device = #gpu} ins(%0 : tensor<4xf32>) outs(%e)
//
// becomes
//
//   %0 = linalg.add {hetero.device = #cpu} ins(%a, %b : ...)
//   %c = hetero.copy %0 : tensor<4xf32> -> tensor<4xf32, #gpu>
//   %e = tensor.empty() : tensor<4xf32, #gpu>
//   %1 = linalg.exp {hetero.device = #gpu} ins(%c : tensor<4xf32, #gpu>) ...
//
// Every value gets its type, then every operand that is elsewhere is replaced
// by the value's instance on the right device. What only other blocks want is
// copied where that is cheapest: outside of loops.
//
//===----------------------------------------------------------------------===//

#include "CopyRemarks.h"
#include "Replicas.h"
#include "Transforms/Placement/PlacedTypes.h"
#include "hetero/Analysis/Blocks/TensorCaptures.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/OptionChoices.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "hetero/Transforms/Placement/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_MATERIALIZECOPIESPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Materializes one module.
class Materializer {
public:
  Materializer(ModuleOp module, std::function<const BlockTree &()> getTree,
               CopySite where)
      : module(module), builder(module.getContext()),
        sites(module, std::move(getTree), where),
        host(DeviceAttr::getHost(module.getContext())),
        constraints(module.getContext()) {}

  LogicalResult run();

  unsigned numCopies = 0, numReplicas = 0, numEmpties = 0;

private:
  using Operations = SmallVector<Operation *, 0>;
  WalkResult type(Operation *op);
  LogicalResult placeOperands(Operation *op);
  void placeCaptures(Operation *op);
  void noteLostUse(Value value);
  LogicalResult mergeUserCopy(CopyOp op);
  void extractElement(tensor::ExtractOp op);
  /// The value's instance on `device` for a user, created if needed; without a
  /// user one that dominates what the value dominates.
  Value getInstance(Value value, DeviceAttr device, Operation *user);
  Value getSharedCopy(Value value, DeviceAttr device);
  Value getCopyAtSite(Value value, DeviceAttr device, Operation *user);
  bool isWantedBy(OpOperand &use, DeviceAttr device);
  CopyOp createCopy(Value value, DeviceAttr device);
  CopyOp createCopyAfter(Value value, DeviceAttr device);
  Value createReplica(OpResult value, DeviceAttr device);
  Value createEmpty(OpOperand &init, DeviceAttr device);
  bool copiesWhole(tensor::ExtractOp op);
  void setInsertionPointAfter(Value value, void *place);
  void eraseUnused();
  void remove(Operation *op);

  ModuleOp module;
  OpBuilder builder;
  CopySitePlan sites;
  DeviceAttr host;
  DeviceConstraints constraints;
  StringAttr memoryName = StringAttr::get(module.getContext(), kMemoryAttrName);
  /// Copies and replicas, as they were made.
  Operations instances;
  /// What placement marked as repeated, in the order of the program.
  Operations marked;
  /// Replicas, and copies of arguments.
  DenseMap<std::pair<Value, Attribute>, Value> known;
  /// Values whose sites were chosen.
  llvm::DenseSet<std::pair<Value, Attribute>> planned;
  /// The last replica of an operation, and copy of an argument of a block, so
  /// that instances keep the order of the uses that asked for them.
  DenseMap<void *, Operation *> tails;
  /// Values whose elements are read, and who reads a copy of the whole.
  llvm::DenseSet<Value> readers;
  llvm::DenseSet<Operation *> wholeReaders;
  /// Producers that may have lost their last use.
  llvm::SetVector<Operation *> candidates;
  /// Operations that are gone from the module. They are deleted last, since
  /// the tables above know operations and values by their addresses.
  SmallVector<OwningOpRef<Operation *>> removed;
};
} // namespace

LogicalResult Materializer::run() {
  // Calls take their types from signatures.
  for (auto function : module.getOps<FunctionOpInterface>())
    if (failed(placeSignature(function)))
      return failure();
  for (Operation &symbol : *module.getBody())
    if (failed(placeState(&symbol)))
      return failure();
  // All are found first: from then on operations are added.
  Operations ops;
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return type(op);
  });
  if (walk.wasInterrupted())
    return failure();
  Operations repeated = repeatMarked(marked, constraints);
  auto isUnused = [](Operation *op) {
    return !op->getBlock() && !isa<ModuleOp>(op);
  };
  for (ArrayRef<Operation *> made : {ArrayRef(marked), ArrayRef(repeated)})
    for (Operation *op : llvm::make_filter_range(made, isUnused))
      removed.emplace_back(op);
  llvm::erase_if(ops, isUnused);
  llvm::erase_if(repeated, isUnused);
  numReplicas += repeated.size();
  llvm::append_range(instances, repeated);
  llvm::append_range(ops, repeated);
  for (Operation *op : ops)
    if (failed(placeOperands(op)))
      return failure();
  for (Operation *op : ops) // The copies say it now.
    if (op->getBlock() && op->getDiscardableAttr(memoryName))
      op->removeDiscardableAttr(memoryName);
  eraseUnused();
  llvm::erase_if(instances, [](Operation *op) { return !op->getBlock(); });
  remarkOnInstances(instances);
  return success();
}

/// Types what an operation makes, and what its regions get.
WalkResult Materializer::type(Operation *op) {
  bool isParent = constraints.hasPlacedRegions(op);
  if (failed(placeResults(op, constraints)) ||
      (isParent && failed(placeArguments(op, constraints))))
    return WalkResult::interrupt();
  if (isRepeated(op))
    marked.push_back(op);
  if (!isParent)
    return WalkResult::skip();
  removeCarriedDevices(op); // The types say it now.
  return WalkResult::advance();
}

LogicalResult Materializer::placeOperands(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getFrom())
    return mergeUserCopy(copy);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    extractElement(extract);
    return success();
  }
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!isa<TensorType>(value.getType()))
      continue;
    DeviceAttr device = constraints.getOperandDevice(operand);
    DeviceAttr actual = constraints.getTypeDevice(value.getType());
    if (!actual)
      return op->emitOpError("expected operands without an encoding or on a "
                             "device, got ")
             << value.getType() << "; remove the encoding";
    if (!device || device == actual)
      continue;
    if (!isa<RankedTensorType>(value.getType()))
      return op->emitOpError("expected ranked tensors on ")
             << device.str() << ", got " << value.getType()
             << "; unranked tensors stay on the host";
    operand.set(readsOperand(operand) ? getInstance(value, device, op)
                                      : createEmpty(operand, device));
    noteLostUse(value);
  }
  if (op->getNumRegions() != 0 && !constraints.hasPlacedRegions(op) &&
      capturesTensors(op))
    placeCaptures(op);
  return success();
}

/// Values that a body reads from outside are on the device of its operation.
void Materializer::placeCaptures(Operation *op) {
  DeviceAttr device = constraints.getRunDevice(op);
  if (!device)
    return;
  device = device.getBare();
  auto place = [&](OpOperand &operand) {
    Value value = operand.get();
    if (!isa<RankedTensorType>(value.getType()) ||
        constraints.getTypeDevice(value.getType()) == device ||
        op->isAncestor(value.getParentBlock()->getParentOp()))
      return;
    operand.set(getInstance(value, device, op));
    noteLostUse(value);
  };
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        place(operand);
    });
}

/// Remembers the producer of a value that may just have lost its last use.
void Materializer::noteLostUse(Value value) {
  Operation *producer = value.getDefiningOp();
  if (producer && value.use_empty())
    candidates.insert(producer);
}

/// A copy that the user wrote becomes the instance that others share.
LogicalResult Materializer::mergeUserCopy(CopyOp op) {
  Value source = op.getSource();
  DeviceAttr from = op.getFrom()->getBare(), to = op.getTo()->getBare();
  DeviceAttr actual = constraints.getTypeDevice(source.getType());
  Operation *producer = source.getDefiningOp();
  // Control flow and calls carry values on the host whatever reads them.
  bool isPinned = producer && !constraints.hasPlacedRegions(producer) &&
                  !isa<CallOpInterface>(producer) && !canBeReplicated(producer);
  if (isPinned && actual != from) {
    InFlightDiagnostic error = op.emitOpError("copies from ")
                               << from.str() << ", but its source is on "
                               << actual.str()
                               << "; correct the copy or the annotation of "
                                  "the source";
    error.attachNote(source.getLoc()) << "the source";
    return error;
  }
  op.getResult().replaceAllUsesWith(from == to ? source
                                               : getInstance(source, to, op));
  remove(op);
  if (producer)
    candidates.insert(producer);
  return success();
}

/// True if the operation reads a copy of the whole tensor: one that others
/// need anyway, or that costs no more than the elements that it serves.
bool Materializer::copiesWhole(tensor::ExtractOp op) {
  Value source = op.getTensor();
  auto type = cast<RankedTensorType>(source.getType());
  if (type.hasStaticShape() && type.getNumElements() <= 1)
    return true;
  if (readers.insert(source).second) {
    SmallVector<Operation *> users, elements;
    for (OpOperand &use : source.getUses()) {
      auto copy = dyn_cast<CopyOp>(use.getOwner());
      if (isa<tensor::ExtractOp>(use.getOwner()))
        elements.push_back(use.getOwner());
      else if (copy ? copy.getResultDevice() == host : isWantedBy(use, host))
        users.push_back(use.getOwner());
    }
    for (Operation *reader : sites.findServed(source, host, users, elements))
      wholeReaders.insert(reader);
  }
  return wholeReaders.contains(op);
}

/// Reading one element of a device's tensor moves that element only, unless
/// the whole tensor is there.
void Materializer::extractElement(tensor::ExtractOp op) {
  Value source = op.getTensor();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  DeviceAttr device = constraints.getTypeDevice(source.getType());
  if (!type || !device || device == host)
    return;
  if (copiesWhole(op)) {
    op.getTensorMutable().assign(getInstance(source, host, op));
    return;
  }
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  SmallVector<OpFoldResult> offsets(op.getIndices());
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> shape(type.getRank(), 1);
  auto sliceType =
      RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
  auto slice = tensor::ExtractSliceOp::create(builder, loc, sliceType, source,
                                              offsets, ones, ones);
  setDevice(slice, device);
  CopyOp element = createCopyAfter(slice, host);
  element->setAttr(kValueAttrName,
                   builder.getStringAttr("element of " + getValueName(source)));
  builder.setInsertionPoint(op);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  setDevice(zero.getDefiningOp(), host);
  op.getTensorMutable().assign(element);
  op.getIndicesMutable().assign(SmallVector<Value>(type.getRank(), zero));
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// After what was last put there for the same place, else after the value.
void Materializer::setInsertionPointAfter(Value value, void *place) {
  if (Operation *tail = tails.lookup(place))
    builder.setInsertionPointAfter(tail);
  else
    builder.setInsertionPointAfterValue(value);
}

Value Materializer::getInstance(Value value, DeviceAttr device,
                                Operation *user) {
  if (constraints.getTypeDevice(value.getType()) == device)
    return value;
  if (Value copy = findCopyAfter(value, device))
    return copy;
  if (Value instance = known.lookup({value, device}))
    return instance;
  Operation *producer = value.getDefiningOp();
  if (producer && canBeReplicatedOn(producer, device.getKind()))
    return createReplica(cast<OpResult>(value), device);
  if (user && (user->getBlock() != value.getParentBlock() ||
               sites.where == CopySite::Late))
    if (Value copy = getCopyAtSite(value, device, user))
      return copy;
  return getSharedCopy(value, device);
}

/// The copy after the definition, created if needed.
Value Materializer::getSharedCopy(Value value, DeviceAttr device) {
  if (Value copy = findCopyAfter(value, device))
    return copy;
  if (!isa<BlockArgument>(value))
    return createCopyAfter(value, device);
  Value &copy = known[{value, device}];
  if (!copy)
    copy = createCopyAfter(value, device);
  return copy;
}

/// True if `use` will ask for the value's instance on `device`.
bool Materializer::isWantedBy(OpOperand &use, DeviceAttr device) {
  if (getWantedDevice(use, constraints) != device)
    return false;
  auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
  return !extract ||
         (isa<RankedTensorType>(use.get().getType()) && copiesWhole(extract));
}

/// The copy for `user` at the sites that are cheapest for all uses of the value
/// on `device`; null if that is after the definition.
Value Materializer::getCopyAtSite(Value value, DeviceAttr device,
                                  Operation *user) {
  if (sites.isAfterDefinition(value, user->getBlock()))
    return {};
  if (!planned.insert({value, device}).second)
    return sites.lookup(value, device, user);
  SmallVector<Operation *> users{user};
  for (OpOperand &use : value.getUses())
    if (isWantedBy(use, device))
      users.push_back(use.getOwner());
  for (const CopySitePlan::Site &site : sites.choose(value, device, users)) {
    if (site.isDefinition)
      return {};
    builder.setInsertionPoint(site.before);
    CopyOp copy = createCopy(value, device);
    sites.record(value, device, site.block, copy);
  }
  return sites.lookup(value, device, user);
}

CopyOp Materializer::createCopyAfter(Value value, DeviceAttr device) {
  if (Operation *producer = value.getDefiningOp()) {
    builder.setInsertionPointAfter(findLastCopy(producer));
    return createCopy(value, device);
  }
  Block *block = value.getParentBlock();
  setInsertionPointAfter(value, block);
  CopyOp copy = createCopy(value, device);
  tails[block] = copy;
  return copy;
}

/// A copy at the insertion point.
CopyOp Materializer::createCopy(Value value, DeviceAttr device) {
  auto copy = CopyOp::create(builder, value.getLoc(),
                             withDevice(value.getType(), device), value);
  if (isInUnifiedMemory(value) &&
      copy.getSourceDevice().getNode() == device.getNode())
    copy->setAttr(kUnifiedAttrName, builder.getUnitAttr());
  ++numCopies;
  instances.push_back(copy);
  return copy;
}

Value Materializer::createReplica(OpResult value, DeviceAttr device) {
  Operation *op = value.getOwner();
  IRMapping mapping;
  visitReads(op, [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) && !mapping.contains(value))
      mapping.map(value, getInstance(value, device, nullptr));
  });
  setInsertionPointAfter(value, op);
  Operation *clone = cloneOn(op, device, builder, mapping);
  tails[op] = clone;
  ++numReplicas;
  instances.push_back(clone);
  for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults()))
    known[{from, device}] = to;
  return clone->getResult(value.getResultNumber());
}

/// A new destination of the same shape, since nobody reads the old one.
Value Materializer::createEmpty(OpOperand &init, DeviceAttr device) {
  Operation *op = init.getOwner();
  Value old = init.get();
  builder.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes;
  if (auto empty = old.getDefiningOp<tensor::EmptyOp>())
    sizes = empty.getMixedSizes();
  else
    sizes = tensor::getMixedSizes(builder, op->getLoc(), old);
  for (OpFoldResult size : sizes)
    if (auto value = dyn_cast<Value>(size))
      if (auto dim = value.getDefiningOp<tensor::DimOp>();
          dim && !constraints.getDevice(dim)) {
        setDevice(dim, host);
        if (Operation *index = dim.getIndex().getDefiningOp())
          setDevice(index, host);
      }
  auto type = cast<RankedTensorType>(withDevice(old.getType(), device));
  auto empty = tensor::EmptyOp::create(
      builder, op->getLoc(), sizes, type.getElementType(), type.getEncoding());
  setDevice(empty, device);
  empty->setAttr(kOriginAttrName, builder.getStringAttr("destination"));
  ++numEmpties;
  return empty;
}

/// Erases producers whose instances replaced them everywhere.
void Materializer::eraseUnused() {
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!op->use_empty() || !canBeReplicated(op))
      continue;
    visitReads(op, [&](Value value) {
      if (Operation *producer = value.getDefiningOp())
        candidates.insert(producer);
    });
    remove(op);
  }
}

void Materializer::remove(Operation *op) {
  op->dropAllReferences();
  op->remove();
  removed.emplace_back(op);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct MaterializeCopiesPass
    : public mlir::hetero::impl::MaterializeCopiesPassBase<
          MaterializeCopiesPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Materializer materializer(
        module, [&]() -> const BlockTree & { return getAnalysis<BlockTree>(); },
        copySite);
    if (failed(materializer.run()))
      return signalPassFailure();
    markAnalysesPreserved<BlockTree>(); // Blocks stay.
    if (getPhase(module) < Phase::Materialized)
      setPhase(module, Phase::Materialized);
    remark::analysis(module.getLoc(),
                     remark::RemarkOpts::name("summary").category(
                         "hetero-materialize-copies"))
        << remark::metric("copies", static_cast<int>(materializer.numCopies))
        << remark::metric("replicated",
                          static_cast<int>(materializer.numReplicas))
        << remark::metric("destinations",
                          static_cast<int>(materializer.numEmpties));
  }
};
} // namespace
