//===- TensorCorePlan.cpp - How tensor cores multiply ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCorePlan.h"

#include "LoopSteps.h"
#include "hetero/Dialect/Hetero/IR/AllowTF32.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;

/// Smaller matrices do not fill the tiles of an instruction, or a thread's part
/// of a block.
static constexpr int64_t kFewestLines = 8, kFewestThreadLines = 16;
static constexpr int64_t kLeastDepth = 16;

/// A device is busy with a block for each of so many multiprocessors, and has
/// room for two small ones on each.
static constexpr int64_t kMultiprocessors = 108, kSmallBlocks = 216;

static constexpr int64_t kLargeTile = 128, kSmallTile = 64;

/// A warp's rows where threads multiply.
static constexpr int64_t kThreadWarpRows = 32;

/// The registers of a thread besides its sums and the elements that these are
/// made of, a fourth of them: for places, and for halves that are being copied,
/// which wide elements are not through registers.
static constexpr int64_t kPlaceRegisters = 88, kCopyRegisters = 64;

/// Of a thread where both edges of a tile are small.
static constexpr int64_t kFewSums = 32;

/// A block that does fewer steps is done sooner than another kernel starts.
static constexpr int64_t kFewestSteps = 16;

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

namespace {
/// The product that a body adds to the old result.
struct Product {
  Operation *product = nullptr;
  /// What widens the first and the second input; null for what is as wide.
  Operation *widened[2] = {nullptr, nullptr};
};
} // namespace

/// The number of the input that a factor is, widened or not.
template <typename... Extensions>
static std::optional<unsigned> findInput(Block *body, Value factor,
                                         Operation *&widened) {
  Operation *extension = factor.getDefiningOp();
  if (extension && isa<Extensions...>(extension)) {
    widened = extension;
    factor = extension->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(factor);
  if (!argument || argument.getOwner() != body || argument.getArgNumber() > 1)
    return std::nullopt;
  return argument.getArgNumber();
}

template <typename Add, typename Multiply, typename... Extensions>
static std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 2)
    return std::nullopt;
  Block *body = op.getBlock();
  auto sum = body->getTerminator()->getOperand(0).getDefiningOp<Add>();
  if (!sum)
    return std::nullopt;
  Value old = body->getArgument(2);
  Value term = sum.getLhs() == old ? sum.getRhs() : sum.getLhs();
  auto product = term.getDefiningOp<Multiply>();
  if (!product || (sum.getLhs() != old && sum.getRhs() != old))
    return std::nullopt;
  Product result;
  result.product = product;
  Operation *left = nullptr, *right = nullptr;
  auto a = findInput<Extensions...>(body, product.getLhs(), left);
  auto b = findInput<Extensions...>(body, product.getRhs(), right);
  if (!a || !b || *a == *b)
    return std::nullopt;
  result.widened[*a] = left;
  result.widened[*b] = right;
  return result;
}

static std::optional<Product> matchFloatProduct(linalg::LinalgOp op) {
  return matchProduct<arith::AddFOp, arith::MulFOp, arith::ExtFOp>(op);
}

bool mlir::hetero::addsProduct(linalg::LinalgOp op) {
  return matchFloatProduct(op).has_value();
}

/// Fills in what multiplies the elements, and how they are taken. False if
/// nothing here does. Factors of f32 may be rounded to tf32 where an attribute
/// says so; where none does, if `otherwise`.
static bool chooseUnit(linalg::LinalgOp op, bool otherwise,
                       TensorCorePlan &plan) {
  if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
    return false;
  Type a = getElementTypeOrSelf(op->getOperand(0).getType());
  Type b = getElementTypeOrSelf(op->getOperand(1).getType());
  Type c = getElementTypeOrSelf(op->getOperand(2).getType());
  if (a != b || !a.isIntOrFloat())
    return false;
  plan.bytes = a.getIntOrFloatBitWidth() / 8;
  if (a.isInteger(8) && c.isInteger(32)) {
    auto product = matchProduct<arith::AddIOp, arith::MulIOp, arith::ExtSIOp,
                                arith::ExtUIOp>(op);
    if (!product || !product->widened[0] || !product->widened[1])
      return false;
    auto getElement = [&](Operation *extension) {
      return isa<arith::ExtUIOp>(extension) ? NVVM::MMATypes::u8
                                            : NVVM::MMATypes::s8;
    };
    plan.lhs.element = getElement(product->widened[0]);
    plan.rhs.element = getElement(product->widened[1]);
    return true;
  }
  if (!addsProduct(op))
    return false;
  bool isHalf = (a.isF16() || a.isBF16()) && (c == a || c.isF32());
  if (!isHalf && !(a.isF32() && c.isF32()))
    return false;
  plan.usesThreads =
      a.isF32() && !allowsTF32(matchFloatProduct(op)->product, otherwise);
  plan.lhs.element = plan.rhs.element = a.isF16()    ? NVVM::MMATypes::f16
                                        : a.isBF16() ? NVVM::MMATypes::bf16
                                                     : NVVM::MMATypes::tf32;
  return true;
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// True if each result is a sum of loops times constants.
static bool isLinear(AffineMap map) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> zeros(map.getNumDims(),
                                getAffineConstantExpr(0, context));
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    if (result.replaceDims(zeros) != zeros[0])
      return false;
    return llvm::all_of(llvm::seq(map.getNumDims()), [&](unsigned loop) {
      return getCoefficient(map, result, loop).has_value();
    });
  });
}

