//===- FuseElementwise.cpp - Fuses elementwise operations -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = add(%a, %b)
//   %1 = mul(%0, %c) outs(%empty)      becomes   %1 = (%a + %b) * %c
//
//   %0 = matmul(%a, %b)
//   %1 = relu(%0) outs(%empty)         becomes   %1 = relu() outs(%0)
//
// The first saves the temporary and its traffic; the second lets the epilogue
// work in the buffer of the contraction.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Common/FuseElementwise.h"

#include "KernelParameters.h"
#include "SourceLocations.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if an operation converts a number to a type with fewer bits.
static bool isNarrowing(Operation &op) {
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  return from.isIntOrFloat() && to.isIntOrFloat() &&
         to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
}

/// True if every operation of the body converts between types and no more, and
/// none makes values narrower: what is read several times is stored narrow.
static bool onlyWidens(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<CastOpInterface>(inner) && !isNarrowing(inner);
  });
}

/// True if the body has no more than `limit` operations.
static bool hasAtMost(linalg::GenericOp op, size_t limit) {
  return llvm::hasNItemsOrLess(op.getBody()->without_terminator(), limit);
}

/// True if computing the body once more costs less than loading its result.
static bool isCheap(linalg::GenericOp op) {
  return hasAtMost(op, 2) &&
         llvm::none_of(
             op.getBody()->without_terminator(), [](Operation &inner) {
               return isa<math::MathDialect>(inner.getDialect()) ||
                      isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
                          arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
                          tensor::ExtractOp>(inner);
             });
}

/// Operations that a body may have for fusion to repeat a producer in it.
static constexpr size_t kRepeatingOperations = 8;

/// True if fusion computes the producer of an operand once per element of the
/// result, or no more often than its cost allows. A consumer that reads a
/// producer at several places gets a copy of its body for each. In a chain of
/// such consumers, the number of copies would double with each.
static bool repeatsLittle(OpOperand *operand, linalg::GenericOp producer,
                          linalg::GenericOp consumer) {
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  bool repeats = false;
  for (OpOperand &other : consumer->getOpOperands()) {
    if (&other == operand || other.get().getDefiningOp() != producer ||
        !consumer.payloadUsesValueFromOperand(&other))
      continue;
    // Equal operands are merged first. An initial value is computed anyway.
    if (consumer.isDpsInit(&other) ||
        (other.get() == operand->get() &&
         consumer.getMatchingIndexingMap(&other) == map))
      return false;
    repeats = true;
  }
  return !repeats ||
         (isCheap(producer) && hasAtMost(consumer, kRepeatingOperations));
}

/// True if the producer of an operand is to be computed in its consumer.
static bool isWorthFusing(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return false;
  // A kernel has only so many parameters.
  if (countParameterBytes({cast<linalg::LinalgOp>(*producer),
                           cast<linalg::LinalgOp>(*consumer)}) >
      kParameterBytes)
    return false;
  bool readsTensors = llvm::any_of(producer.getDpsInputs(), [](Value value) {
    return isa<ShapedType>(value.getType());
  });
  if (!readsTensors && isCheap(producer))
    return true;
  bool oneUser = llvm::all_of(producer->getUsers(), [&](Operation *user) {
    return user == consumer.getOperation();
  });
  if (!oneUser || !repeatsLittle(operand, producer, consumer))
    return false;
  // Where the consumer visits an element several times, fusion repeats the
  // computation; in a contraction it also hides the multiply-add.
  if (consumer.getMatchingIndexingMap(operand).isPermutation())
    return true;
  if (consumer.getNumReductionLoops() != 0)
    return onlyWidens(producer);
  return isCheap(producer);
}

/// True if all other users of the value stand before the operation, in its
/// block.
static bool isLastUser(Operation *op, Value value) {
  Block *block = op->getBlock();
  return value.getParentBlock() == block &&
         llvm::count(op->getOperands(), value) == 1 &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           Operation *ancestor = block->findAncestorOpInBlock(*user);
           return user == op || (ancestor && ancestor->isBeforeInBlock(op));
         });
}

/// True if nothing needs what an argument of a region holds once the region has
/// run: the region reads it last, and it is a donated argument of the function,
/// or what a loop carries on from one, or from what another region or a copy
/// has made. Bufferization would undo what is wrong by a copy.
static bool isGivenAway(BlockArgument argument) {
  auto region = dyn_cast<ExecuteOp>(argument.getOwner()->getParentOp());
  if (!region)
    return false;
  Operation *last = region;
  Value value = region.getInputs()[argument.getArgNumber()];
  while (isLastUser(last, value)) {
    auto outer = dyn_cast<BlockArgument>(value);
    if (!outer)
      return last != region && isa<ExecuteOp, CopyOp>(value.getDefiningOp());
    Operation *parent = outer.getOwner()->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(parent))
      return outer.getOwner()->isEntryBlock() &&
             isDonated(function, outer.getArgNumber());
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    OpOperand *init = loop && !parent->hasTrait<OpTrait::HasParallelRegion>()
                          ? loop.getTiedLoopInit(outer)
                          : nullptr;
    if (!init)
      return false;
    last = loop;
    value = init->get();
  }
  return false;
}

/// Decides whether the producer of an operand is computed in its consumer,
/// whose location upstream gives to what both become.
static bool shouldFuse(OpOperand *operand) {
  if (!isWorthFusing(operand))
    return false;
  joinLocations(operand->getOwner(), operand->get().getDefiningOp());
  return true;
}

