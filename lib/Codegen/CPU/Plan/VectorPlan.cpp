//===- VectorPlan.cpp - How one operation is vectorized -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorPlan.h"

#include "ConstantPanels.h"
#include "DotPlan.h"
#include "PixelPlan.h"
#include "TransposePlan.h"
#include "WindowPlan.h"
#include "hetero/Codegen/GPU/KernelSupport.h"
#include "hetero/Codegen/Match/NeutralElement.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// The longest stride for which loading what lies between is cheaper than a
/// load per lane.
static constexpr int64_t kMaxStride = 4;

/// Rows that one pass reads at a time: as many as a processor fetches ahead,
/// for a load and a store of the result.
static constexpr int64_t kPassSteps = 8;

/// Rows that must share a panel for it to be worth making.
static constexpr int64_t kMinPackedRows = 64;
/// What one entry of the processor's table of addresses covers.
static constexpr int64_t kPageBytes = 4096;
/// What an operand must stretch over for it to be packed: more than the nearest
/// cache.
static constexpr int64_t kMinPackedBytes = 64 * 1024;
/// The part of a panel that stays in the second-level cache while rows of other
/// operands and of the result come and go.
static constexpr int64_t kMaxPanelBytes = 256 * 1024;
/// The same for its order to matter where nothing shares it: a good part of the
/// second-level cache.
static constexpr int64_t kMinStreamedBytes = 256 * 1024;

int64_t mlir::hetero::getAccessStride(linalg::GenericOp op, OpOperand *operand,
                                      unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(loop))
      return 0;
  AffineExpr last = map.getResults().back();
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      last.replace(dim, dim + 1) - last, op.getNumLoops(), 0));
  return step ? step.getValue() : 0;
}

bool mlir::hetero::isWholeInVectors(Type element) {
  if (!element.isIntOrFloat())
    return element.isIndex();
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_32(bits);
}

AccessKind mlir::hetero::classifyAccess(linalg::GenericOp op,
                                        OpOperand *operand, unsigned loop) {
  if (!op.getMatchingIndexingMap(operand).isFunctionOfDim(loop))
    return AccessKind::Invariant;
  if (!isWholeInVectors(getElementTypeOrSelf(operand->get().getType())))
    return AccessKind::Scattered;
  int64_t stride = getAccessStride(op, operand, loop);
  if (stride == 1)
    return AccessKind::Contiguous;
  return stride > 1 && stride <= kMaxStride ? AccessKind::Strided
                                            : AccessKind::Scattered;
}

Operation *mlir::hetero::getCombiner(linalg::GenericOp op, unsigned result) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), result, combiners) ||
      combiners.size() != 1)
    return nullptr;
  Operation *combiner = combiners.front();
  return getNeutralElement(combiner) && linalg::getCombinerOpKind(combiner)
             ? combiner
             : nullptr;
}

bool mlir::hetero::readsTensor(linalg::GenericOp op, OpOperand *input) {
  return isa<RankedTensorType>(input->get().getType()) &&
         op.payloadUsesValueFromOperand(input);
}

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

/// True if every operation of the body has a form on vectors.
static bool isVectorizable(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumLoops() == 0)
    return false;
  for (Type type : op.getBody()->getArgumentTypes())
    if (!isScalar(type))
      return false;
  // A result that moves along a reduction is no sum in registers.
  if (!storesOncePerPoint(op))
    return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isProjectedPermutation())
      return false;
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    if (isa<linalg::IndexOp>(inner))
      return true;
    if (auto constant = dyn_cast<arith::ConstantOp>(inner))
      return isScalar(constant.getType());
    if (isa<cf::AssertOp>(inner))
      return true;
    return inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
           OpTrait::hasElementwiseMappableTraits(&inner) &&
           llvm::all_of(inner.getOperandTypes(), isScalar) &&
           isScalar(inner.getResult(0).getType());
  });
}

