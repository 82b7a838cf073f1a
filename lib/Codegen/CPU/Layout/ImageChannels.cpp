//===- ImageChannels.cpp - Which tensors are images -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the operands of convolutions on, channels are followed through whatever
// takes them one by one. A tensor with two answers is no image.
//
//===----------------------------------------------------------------------===//

#include "ImageChannels.h"

#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/ConvolutionLoops.h"
#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// A dimension of a tensor; -1 for none.
struct Dimension {
  Value value;
  int64_t position;
};

class ChannelFinder {
public:
  explicit ChannelFinder(Block &block) : block(block) {}
  llvm::DenseMap<Value, unsigned> run();

private:
  void add(Dimension dimension);
  void spread(Operation *op, Dimension from);

  Block &block;
  llvm::DenseMap<Value, unsigned> channels;
  llvm::DenseSet<Value> contested;
  SmallVector<Dimension> worklist;
};
} // namespace

/// An image has pixels besides channels.
static bool canBeImage(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 3 && !hasAnyOrder(value);
}

/// A convolution over all channels.
static std::optional<ConvolutionLoops> matchDense(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !getCombiner(generic, 0))
    return std::nullopt;
  std::optional<ConvolutionLoops> loops = matchConvolutionLoops(generic);
  return loops && loops->group < 0 ? loops : std::nullopt;
}

/// The tensors that an operation moves elements between without another order
/// of their dimensions; nothing for other operations.
static SmallVector<Value> getMoved(Operation *op) {
  SmallVector<Value> values;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (pad.getConstantPaddingValue())
      values = {pad.getSource(), pad.getResult()};
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    values = {insert.getSource(), insert.getDest(), insert.getResult()};
  } else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    values = {extract.getSource(), extract.getResult()};
  }
  auto hasOtherRank = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() !=
           cast<RankedTensorType>(values[0].getType()).getRank();
  };
  if (!values.empty() && llvm::any_of(values, hasOtherRank))
    values.clear();
  return values;
}

/// The loop that a dimension of an operand follows element by element.
static std::optional<unsigned> getLoop(linalg::GenericOp op, OpOperand &operand,
                                       unsigned position) {
  auto loop = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(&operand).getResult(position));
  return loop ? std::optional<unsigned>(loop.getPosition()) : std::nullopt;
}

/// The operand and the result that takes its place.
static SmallVector<Value> getTensors(OpOperand &operand) {
  SmallVector<Value> values = {operand.get()};
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  if (op.isDpsInit(&operand) && op->getNumResults() != 0)
    values.push_back(op.getTiedOpResult(&operand));
  return values;
}

void ChannelFinder::add(Dimension dimension) {
  unsigned position = dimension.position;
  if (dimension.position < 0 || !canBeImage(dimension.value))
    return;
  auto [found, isNew] = channels.try_emplace(dimension.value, position);
  if (isNew)
    worklist.push_back(dimension);
  else if (found->second != position)
    contested.insert(dimension.value);
}

/// The other operands and results of an operation have the same channels.
void ChannelFinder::spread(Operation *op, Dimension from) {
  SmallVector<Value> moved = getMoved(op);
  if (llvm::is_contained(moved, from.value))
    for (Value value : moved)
      add({value, from.position});
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || matchDense(op))
    return;
  for (OpOperand &operand : generic->getOpOperands()) {
    std::optional<unsigned> loop;
    if (llvm::is_contained(getTensors(operand), from.value))
      loop = getLoop(generic, operand, from.position);
    if (!loop ||
        generic.getIteratorTypesArray()[*loop] != utils::IteratorType::parallel)
      continue;
    for (OpOperand &other : generic->getOpOperands())
      for (Value value : getTensors(other))
        add({value,
             findDimension(generic.getMatchingIndexingMap(&other), *loop)});
  }
}

llvm::DenseMap<Value, unsigned> ChannelFinder::run() {
  for (Operation &op : block)
    if (std::optional<ConvolutionLoops> loops = matchDense(&op)) {
      SmallVector<AffineMap> maps =
          cast<linalg::GenericOp>(op).getIndexingMapsArray();
      add({op.getOperand(0), findDimension(maps[0], loops->channel)});
      for (Value value : getTensors(op.getOpOperand(2)))
        add({value, findDimension(maps[2], loops->filter)});
    }
  while (!worklist.empty()) {
    Dimension next = worklist.pop_back_val();
    Operation *def = next.value.getDefiningOp();
    if (def && def->getBlock() == &block)
      spread(def, next);
    for (Operation *user : next.value.getUsers())
      if (user->getBlock() == &block)
        spread(user, next);
  }
  for (Value value : contested)
    channels.erase(value);
  return std::move(channels);
}

BlockImages::BlockImages(Block &block) : channels(ChannelFinder(block).run()) {
  if (channels.empty())
    return;
  auto isMovable = [&](Value value) { return canMove(value); };
  for (Operation &op : block)
    if (llvm::any_of(op.getOperands(), isMovable) ||
        llvm::any_of(op.getResults(), isMovable))
      if (ImageRole role = findRole(&op); role != ImageRole::None)
        roles[&op] = role;
}

std::optional<unsigned> BlockImages::getChannels(Value value) const {
  auto found = channels.find(value);
  return found == channels.end() ? std::nullopt
                                 : std::optional<unsigned>(found->second);
}

bool BlockImages::canMove(Value value) const {
  std::optional<unsigned> position = getChannels(value);
  return position &&
         *position + 1 != cast<RankedTensorType>(value.getType()).getRank();
}

std::optional<unsigned>
BlockImages::getChannelLoop(linalg::GenericOp op) const {
  std::optional<unsigned> found;
  for (OpOperand &operand : op->getOpOperands())
    for (Value value : getTensors(operand)) {
      std::optional<unsigned> position = getChannels(value);
      if (!position)
        continue;
      std::optional<unsigned> loop = getLoop(op, operand, *position);
      if (!loop || (found && found != loop))
        return std::nullopt;
      found = loop;
    }
  return found;
}

ImageRole BlockImages::findRole(Operation *op) const {
  auto isImage = [&](Value value) {
    return channels.contains(value) || hasAnyOrder(value);
  };
  if (matchDense(op))
    return isImage(op->getOperand(0)) && isImage(op->getOperand(2)) &&
                   isImage(op->getResult(0))
               ? ImageRole::Convolution
               : ImageRole::None;
  SmallVector<Value> moved = getMoved(op);
  if (!moved.empty())
    return llvm::all_of(moved, isImage) && channels.contains(op->getResult(0))
               ? ImageRole::Through
               : ImageRole::None;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics())
    return ImageRole::None;
  std::optional<unsigned> loop = getChannelLoop(generic);
  if (!loop ||
      generic.getIteratorTypesArray()[*loop] != utils::IteratorType::parallel)
    return ImageRole::None;
  // What is made has the order of what it is made in.
  for (OpOperand &init : generic.getDpsInitsMutable())
    if (!hasAnyOrder(init.get()) &&
        channels.contains(init.get()) !=
            channels.contains(generic.getTiedOpResult(&init)))
      return ImageRole::None;
  return ImageRole::Through;
}

bool mlir::hetero::hasAnyOrder(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  auto fill = dyn_cast<linalg::GenericOp>(op);
  return fill && fill->getNumResults() == 1 && getFillValue(fill, 0) &&
         fill.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
}