namespace {
/// Makes an elementwise operation overwrite its input when it is the only user:
/// the result then lives in the buffer of the producer, or of an argument that
/// is donated.
struct OverwriteInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
      return failure();
    OpOperand *init = op.getDpsInitOperand(0);
    if (!init->get().getDefiningOp<tensor::EmptyOp>() ||
        op.payloadUsesValueFromOperand(init) ||
        !op.getMatchingIndexingMap(init).isPermutation())
      return failure();
    for (OpOperand *input : op.getDpsInputOperands())
      if (canOverwrite(op, input, init))
        return overwrite(op, input, init, rewriter);
    return failure();
  }

private:
  static bool canOverwrite(linalg::GenericOp op, OpOperand *input,
                           OpOperand *init) {
    return isOverwritable(op, input->get()) && input->get().hasOneUse() &&
           input->get().getType() == init->get().getType() &&
           op.getMatchingIndexingMap(input) == op.getMatchingIndexingMap(init);
  }

  static bool isOverwritable(linalg::GenericOp op, Value value) {
    if (auto producer = value.getDefiningOp<linalg::GenericOp>())
      return producer->getBlock() == op->getBlock();
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op->getBlock() &&
           isGivenAway(argument);
  }

  static LogicalResult overwrite(linalg::GenericOp op, OpOperand *input,
                                 OpOperand *init, PatternRewriter &rewriter) {
    Value value = input->get();
    rewriter.modifyOpInPlace(op, [&] {
      BlockArgument from = op.getMatchingBlockArgument(input);
      rewriter.replaceAllUsesWith(from, op.getMatchingBlockArgument(init));
      init->set(value);
      // A dead input for the patterns that drop dead inputs.
      input->set(value);
    });
    return success();
  }
};
} // namespace

namespace {
/// Erases what has lost its unused results: the checks of indices that keep it
/// are of elements that nothing needs.
struct EraseWithoutResults : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 0 || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "its results or buffers are used");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Long chains
//===----------------------------------------------------------------------===//

/// From so many operations on it matters that a fusion clones both bodies.
static constexpr size_t kManyOperations = 64;

/// An operand of the operation whose producer it can compute itself, and that
/// is not one of `made`; null if there is none.
static OpOperand *findFusable(linalg::GenericOp op,
                              const llvm::SetVector<Operation *> &made) {
  for (OpOperand &operand : op->getOpOperands())
    if (!made.contains(operand.get().getDefiningOp()) &&
        linalg::areElementwiseOpsFusable(&operand) && shouldFuse(&operand))
      return &operand;
  return nullptr;
}

/// Fuses each operation with at most one that it reads and that is not fused
/// yet. Returns what this makes.
static llvm::SetVector<Operation *>
fuseNeighbours(ArrayRef<linalg::GenericOp> ops, IRRewriter &rewriter) {
  llvm::SetVector<Operation *> made;
  for (linalg::GenericOp op : ops) {
    OpOperand *operand = findFusable(op, made);
    if (!operand)
      continue;
    Operation *producer = operand->get().getDefiningOp();
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused))
      continue;
    for (auto [from, to] : fused->replacements)
      rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
        return use.get().getDefiningOp() != producer;
      });
    rewriter.eraseOp(op);
    if (isOpTriviallyDead(producer)) {
      made.remove(producer);
      rewriter.eraseOp(producer);
    }
    made.insert(fused->fusedOp);
  }
  return made;
}

static SmallVector<linalg::GenericOp> collectGenerics(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  return ops;
}

/// Fuses chains by halves. One operation after the other would clone the body
/// of a chain as often as it has operations.
static LogicalResult fuseLongChains(Operation *root) {
  SmallVector<linalg::GenericOp> ops = collectGenerics(root);
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  IRRewriter rewriter(context);
  // Producers of equal operands are fused once these are merged.
  SmallVector<Operation *> changed(ops.begin(), ops.end());
  while (ops.size() >= kManyOperations && !changed.empty()) {
    if (failed(applyOpPatternsGreedily(changed, frozen, config)))
      return failure();
    changed = fuseNeighbours(collectGenerics(root), rewriter).takeVector();
    ops = collectGenerics(root);
  }
  return success();
}

LogicalResult mlir::hetero::fuseElementwise(Operation *root) {
  MLIRContext *context = root->getContext();
  // Each sweep fuses what the one before made: deep graphs take many.
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  if (failed(fuseLongChains(root)))
    return failure();
  {
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    tensor::populateFoldTensorEmptyPatterns(patterns);
    patterns.add<EraseWithoutResults>(context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(root, std::move(patterns), config)))
      return failure();
  }
  RewritePatternSet patterns(context);
  patterns.add<OverwriteInput, EraseWithoutResults>(context);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

/// The given-away input that the operation may write its result to, element by
/// element, while it reads it; null if there is none.
static OpOperand *findOverwritten(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  if (op.getNumReductionLoops() != 0 || !map.isIdentity() ||
      !init.get().getDefiningOp<tensor::EmptyOp>() ||
      op.payloadUsesValueFromOperand(&init))
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto argument = dyn_cast<BlockArgument>(input->get());
    if (argument && argument.hasOneUse() &&
        argument.getType() == init.get().getType() &&
        op.getMatchingIndexingMap(input) == map && isGivenAway(argument))
      return input;
  }
  return nullptr;
}

void mlir::hetero::overwriteDonated(ExecuteOp region) {
  for (auto op : region.getBodyBlock()->getOps<linalg::LinalgOp>())
    for (OpOperand &init : op.getDpsInitsMutable())
      if (OpOperand *input = findOverwritten(op, init))
        init.set(input->get());
}