/// Bits of the widest type that the body computes with. Narrow floats are
/// computed as f32.
static int64_t getWidestBits(linalg::GenericOp op) {
  int64_t bits = 8;
  auto raise = [&](Type type) {
    if (type.isIndex())
      bits = std::max<int64_t>(bits, 64);
    else if (isa<FloatType>(type))
      bits =
          std::max<int64_t>(bits, std::max(32u, type.getIntOrFloatBitWidth()));
    else
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  };
  for (BlockArgument argument : op.getBody()->getArguments())
    if (!argument.use_empty())
      raise(argument.getType());
  for (Operation &inner : op.getBody()->without_terminator())
    for (Type type : inner.getResultTypes())
      raise(type);
  return bits;
}

bool mlir::hetero::mayTrap(linalg::GenericOp op) {
  return llvm::any_of(*op.getBody(),
                      [](Operation &inner) { return !isSpeculatable(&inner); });
}

/// How good `loop` is as the vector loop; none if it cannot be.
static std::optional<int> scoreLoop(linalg::GenericOp op, unsigned loop,
                                    int64_t lanes, bool &scattered) {
  bool isReduction =
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  int64_t size = op.getStaticLoopRanges()[loop];
  if (size == 1)
    return std::nullopt;
  int score = 0;
  scattered = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (isReduction) {
      unsigned index = init.getOperandNumber() - op.getNumDpsInputs();
      if (classifyAccess(op, &init, loop) != AccessKind::Invariant ||
          !getCombiner(op, index))
        return std::nullopt;
    } else if (classifyAccess(op, &init, loop) != AccessKind::Contiguous) {
      return std::nullopt;
    } else {
      score += 4;
    }
  }
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!readsTensor(op, input))
      continue;
    AccessKind kind = findConstantPart(op, input, loop)
                          ? AccessKind::Contiguous
                          : classifyAccess(op, input, loop);
    scattered |= kind == AccessKind::Scattered;
    score += kind == AccessKind::Contiguous  ? 3
             : kind == AccessKind::Invariant ? 1
             : kind == AccessKind::Strided   ? -1
                                             : -4;
  }
  if (!ShapedType::isDynamic(size) && size < 4)
    score -= 6;
  // Putting the lanes of a short sum together costs more than it saves.
  if (!ShapedType::isDynamic(size) && isReduction && size < 2 * lanes)
    score = std::min(score, 1);
  return score;
}

int mlir::hetero::findRowLoop(linalg::GenericOp op, int vectorLoop,
                              bool ofVectors) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (int loop = op.getNumLoops() - 1; loop >= 0; --loop) {
    if (loop == vectorLoop ||
        iterators[loop] != utils::IteratorType::parallel || sizes[loop] == 1)
      continue;
    for (OpOperand *input : op.getDpsInputOperands())
      if (readsTensor(op, input) &&
          classifyAccess(op, input, loop) == AccessKind::Invariant &&
          (!ofVectors ||
           classifyAccess(op, input, vectorLoop) != AccessKind::Invariant))
        return loop;
  }
  return -1;
}

/// The loop along which an input that is scattered along the vector loop is
/// contiguous, as in a transpose: a block of both stays in the nearest cache.
static int findBlockLoop(linalg::GenericOp op, int vectorLoop) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType()) &&
        classifyAccess(op, input, vectorLoop) == AccessKind::Scattered)
      for (int loop = op.getNumLoops() - 1; loop >= 0; --loop)
        if (loop != vectorLoop &&
            iterators[loop] == utils::IteratorType::parallel &&
            classifyAccess(op, input, loop) == AccessKind::Contiguous)
          return loop;
  return -1;
}

/// How many vectors next to each other: blocks of about the same width of at
/// most `most`, for what is left is a block, too.
static int64_t chooseVectors(int64_t size, int64_t lanes, int64_t most) {
  if (ShapedType::isDynamic(size))
    return most;
  int64_t count = std::max<int64_t>(1, size / lanes);
  for (int64_t vectors = most; vectors > most / 2; --vectors)
    if (count % vectors == 0)
      return vectors;
  return llvm::divideCeil(count, llvm::divideCeil(count, most));
}

