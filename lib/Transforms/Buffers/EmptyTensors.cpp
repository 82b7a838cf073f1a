//===- EmptyTensors.cpp - Tensors that are not filled yet -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmptyTensors.h"

#include "DeepNests.h"
#include "Fills.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Separation
//===----------------------------------------------------------------------===//

/// The first of `tensors`, which are by who writes to them, that an elementwise
/// operation reads what becomes of, and may overwrite; null if there is none.
static Operation *
findOverwritten(Operation *op,
                const llvm::DenseMap<Operation *, Value> &tensors) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || structured.getNumReductionLoops() != 0)
    return nullptr;
  for (OpOperand *input : structured.getDpsInputOperands()) {
    auto value = dyn_cast<OpResult>(input->get());
    if (llvm::any_of(input->get().getUsers(), [](Operation *user) {
          return user->hasAttr(kUnifiedAttrName);
        }))
      continue; // Another device reads it, too.
    while (value && !tensors.contains(value.getOwner())) {
      auto producer = dyn_cast<DestinationStyleOpInterface>(value.getOwner());
      value = producer
                  ? dyn_cast<OpResult>(producer.getTiedOpOperand(value)->get())
                  : OpResult();
    }
    if (value)
      return value.getOwner();
  }
  return nullptr;
}

/// Gives each user of `shared` a tensor before it, except that an
/// elementwise operation shares that of one whose result it reads.
static void separate(tensor::EmptyOp shared) {
  auto getAncestor = [&](OpOperand *use) {
    return shared->getBlock()->findAncestorOpInBlock(*use->getOwner());
  };
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : shared->getUses())
    if (getAncestor(&use))
      uses.push_back(&use);
  llvm::stable_sort(uses, [&](OpOperand *a, OpOperand *b) {
    Operation *first = getAncestor(a), *second = getAncestor(b);
    return first != second && first->isBeforeInBlock(second);
  });
  OpBuilder builder(shared);
  llvm::DenseMap<Operation *, Value> tensors;
  llvm::SmallPtrSet<Operation *, 8> paired;
  for (OpOperand *use : uses) {
    Operation *user = use->getOwner();
    Operation *before = findOverwritten(user, tensors);
    // Not more than two, or chains of operations would share one again.
    if (before && paired.insert(before).second) {
      paired.insert(user);
      tensors[user] = tensors.lookup(before);
    } else {
      builder.setInsertionPoint(getAncestor(use));
      tensors[user] = builder.clone(*shared)->getResult(0);
    }
    use->set(tensors[user]);
  }
  if (shared->use_empty())
    shared->erase();
}

void mlir::hetero::separateEmptyTensors(ModuleOp module) {
  SmallVector<tensor::EmptyOp> shared;
  module.walk([&](tensor::EmptyOp op) {
    if (!op->use_empty() && !op->hasOneUse())
      shared.push_back(op);
  });
  for (tensor::EmptyOp op : shared)
    separate(op);
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// True if the use overwrites the tensor, so that no other may have it.
static bool overwrites(OpOperand &use) {
  auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return user && user.isDpsInit(&use);
}

/// Puts another fill before the operation, in another block with a tensor that
/// is made there: a loop may pass that on.
static Value repeat(linalg::LinalgOp fill, Operation *before) {
  OpBuilder builder(before);
  IRMapping mapping;
  auto empty =
      fill.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>();
  if (empty && before->getBlock() != fill->getBlock())
    builder.clone(*empty, mapping);
  return builder.clone(*fill, mapping)->getResult(0);
}

void mlir::hetero::separateFills(ModuleOp module) {
  SmallVector<linalg::LinalgOp> fills;
  module.walk([&](linalg::LinalgOp op) {
    if (op->getNumResults() == 1 && isFill(op))
      fills.push_back(op);
  });
  for (linalg::LinalgOp fill : fills) {
    for (OpOperand &use :
         llvm::make_early_inc_range(fill->getResult(0).getUses()))
      if (overwrites(use))
        use.set(repeat(fill, use.getOwner()));
    if (fill->use_empty())
      fill->erase();
  }
}

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

/// The regions that operations of blocks came from: a name, or null for what
/// was outside of all.
static llvm::DenseMap<Operation *, Attribute> findRegions(ModuleOp module) {
  llvm::DenseMap<Operation *, Attribute> regions;
  module.walk([&](Block *block) {
    Attribute open;
    for (Operation &op : *block) {
      if (auto begin = dyn_cast<HostRegionOp>(op))
        open = begin.getNameAttr();
      if (isa<EndHostRegionOp>(op))
        open = nullptr;
      Attribute device = op.getAttr(kRegionAttrName);
      if (Attribute region = device ? device : open)
        regions[&op] = region;
    }
  });
  return regions;
}

/// Calls `visit` with each operand whose buffer the value may be.
static void visitDestinations(OpResult value, function_ref<void(Value)> visit) {
  Operation *op = value.getOwner();
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(op))
    return visit(insertion.getDestinationOperand().get());
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    return visit(destinations.getTiedOpOperand(value)->get());
  if (isa<tensor::CastOp>(op))
    return visit(op->getOperand(0));
  for (Value operand : op->getOperands())
    if (operand.getType() == value.getType())
      visit(operand);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        for (Value operand : block.getTerminator()->getOperands())
          if (operand.getType() == value.getType())
            visit(operand);
}

