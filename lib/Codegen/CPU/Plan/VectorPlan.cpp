//===- VectorPlan.cpp - How one operation is vectorized -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorPlan.h"

#include "Access.h"
#include "Codegen/Match/NeutralElement.h"
#include "ConstantPanels.h"
#include "DotPlan.h"
#include "PixelPlan.h"
#include "RegisterPlan.h"
#include "SumPlan.h"
#include "TransposePlan.h"
#include "WindowPlan.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Support/Assert.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

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

static bool isReductionLoop(linalg::GenericOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
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
    // Dimensions of one element, as sums that keep theirs have, are no loops.
    if (!op.getMatchingIndexingMap(&init).isProjectedPermutation(
            /*allowZeroInResults=*/true))
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
  bool isReduction = isReductionLoop(op, loop);
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

/// The plan, of which nobody has seen yet whether it can be emitted.
static std::optional<VectorPlan> makePlan(linalg::GenericOp op,
                                          const CPUTarget &target) {
  if (!isVectorizable(op))
    return std::nullopt;
  VectorPlan plan;
  plan.lanes =
      std::clamp<int64_t>(target.vectorBits / getWidestBits(op), 2, 64);
  std::optional<int> best;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool scattered = false;
    std::optional<int> score = scoreLoop(op, loop, plan.lanes, scattered);
    // Of equals the innermost: it is the one that streams through memory.
    if (!score || *score < best.value_or(0))
      continue;
    best = score;
    plan.vectorLoop = loop;
    plan.scalarTail = scattered || mayTrap(op);
  }
  if (!best)
    return std::nullopt;
  if (isReductionLoop(op, plan.vectorLoop))
    plan.form = LaneSums();
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

std::optional<VectorPlan>
mlir::hetero::planVectorLoops(linalg::GenericOp op, const CPUTarget &target) {
  std::optional<VectorPlan> plan = makePlan(op, target);
  if (plan)
    planSumBlocks(op, *plan);
  HETERO_ASSERT(!plan || plan->findFault(op).empty(),
                "a plan's parts agree with each other");
  return plan;
}

//===----------------------------------------------------------------------===//
// VectorPlan
//===----------------------------------------------------------------------===//

static std::optional<unsigned> getLoop(const std::optional<TiledLoop> &tiled) {
  return tiled ? std::optional(tiled->loop) : std::nullopt;
}

std::optional<unsigned> VectorPlan::getRowLoop() const { return getLoop(rows); }

std::optional<unsigned> VectorPlan::getInnerLoop() const {
  return getLoop(inner);
}

std::optional<unsigned> VectorPlan::getNarrowLoop() const {
  return narrow ? std::optional(narrow->loop) : std::nullopt;
}

std::optional<unsigned> VectorPlan::getWindowLoop() const {
  const WindowRows *window = getWindow();
  return window ? std::optional(window->loop) : std::nullopt;
}

int64_t VectorPlan::getPassSteps() const {
  const auto *passes = std::get_if<Passes>(&form);
  return passes ? passes->steps : 1;
}

bool VectorPlan::isFlipped(unsigned input) const {
  return narrow && narrow->flipped == input;
}

bool VectorPlan::isPacked(unsigned input) const {
  return llvm::is_contained(panels.packed, input);
}

bool VectorPlan::isTransposed(unsigned input) const {
  return llvm::is_contained(panels.transposed, input);
}

bool VectorPlan::isPrepared(unsigned input) const {
  return llvm::is_contained(panels.prepared, input);
}

/// What is wrong with the loops that the plan names.
static StringRef findFaultOfLoops(const VectorPlan &plan,
                                  linalg::GenericOp op) {
  if (plan.vectorLoop >= op.getNumLoops() || plan.lanes < 2 || plan.vectors < 1)
    return "no vectors";
  if (isReductionLoop(op, plan.vectorLoop) != plan.is<LaneSums>())
    return "lanes hold partial results of reductions, and of nothing else";
  if (plan.inner && !plan.rows)
    return "an inner loop is inside a row loop";
  SmallVector<unsigned> used = {plan.vectorLoop};
  for (const std::optional<TiledLoop> &tiled : {plan.rows, plan.inner}) {
    if (!tiled)
      continue;
    if (tiled->loop >= op.getNumLoops() || isReductionLoop(op, tiled->loop) ||
        llvm::is_contained(used, tiled->loop) || tiled->count < 1)
      return "rows are of a parallel loop of their own";
    used.push_back(tiled->loop);
  }
  if (plan.narrow &&
      (!isReductionLoop(op, plan.narrow->loop) || plan.narrow->size < 2))
    return "groups are of several steps of a reduction";
  if (plan.sums &&
      (!isReductionLoop(op, plan.sums->loop) || plan.sums->steps < 1))
    return "blocks of sums are of steps of a reduction";
  return "";
}

/// What is wrong with what is in panels.
static StringRef findFaultOfPanels(const VectorPlan &plan) {
  const PanelPlan &panels = plan.panels;
  bool hasPanels = !panels.packed.empty() || !panels.prepared.empty();
  if (hasPanels && (plan.scalarTail || plan.is<LaneSums>()))
    return "panels have whole vectors";
  if (!panels.packed.empty() && !plan.rows)
    return "rows share what is packed";
  if (panels.depth && (!hasPanels || *panels.depth % plan.getGroup() != 0))
    return "a part of a reduction has panels of whole groups";
  if (llvm::any_of(panels.transposed, [&](unsigned input) {
        return !plan.isPacked(input) && !plan.isPrepared(input);
      }))
    return "what is transposed is in panels";
  return "";
}

/// What does not go with the plan's form.
static StringRef findFaultOfForm(const VectorPlan &plan, linalg::GenericOp op) {
  const PanelPlan &panels = plan.panels;
  if (plan.is<Passes>() &&
      (plan.rows || plan.narrow || !panels.prepared.empty() ||
       op.getNumReductionLoops() != 1))
    return "passes are over vectors of one reduction";
  if (const WindowRows *window = plan.getWindow())
    if (!plan.rows || plan.inner || plan.narrow || panels.depth ||
        !panels.packed.empty() || !isReductionLoop(op, window->loop))
      return "a window's rows share what it reads, and nothing is packed";
  if (plan.is<PixelRows>() && (!plan.rows || !panels.packed.empty()))
    return "pixels are rows, and nothing is packed";
  return "";
}

StringRef VectorPlan::findFault(linalg::GenericOp op) const {
  for (StringRef fault : {findFaultOfLoops(*this, op), findFaultOfPanels(*this),
                          findFaultOfForm(*this, op)})
    if (!fault.empty())
      return fault;
  return "";
}

static void printList(raw_ostream &os, StringRef name,
                      ArrayRef<unsigned> inputs) {
  if (inputs.empty())
    return;
  os << ", " << name << " ";
  llvm::interleave(inputs, os, " ");
}

raw_ostream &mlir::hetero::operator<<(raw_ostream &os, const VectorPlan &plan) {
  os << plan.vectors << " x " << plan.lanes << " lanes of loop "
     << plan.vectorLoop;
  if (plan.rows)
    os << ", " << plan.rows->count << " rows of loop " << plan.rows->loop;
  if (plan.inner)
    os << ", " << plan.inner->count << " of loop " << plan.inner->loop;
  if (plan.is<LaneSums>())
    os << ", sums in lanes";
  if (plan.is<Passes>())
    os << ", passes of " << plan.getPassSteps() << " steps";
  if (const WindowRows *window = plan.getWindow())
    os << ", window of loop " << window->loop << " with stride "
       << window->stride << " and dilation " << window->dilation;
  if (plan.is<PixelRows>())
    os << ", rows are pixels";
  if (plan.narrow)
    os << ", groups of " << plan.narrow->size << " steps of loop "
       << plan.narrow->loop;
  if (plan.sums)
    os << ", sums of " << plan.sums->steps << " steps of loop "
       << plan.sums->loop;
  if (plan.narrow && plan.narrow->flipped)
    os << ", flipped " << *plan.narrow->flipped;
  printList(os, "packed", plan.panels.packed);
  printList(os, "transposed", plan.panels.transposed);
  printList(os, "prepared", plan.panels.prepared);
  if (plan.panels.leastRows)
    os << ", at least " << *plan.panels.leastRows << " rows";
  if (plan.panels.depth)
    os << ", " << *plan.panels.depth << " steps at a time";
  if (plan.scalarTail)
    os << ", scalar end";
  return os;
}