/// A register tile of rows that share vectors: accumulators take three quarters
/// of the registers, and as many vectors next to each other as leave none over.
static void planSharedVectors(int64_t size, const CPUTarget &target,
                              VectorPlan &plan) {
  int64_t accumulators = target.vectorRegisters * 3 / 4;
  // Eight rows of three read fewer bytes in each step than six of four.
  SmallVector<int64_t> widths = {3, 4, 2};
  if (accumulators < 24)
    widths = {2, 3};
  int64_t usual = accumulators < 24 ? 2 : 3;
  plan.vectors = usual;
  if (!ShapedType::isDynamic(size)) {
    int64_t count = std::max<int64_t>(1, size / plan.lanes);
    auto exact = llvm::find_if(
        widths, [&](int64_t width) { return count % width == 0; });
    plan.vectors =
        exact != widths.end() ? *exact : std::min<int64_t>(usual, count);
    // Two that are left over cost less than two everywhere.
    if (plan.vectors == 2 && usual == 3 && count > 2 && count % usual == 2)
      plan.vectors = usual;
  }
  plan.rows = std::min<int64_t>(plan.vectors == 1 ? 16 : 12,
                                accumulators / plan.vectors);
}

/// Chooses how many rows and vectors the registers hold.
static void planRegisters(linalg::GenericOp op, const CPUTarget &target,
                          VectorPlan &plan) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t size = sizes[plan.vectorLoop];
  int64_t accumulators = target.vectorRegisters / 2;
  if (op.getNumReductionLoops() == 0) {
    plan.rowLoop = findBlockLoop(op, plan.vectorLoop);
    plan.rows = plan.rowLoop < 0 ? 1 : 16;
  } else if ((plan.rowLoop = findRowLoop(op, plan.vectorLoop, true)) >= 0) {
    if (plan.reducesLanes) {
      plan.vectors = chooseVectors(size, plan.lanes, 2);
      plan.rows = 4;
      planLaneTile(op, target, plan);
    } else {
      planSharedVectors(size, target, plan);
    }
  } else if (!plan.reducesLanes &&
             (plan.rowLoop = findRowLoop(op, plan.vectorLoop, false)) >= 0) {
    plan.vectors = chooseVectors(size, plan.lanes, 2);
    plan.rows = accumulators / (2 * plan.vectors);
  } else {
    plan.vectors =
        chooseVectors(size, plan.lanes, plan.reducesLanes ? 4 : accumulators);
  }
  // Blocks of rows of about the same height; those of a transpose are as high
  // as they are wide.
  if (plan.rowLoop >= 0 && sizes[plan.rowLoop] > 0 &&
      (op.getNumReductionLoops() != 0 || sizes[plan.rowLoop] < plan.rows)) {
    int64_t blocks = llvm::divideCeil(sizes[plan.rowLoop], plan.rows);
    plan.rows = llvm::divideCeil(sizes[plan.rowLoop], blocks);
  }
}

/// Bytes from one row of the operand's memory to the next; INT64_MAX if
/// unknown.
static int64_t getRowBytes(OpOperand *operand) {
  Value source = operand->get();
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  int64_t size = type.getShape().back();
  return ShapedType::isDynamic(size)
             ? INT64_MAX
             : size * getElementBytes(type.getElementType());
}

/// True if reading `operand` where it is costs more than a copy: the rows that
/// steps of the reduction read are far apart in more memory than the nearer
/// caches hold, or vectors are not contiguous.
static bool isWorthPacking(linalg::GenericOp op, OpOperand *operand,
                           const VectorPlan &plan, int64_t least) {
  AccessKind kind = classifyAccess(op, operand, plan.vectorLoop);
  if (kind == AccessKind::Strided)
    return true;
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (kind != AccessKind::Contiguous || !map.isProjectedPermutation())
    return false;
  int64_t bytes = getRowBytes(operand);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : getReductionLoops(op, operand))
    if (ShapedType::isDynamic(sizes[loop]) ||
        llvm::MulOverflow(bytes, sizes[loop], bytes))
      return true;
  return bytes >= least;
}

SmallVector<unsigned> mlir::hetero::getReductionLoops(linalg::GenericOp op,
                                                      OpOperand *operand) {
  SmallVector<unsigned> loops;
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction && map.isFunctionOfDim(loop))
      loops.push_back(loop);
  return loops;
}