/// The empty tensors that `value` may be written to.
static SmallVector<tensor::EmptyOp> findEmptyTensors(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  SmallVector<tensor::EmptyOp> found;
  for (size_t i = 0; i != values.size(); ++i) {
    auto result = dyn_cast<OpResult>(values[i]);
    if (!result)
      continue;
    if (auto empty = dyn_cast<tensor::EmptyOp>(result.getOwner()))
      found.push_back(empty);
    else
      visitDestinations(result, [&](Value from) { values.insert(from); });
  }
  return found;
}

/// True if the operation may stand in another region: it makes sizes and places
/// only, or puts a part into a tensor of the same device, which is no work
/// where the part is made in its place.
static bool isMovable(Operation *op, Attribute device) {
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(op)) {
    auto type = dyn_cast<RankedTensorType>(
        insertion.getDestinationOperand().get().getType());
    return type && type.getEncoding() == device;
  }
  return isa<tensor::EmptyOp, tensor::DimOp>(op) ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

/// True if what the insertion writes to needs work of other regions that comes
/// after `empty`.
static bool
needsOtherRegions(SubsetInsertionOpInterface insertion, tensor::EmptyOp empty,
                  const llvm::DenseMap<Operation *, Attribute> &regions) {
  Block *block = insertion->getBlock();
  Operation *place = block->findAncestorOpInBlock(*empty);
  if (!place)
    return false;
  Attribute here = regions.lookup(place),
            device = empty.getType().getEncoding();
  llvm::SetVector<Operation *> needed;
  auto need = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block && place->isBeforeInBlock(op))
      needed.insert(op);
  };
  for (OpOperand &operand : insertion->getOpOperands())
    if (&operand != &insertion.getSourceOperand())
      need(operand.get());
  for (size_t i = 0; i != needed.size(); ++i) {
    Operation *op = needed[i];
    if (regions.lookup(op) != here && !isMovable(op, device))
      return true;
    op->walk(
        [&](Operation *inner) { llvm::for_each(inner->getOperands(), need); });
  }
  return false;
}

