//===- CarriedDevices.cpp - Where control flow carries values -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow runs on the host, but the tensors that it passes need not be
// there. Between place and materialize three attributes say where they are;
// later the types do:
//
//   %r = scf.for ... iter_args(%it = %x) -> (tensor<4xf32>) {
//     ...
//   } {hetero.carried = [#hetero.device<gpu:0>]}
//
// One device holds for a result and everything that becomes it.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

/// The result that the terminators of `op` pass the same operand to as they
/// pass to `argument`, or null.
static OpResult getResultOfSameOperand(RegionBranchOpInterface op,
                                       BlockArgument argument) {
  Region *region = argument.getOwner()->getParent();
  for (RegionBranchPoint point : op.getAllRegionBranchPoints()) {
    auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(
        point.getTerminatorPredecessorOrNull());
    if (!terminator)
      continue;
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    const RegionSuccessor *inside = llvm::find_if(
        successors, [&](auto &next) { return next.getSuccessor() == region; });
    const RegionSuccessor *outside =
        llvm::find_if(successors, [](auto &next) { return next.isParent(); });
    if (inside == successors.end() || outside == successors.end() ||
        inside->getSuccessorInputs().empty())
      continue;
    auto first = cast<BlockArgument>(inside->getSuccessorInputs().front());
    unsigned index = argument.getArgNumber() - first.getArgNumber();
    ValueRange results = outside->getSuccessorInputs();
    if (argument.getArgNumber() < first.getArgNumber() ||
        index >= results.size() ||
        terminator.getSuccessorOperands(*inside).getBeginOperandIndex() !=
            terminator.getSuccessorOperands(*outside).getBeginOperandIndex())
      continue;
    return cast<OpResult>(results[index]);
  }
  return {};
}

/// Position of an argument among `arguments`, which are consecutive.
static std::optional<unsigned> indexIn(Block::BlockArgListType arguments,
                                       BlockArgument argument) {
  if (arguments.empty() ||
      arguments.front().getOwner() != argument.getOwner() ||
      argument.getArgNumber() < arguments.front().getArgNumber())
    return std::nullopt;
  unsigned index = argument.getArgNumber() - arguments.front().getArgNumber();
  if (index >= arguments.size())
    return std::nullopt;
  return index;
}

/// The results of a loop that its region arguments are tied to one by one, if
/// there are any.
static std::optional<ResultRange> getLoopResults(LoopLikeOpInterface loop) {
  if (std::optional<ResultRange> results = loop.getLoopResults())
    return results;
  if (isa<DestinationStyleOpInterface>(*loop))
    return loop->getResults();
  return std::nullopt;
}

OpResult mlir::hetero::getTiedResult(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op))
    if (std::optional<ResultRange> results = getLoopResults(loop)) {
      auto index = indexIn(loop.getRegionIterArgs(), argument);
      return index && *index < results->size() ? (*results)[*index]
                                               : OpResult();
    }
  if (auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op))
    return getResultOfSameOperand(branch, argument);
  return {};
}

//===----------------------------------------------------------------------===//
// Getters
//===----------------------------------------------------------------------===//

/// Entry `index` of an array attribute of devices; null if there is none.
static DeviceAttr getEntry(Attribute attr, unsigned index) {
  auto array = dyn_cast_or_null<ArrayAttr>(attr);
  if (!array || index >= array.size())
    return {};
  return dyn_cast<DeviceAttr>(array[index]);
}

/// What the type of a value says, else the host.
static DeviceAttr getDeviceOfType(Value value) {
  DeviceAttr device = getTypeDevice(value.getType());
  return device ? device : DeviceAttr::getHost(value.getContext());
}

DeviceAttr mlir::hetero::getCarriedDevice(OpResult result) {
  Attribute attr = result.getOwner()->getDiscardableAttr(kCarriedAttrName);
  DeviceAttr device = getEntry(attr, result.getResultNumber());
  return device ? device.getBare() : getDeviceOfType(result);
}

DeviceAttr mlir::hetero::getBlockArgumentDevice(Operation *op, unsigned block,
                                                unsigned argument) {
  auto blocks = dyn_cast_or_null<ArrayAttr>(
      op->getDiscardableAttr(kBlockArgumentsAttrName));
  if (!blocks || block == 0 || block > blocks.size())
    return {};
  DeviceAttr device = getEntry(blocks[block - 1], argument);
  return device ? device.getBare() : DeviceAttr();
}

DeviceAttr mlir::hetero::getCarriedDevice(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *op = block->getParentOp();
  DeviceAttr device;
  if (op && !block->isEntryBlock()) {
    unsigned number =
        std::distance(block->getParent()->begin(), Region::iterator(block));
    device = getBlockArgumentDevice(op, number, argument.getArgNumber());
  } else if (OpResult result = getTiedResult(argument)) {
    return getCarriedDevice(result);
  } else if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op)) {
    if (auto index = indexIn(loop.getRegionIterArgs(), argument))
      device = getEntry(op->getDiscardableAttr(kCarriedInitsAttrName), *index);
  }
  return device ? device.getBare() : getDeviceOfType(argument);
}

//===----------------------------------------------------------------------===//
// Setters
//===----------------------------------------------------------------------===//