/// Constants are laid out as the vectors read them, whoever shares them.
static void planConstants(linalg::GenericOp op, VectorPlan &plan) {
  if (plan.reducesLanes || plan.scalarTail || op.getNumReductionLoops() == 0)
    return;
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) &&
        (plan.rowLoop < 0 ||
         classifyAccess(op, input, plan.rowLoop) == AccessKind::Invariant) &&
        findConstantPart(op, input, plan.vectorLoop))
      plan.prepared.push_back(input->getOperandNumber());
}

/// Without rows that share it, memory is read once, and fastest in its order:
/// some rows at a time from their beginnings to their ends.
static void planPasses(linalg::GenericOp op, const CPUTarget &target,
                       VectorPlan &plan) {
  if (plan.rowLoop >= 0 || plan.reducesLanes || !plan.prepared.empty() ||
      op.getNumReductionLoops() != 1)
    return;
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) &&
        classifyAccess(op, input, plan.vectorLoop) == AccessKind::Contiguous &&
        !getReductionLoops(op, input).empty() &&
        isWorthPacking(op, input, plan, kMinStreamedBytes)) {
      plan.steps = kPassSteps;
      plan.vectors = chooseVectors(op.getStaticLoopRanges()[plan.vectorLoop],
                                   plan.lanes, target.vectorRegisters / 8);
      return;
    }
}

/// Bytes of all of an operand; INT64_MAX if unknown.
static int64_t getBytes(OpOperand *operand) {
  auto type = cast<RankedTensorType>(operand->get().getType());
  return type.hasStaticShape()
             ? type.getNumElements() * getElementBytes(type.getElementType())
             : INT64_MAX;
}

/// Where the image is one vector wide, the register tile takes in some of its
/// rows: a filter is then loaded once for all of them.
static void planInnerTile(linalg::GenericOp op, const CPUTarget &target,
                          VectorPlan &plan) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t accumulators = target.vectorRegisters * 3 / 4;
  int64_t count = accumulators < 24 ? 2 : 3;
  int64_t rows = accumulators / count;
  if (plan.innerLoop < 0 || plan.reducesLanes || plan.vectors != 1 ||
      plan.rows < rows || plan.scalarTail || sizes[plan.innerLoop] < count)
    return;
  plan.innerCount = count;
  plan.rows = rows;
}

/// Of a small image with many filters, all rows of pixels go through a block of
/// filters before the next block: the filters are read once.
static void planInnerLoop(linalg::GenericOp op, VectorPlan &plan) {
  if (plan.rowLoop < 0 || plan.reducesLanes || !plan.packed.empty() ||
      !plan.prepared.empty() || op.getNumReductionLoops() == 0)
    return;
  int64_t ofRows = 0, ofVectors = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!readsTensor(op, input))
      continue;
    bool hasRows =
        op.getMatchingIndexingMap(input).isFunctionOfDim(plan.rowLoop);
    int64_t &bytes = hasRows ? ofRows : ofVectors;
    bytes = std::max(bytes, getBytes(input));
  }
  if (ofRows < kMinStreamedBytes || ofRows == INT64_MAX || ofVectors > ofRows)
    return;
  for (int loop = op.getNumLoops() - 1; loop >= 0 && plan.innerLoop < 0; --loop)
    if (loop != plan.rowLoop && loop != plan.vectorLoop &&
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          AffineMap map = op.getMatchingIndexingMap(input);
          return !map.isFunctionOfDim(plan.rowLoop) ||
                 !map.isFunctionOfDim(loop);
        }))
      plan.innerLoop = loop;
}

/// Rows that must share a panel of `operand` for it to be worth making: a few
/// blocks where each step of the reduction is in another page, which takes
/// longer to look up than what is in it to copy. Elements of groups change
/// places, which a few rows are worth.
static int64_t getLeastRows(linalg::GenericOp op, OpOperand *operand,
                            const VectorPlan &plan) {
  if (plan.group > 1)
    return 2 * plan.rows;
  bool isApart =
      classifyAccess(op, operand, plan.vectorLoop) == AccessKind::Contiguous &&
      getRowBytes(operand) >= kPageBytes;
  return isApart ? std::min(kMinPackedRows, 3 * plan.rows) : kMinPackedRows;
}