namespace {
class Planner {
public:
  explicit Planner(linalg::LinalgOp op)
      : op(op), sizes(op.getStaticLoopRanges()) {}

  std::optional<TensorCorePlan> run(bool otherwise) {
    if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
        !chooseUnit(op, otherwise, plan) || !areMapsLinear())
      return std::nullopt;
    plan.lhs.operand = op.getDpsInputOperand(0);
    plan.rhs.operand = op.getDpsInputOperand(1);
    if (!sortLoops())
      return std::nullopt;
    if (isContiguousAlongRows())
      swapSides();
    if (!chooseDepth() || isSmall())
      return std::nullopt;
    layOut(plan.lhs, plan.rows);
    layOut(plan.rhs, plan.columns);
    chooseTile();
    chooseSplits();
    return plan;
  }

private:
  bool areMapsLinear() {
    return llvm::all_of(op.getDpsInputOperands(),
                        [&](OpOperand *input) {
                          return isLinear(op.getMatchingIndexingMap(input));
                        }) &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(0))
               .isProjectedPermutation();
  }

  bool moves(OpOperand &operand, unsigned loop) {
    return op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
  }

  /// Each loop has one of four roles, or the operation is another.
  bool sortLoops() {
    for (unsigned loop : orderParallelLoops(op)) {
      bool left = moves(*plan.lhs.operand, loop);
      bool right = moves(*plan.rhs.operand, loop);
      if ((!left && !right) || !moves(*op.getDpsInitOperand(0), loop))
        return false;
      (left && right ? plan.batch
       : left        ? plan.rows
                     : plan.columns)
          .push_back(loop);
    }
    op.getReductionDims(reductions);
    return llvm::all_of(reductions, [&](unsigned loop) {
      return moves(*plan.lhs.operand, loop) && moves(*plan.rhs.operand, loop);
    });
  }

  bool isContiguousAlongRows() {
    return !plan.rows.empty() &&
           getStaticStep(op, *op.getDpsInitOperand(0), plan.rows.back()) == 1;
  }

  void swapSides() {
    std::swap(plan.lhs, plan.rhs);
    std::swap(plan.rows, plan.columns);
  }

  /// The reduction along which an operand is contiguous, else the longest. One
  /// that is too short is none.
  bool chooseDepth() {
    plan.taps = collapseLoops(op, reductions);
    if (plan.taps.empty())
      return false;
    auto rank = [&](ArrayRef<unsigned> group) {
      bool left = getStaticStep(op, *plan.lhs.operand, group.back()) == 1;
      bool right = getStaticStep(op, *plan.rhs.operand, group.back()) == 1;
      int64_t length = countStatically(op, group).value_or(
          std::numeric_limits<int64_t>::max());
      return std::make_tuple(length >= kLeastDepth, left + right, length);
    };
    auto best = llvm::max_element(plan.taps, [&](const auto &a, const auto &b) {
      return rank(a) < rank(b);
    });
    plan.depth = *best;
    plan.taps.erase(best);
    return true;
  }

  bool isSmall() {
    auto isBelow = [&](ArrayRef<unsigned> loops, int64_t least) {
      std::optional<int64_t> total = countStatically(op, loops);
      return total && *total < least;
    };
    int64_t fewest = plan.usesThreads ? kFewestThreadLines : kFewestLines;
    return isBelow(plan.rows, fewest) || isBelow(plan.columns, fewest) ||
           isBelow(plan.depth, kLeastDepth);
  }

  void layOut(TensorCoreOperand &side, ArrayRef<unsigned> loops) {
    side.lines = collapseLoops(op, loops);
    auto isUnit = [&](unsigned loop) {
      return getStaticStep(op, *side.operand, loop) == 1;
    };
    bool alongLines = !side.lines.empty() && isUnit(side.lines.back().back());
    side.alongDepth = isUnit(plan.depth.back()) || !alongLines;
    unsigned inner =
        side.alongDepth ? plan.depth.back() : side.lines.back().back();
    // A chunk does not cross from one group of lines to another.
    side.mayBeAligned =
        isUnit(inner) && (side.alongDepth || side.lines.size() == 1);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      std::optional<int64_t> step = getStaticStep(op, *side.operand, loop);
      if (loop != inner && sizes[loop] != 1 && step &&
          *step % plan.getChunk() != 0 && !isInside(loop))
        side.mayBeAligned = false;
    }
  }

  /// True for loops that a group's last one stands for.
  bool isInside(unsigned loop) {
    auto contains = [&](ArrayRef<unsigned> group) {
      return llvm::is_contained(group.drop_back(), loop);
    };
    return contains(plan.depth) || llvm::any_of(plan.taps, contains) ||
           llvm::any_of(plan.lhs.lines, contains) ||
           llvm::any_of(plan.rhs.lines, contains);
  }

  /// True if nothing but the operand's address can break its chunks.
  bool areAlwaysChunks(const TensorCoreOperand &side) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!getStaticStep(op, *side.operand, loop))
        return false;
    return side.mayBeAligned;
  }

  /// The blocks of the result; none if sizes are not known.
  std::optional<int64_t> countBlocks() {
    std::optional<int64_t> rows = countStatically(op, plan.rows),
                           columns = countStatically(op, plan.columns);
    if (!rows || !columns)
      return std::nullopt;
    return llvm::divideCeil(*rows, plan.tileRows) *
           llvm::divideCeil(*columns, plan.tileColumns) *
           countStatically(op, plan.batch).value_or(1);
  }

  /// The larger tile reads less, the smaller one makes more blocks.
  void chooseTile() {
    auto edge = [&](ArrayRef<unsigned> loops) {
      std::optional<int64_t> total = countStatically(op, loops);
      return total && *total <= kSmallTile ? kSmallTile : kLargeTile;
    };
    plan.tileRows = edge(plan.rows);
    plan.tileColumns = edge(plan.columns);
    // The copy of elements needs the registers of half of a large tile.
    plan.copiesElements =
        !areAlwaysChunks(plan.lhs) || !areAlwaysChunks(plan.rhs);
    if (plan.copiesElements && plan.bytes != 4)
      plan.tileColumns = kSmallTile;
    std::optional<int64_t> blocks = countBlocks();
    if (blocks && *blocks < kMultiprocessors)
      plan.tileRows = plan.tileColumns = kSmallTile;
    if (plan.usesThreads)
      plan.warpRows = plan.tileRows / kThreadWarpRows;
  }

  /// Where there are few blocks and many steps, several blocks share the steps
  /// of a part of the result.
  void chooseSplits() {
    std::optional<int64_t> blocks = countBlocks(),
                           depth = countStatically(op, plan.depth);
    if (!blocks || !depth || !countStatically(op, plan.batch) || *blocks == 0 ||
        *blocks >= kMultiprocessors)
      return;
    int64_t steps = llvm::divideCeil(*depth, plan.getTileDepth());
    for (ArrayRef<unsigned> group : plan.taps) {
      std::optional<int64_t> taps = countStatically(op, group);
      if (!taps || llvm::MulOverflow(steps, *taps, steps))
        return;
    }
    int64_t splits = std::min(kSmallBlocks / *blocks,
                              std::max<int64_t>(steps, 0) / kFewestSteps);
    if (splits < 2)
      return;
    // No block is left without a step.
    plan.splits = llvm::divideCeil(steps, llvm::divideCeil(steps, splits));
  }

  linalg::LinalgOp op;
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> reductions;
  TensorCorePlan plan;
};
} // namespace

/// Of small tiles, and where elements are copied one by one, assemblers aim at
/// more blocks than the registers of such threads allow, and spill what has no
/// place. The rest they do well.
std::optional<int64_t> TensorCorePlan::getResidentBlocks() const {
  int64_t sums = tileRows * tileColumns / getThreads();
  bool isWide = bytes == 4 && (copiesElements || sums <= kFewSums);
  bool isHalf = bytes == 2 && copiesElements && sums <= kFewSums;
  if (!isWide && !isHalf)
    return std::nullopt;
  int64_t registers =
      kPlaceRegisters + sums + sums / 4 + (isHalf ? kCopyRegisters : 0);
  return std::max<int64_t>(kRegisters / (registers * getThreads()), 1);
}

std::optional<TensorCorePlan> mlir::hetero::planTensorCores(linalg::LinalgOp op,
                                                            bool otherwise) {
  return Planner(op).run(otherwise);
}