/// Upstream's elimination moves what an insertion needs to where the tensor is
/// made that it inserts. Where that would put work of one region into another
/// one, the tensor is an allocation, which stays as it is.
static void keepWorkInRegions(ModuleOp module) {
  llvm::DenseMap<Operation *, Attribute> regions = findRegions(module);
  llvm::SetVector<Operation *> kept;
  module.walk([&](SubsetInsertionOpInterface insertion) {
    Value source = insertion.getSourceOperand().get();
    if (isa<TensorType>(source.getType()))
      for (tensor::EmptyOp empty : findEmptyTensors(source))
        if (needsOtherRegions(insertion, empty, regions))
          kept.insert(empty);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : kept) {
    rewriter.setInsertionPoint(op);
    auto empty = cast<tensor::EmptyOp>(op);
    rewriter.replaceOpWithNewOp<bufferization::AllocTensorOp>(
        empty, empty.getType(), empty.getDynamicSizes());
  }
}

/// Upstream's elimination of empty tensors moves what an insertion needs to
/// where the tensor is made that it inserts, and takes the results of an
/// operation for known inside of its regions. Gives them a name there that is
/// not the operation's. Returns what makes these names.
static SmallVector<Operation *> hideRegionResults(ModuleOp module) {
  SmallVector<Operation *> names;
  module.walk([&](SubsetInsertionOpInterface insertion) {
    Operation *place = insertion;
    if (place->getParentOp()->hasTrait<OpTrait::IsTerminator>())
      place = place->getParentOp();
    OpBuilder builder(place);
    for (OpOperand &operand : insertion->getOpOperands()) {
      Value value = operand.get();
      Operation *owner = value.getDefiningOp();
      if (&operand == &insertion.getSourceOperand() || !owner ||
          owner->getNumRegions() == 0)
        continue;
      Location loc = insertion.getLoc();
      if (isa<RankedTensorType>(value.getType()))
        names.push_back(
            tensor::CastOp::create(builder, loc, value.getType(), value));
      else if (isa<IndexType>(value.getType()))
        names.push_back(arith::AddIOp::create(
            builder, loc, value,
            arith::ConstantIndexOp::create(builder, loc, 0)));
      else
        continue;
      operand.set(names.back()->getResult(0));
    }
  });
  return names;
}

static void showRegionResults(ArrayRef<Operation *> names) {
  for (Operation *op : names) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
}

/// True if a tensor that is not filled yet may be inserted into another one.
static bool mayInsertEmptyTensors(ModuleOp module) {
  bool hasEmpty = false, hasInsertion = false;
  module.walk([&](Operation *op) {
    auto insertion = dyn_cast<SubsetInsertionOpInterface>(op);
    hasEmpty |= isa<tensor::EmptyOp>(op);
    hasInsertion |=
        insertion &&
        isa<TensorType>(insertion.getSourceOperand().get().getType());
    return hasEmpty && hasInsertion ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return hasEmpty && hasInsertion;
}

/// True if no use in the operand's block, or inside of what is there, comes
/// after the operand's, or none reads anything.
static bool isLastUse(OpOperand &operand) {
  Operation *owner = operand.getOwner();
  if (operand.get().getDefiningOp<tensor::EmptyOp>())
    return true;
  return llvm::all_of(operand.get().getUses(), [&](OpOperand &use) {
    Operation *other =
        owner->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return &use == &operand || (other && other->isBeforeInBlock(owner));
  });
}

/// True if a result of the operation may be the operand's buffer.
static bool passesOn(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(op))
    return &insertion.getDestinationOperand() == &operand;
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    return destinations.isDpsInit(&operand);
  return op->getNumRegions() != 0;
}

/// Decides which operands of the operation are in place: nothing writes to what
/// is inserted or passed on by a terminator, and others are where nothing uses
/// them after.
static void decideInPlace(Operation *op,
                          bufferization::OneShotAnalysisState &state) {
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(op);
  bool isTerminator = op->hasTrait<OpTrait::IsTerminator>();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      continue;
    bool isSource = insertion && &insertion.getSourceOperand() == &operand;
    if (isSource || isTerminator || (passesOn(operand) && isLastUse(operand)))
      state.bufferizeInPlace(operand);
  }
}

/// Notes which results are an operand's buffer.
static void noteEquivalent(Operation *op,
                           bufferization::OneShotAnalysisState &state) {
  for (OpResult result : op->getResults()) {
    if (!isa<TensorType>(result.getType()))
      continue;
    auto aliases = state.getAliasingOpOperands(result);
    if (aliases.getNumAliases() != 1)
      continue;
    bufferization::AliasingOpOperand alias = *aliases.begin();
    if (alias.relation == bufferization::BufferRelation::Equivalent &&
        state.isInPlace(*alias.opOperand))
      state.unionEquivalenceClasses(result, alias.opOperand->get());
  }
}

/// What upstream's elimination asks about: what is in place of the tensor that
/// is inserted, and whether loops return the buffers that they are given. An
/// analysis of the module would take the time of bufferization itself for it.
/// Where that finds more uses of a buffer later, it copies.
static void analyzeDestinations(ModuleOp module,
                                bufferization::OneShotAnalysisState &state) {
  // Inner operations come first, which loops are asked about.
  module.walk([&](Operation *op) {
    if (!state.getOptions().dynCastBufferizableOp(op))
      return;
    decideInPlace(op, state);
    noteEquivalent(op, state);
  });
}

LogicalResult mlir::hetero::eliminateEmptyTensors(ModuleOp module) {
  copyDeepChoices(module);
  if (!mayInsertEmptyTensors(module))
    return success();
  keepWorkInRegions(module);
  SmallVector<Operation *> names = hideRegionResults(module);
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  bufferization::OneShotAnalysisState state(module, options);
  analyzeDestinations(module, state);
  IRRewriter rewriter(module.getContext());
  if (failed(bufferization::eliminateEmptyTensors(rewriter, module, state)))
    return failure();
  showRegionResults(names);
  return success();
}