/// Chooses the inputs that are packed.
static void planPacking(linalg::GenericOp op, VectorPlan &plan) {
  if (plan.rowLoop < 0 || plan.reducesLanes || plan.scalarTail ||
      op.getNumReductionLoops() == 0)
    return;
  int64_t rows = op.getStaticLoopRanges()[plan.rowLoop];
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) &&
        !llvm::is_contained(plan.prepared, input->getOperandNumber()) &&
        classifyAccess(op, input, plan.rowLoop) == AccessKind::Invariant &&
        !getReductionLoops(op, input).empty() &&
        (llvm::is_contained(plan.transposed, input->getOperandNumber()) ||
         ((ShapedType::isDynamic(rows) ||
           rows >= getLeastRows(op, input, plan)) &&
          (plan.group > 1 ||
           isWorthPacking(op, input, plan, kMinPackedBytes)))))
      plan.packed.push_back(input->getOperandNumber());
}

/// Of a long reduction, whose panel the second-level cache does not hold, all
/// rows do a part before the next.
static void planDepth(linalg::GenericOp op, VectorPlan &plan) {
  SmallVector<unsigned> panels = plan.packed;
  llvm::append_range(panels, plan.prepared);
  if (panels.size() != 1 || plan.rowLoop < 0)
    return;
  OpOperand *input = &op->getOpOperand(panels.front());
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t bytes = plan.vectors * plan.lanes *
                  getElementBytes(getElementTypeOrSelf(input->get().getType()));
  int64_t uses = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (ShapedType::isDynamic(size))
      return;
    bool isRead = op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
    if (llvm::is_contained(loops, loop) ? !isRead : isRead)
      continue;
    if (!llvm::is_contained(loops, loop))
      uses *= size;
    else if (loop != loops.front())
      bytes *= size;
  }
  int64_t size = sizes[loops.front()];
  if (size * bytes <= kMaxPanelBytes || uses < 2 * plan.rows)
    return;
  for (int64_t depth = kMaxPanelBytes / bytes; depth > 0; --depth)
    if (size % depth == 0 && depth % plan.group == 0 &&
        16 * depth * bytes >= kMaxPanelBytes) {
      plan.depth = depth;
      return;
    }
}

std::optional<VectorPlan>
mlir::hetero::planVectorLoops(linalg::GenericOp op, const CPUTarget &target) {
  if (!isVectorizable(op))
    return std::nullopt;
  VectorPlan plan;
  plan.lanes =
      std::clamp<int64_t>(target.vectorBits / getWidestBits(op), 2, 64);
  int best = -1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool scattered = false;
    std::optional<int> score = scoreLoop(op, loop, plan.lanes, scattered);
    // Of equals the innermost: it is the one that streams through memory.
    if (!score || *score < 0 || *score < best)
      continue;
    best = *score;
    plan.vectorLoop = loop;
    plan.scalarTail = scattered || mayTrap(op);
  }
  if (plan.vectorLoop < 0)
    return std::nullopt;
  plan.reducesLanes = op.getIteratorTypesArray()[plan.vectorLoop] ==
                      utils::IteratorType::reduction;
  planTransposedPanels(op, target, plan);
  int64_t size = op.getStaticLoopRanges()[plan.vectorLoop];
  if (!ShapedType::isDynamic(size) && size < plan.lanes)
    plan.lanes = std::max<int64_t>(2, llvm::PowerOf2Ceil(size));
  if (planWindow(op, target, plan)) {
    planConstants(op, plan);
    return plan;
  }
  planLaneDots(op, target, plan);
  planRegisters(op, target, plan);
  planRowDots(op, target, plan);
  planConstants(op, plan);
  planPasses(op, target, plan);
  planPacking(op, plan);
  planPixels(op, target, plan);
  planDepth(op, plan);
  planInnerLoop(op, plan);
  planInnerTile(op, target, plan);
  return plan;
}