static bool areAllOnHost(ArrayRef<DeviceAttr> devices) {
  return llvm::all_of(
      devices, [](DeviceAttr device) { return device.getBare().isHost(); });
}

static ArrayAttr getArray(MLIRContext *context, ArrayRef<DeviceAttr> devices) {
  SmallVector<Attribute> bare;
  for (DeviceAttr device : devices)
    bare.push_back(device.getBare());
  return ArrayAttr::get(context, bare);
}

static void setDevices(Operation *op, StringRef name,
                       ArrayRef<DeviceAttr> devices) {
  if (areAllOnHost(devices))
    op->removeDiscardableAttr(name);
  else
    op->setDiscardableAttr(name, getArray(op->getContext(), devices));
}

void mlir::hetero::setCarriedDevices(Operation *op,
                                     ArrayRef<DeviceAttr> results) {
  setDevices(op, kCarriedAttrName, results);
}

void mlir::hetero::setCarriedInitDevices(Operation *op,
                                         ArrayRef<DeviceAttr> inits) {
  setDevices(op, kCarriedInitsAttrName, inits);
}

void mlir::hetero::setBlockArgumentDevices(
    Operation *op, ArrayRef<SmallVector<DeviceAttr>> blocks) {
  SmallVector<Attribute> arrays;
  for (const SmallVector<DeviceAttr> &block : blocks)
    arrays.push_back(getArray(op->getContext(), block));
  if (llvm::all_of(blocks, areAllOnHost))
    op->removeDiscardableAttr(kBlockArgumentsAttrName);
  else
    op->setDiscardableAttr(kBlockArgumentsAttrName,
                           ArrayAttr::get(op->getContext(), arrays));
}

void mlir::hetero::removeCarriedDevices(Operation *op) {
  DictionaryAttr attrs = op->getRawDictionaryAttrs();
  SmallVector<NamedAttribute> others;
  for (NamedAttribute attr : attrs)
    if (!llvm::is_contained({StringRef(kCarriedAttrName),
                             StringRef(kCarriedInitsAttrName),
                             StringRef(kBlockArgumentsAttrName)},
                            attr.getName().strref()))
      others.push_back(attr);
  // The operation's own context takes time: its location is far away.
  if (others.size() != attrs.size())
    op->setDiscardableAttrs(DictionaryAttr::get(attrs.getContext(), others));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// C1 and C2 for the devices of `types`.
static LogicalResult verifyDevices(Operation *op, StringRef name,
                                   Attribute attr, TypeRange types) {
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array || array.size() != types.size()) // C1
    return op->emitOpError("'") << name << "' expects " << types.size()
                                << " devices, one per value, got " << attr
                                << "; run --hetero-place again";
  for (auto [entry, type] : llvm::zip(array, types)) {
    auto device = dyn_cast<DeviceAttr>(entry);
    if (!device || !device.hasOrdinal()) // C1
      return op->emitOpError("'")
             << name << "' expects devices with an ordinal, got " << entry
             << "; write #hetero.device<gpu:0>, for example";
    if (!isa<RankedTensorType>(type) && !device.getBare().isHost()) // C2
      return op->emitOpError("'")
             << name << "' expects values of type " << type << " on cpu:0, got "
             << device.str() << "; only ranked tensors live elsewhere";
  }
  return success();
}

static InFlightDiagnostic emitMisplaced(Operation *op, StringRef name,
                                        StringRef expected) {
  return op->emitOpError("'") << name << "' expects " << expected // C3
                              << "; remove it";
}

static LogicalResult verifyBlockArguments(Operation *op, Attribute attr) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return emitMisplaced(op, kBlockArgumentsAttrName,
                         "an operation with blocks");
  auto blocks = dyn_cast<ArrayAttr>(attr);
  auto others = llvm::drop_begin(op->getRegion(0));
  size_t count = std::distance(others.begin(), others.end());
  if (!blocks || blocks.size() != count) // C1
    return op->emitOpError("'")
           << kBlockArgumentsAttrName << "' expects " << count
           << " arrays, one per block but the first, got " << attr
           << "; run --hetero-place again";
  for (auto [block, devices] : llvm::zip(others, blocks))
    if (failed(verifyDevices(op, kBlockArgumentsAttrName, devices,
                             block.getArgumentTypes())))
      return failure();
  return success();
}

LogicalResult mlir::hetero::verifyCarriedDevices(Operation *op,
                                                 NamedAttribute attr) {
  if (attr.getName() == kBlockArgumentsAttrName)
    return verifyBlockArguments(op, attr.getValue());
  if (attr.getName() == kCarriedAttrName) {
    if (!isa<RegionBranchOpInterface, LoopLikeOpInterface>(op))
      return emitMisplaced(op, kCarriedAttrName, "structured control flow");
    return verifyDevices(op, kCarriedAttrName, attr.getValue(),
                         op->getResultTypes());
  }
  if (attr.getName() != kCarriedInitsAttrName)
    return success();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || getLoopResults(loop))
    return emitMisplaced(op, kCarriedInitsAttrName,
                         "a loop whose arguments are not its results, like "
                         "scf.while");
  return verifyDevices(op, kCarriedInitsAttrName, attr.getValue(),
                       loop.getInits().getTypes());
}
