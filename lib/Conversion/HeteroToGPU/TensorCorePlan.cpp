//===- TensorCorePlan.cpp - How tensor cores multiply ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCorePlan.h"

#include "hetero/Conversion/HeteroToGPU/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;

/// Smaller matrices do not fill the tiles of an instruction.
static constexpr int64_t kFewestLines = 8, kLeastDepth = 16;

/// A device is busy with a block for each of so many multiprocessors.
static constexpr int64_t kMultiprocessors = 108;

static constexpr int64_t kLargeTile = 128, kSmallTile = 64;

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Behind a widening of a float.
static Value skipExtension(Value value) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  return extension ? extension.getIn() : value;
}

bool mlir::hetero::addsProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 2)
    return false;
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  Value old = body->getArgument(2);
  Value term = sum.getLhs() == old ? sum.getRhs() : sum.getLhs();
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product || (sum.getLhs() != old && sum.getRhs() != old))
    return false;
  Value a = skipExtension(product.getLhs()),
        b = skipExtension(product.getRhs());
  Value x = body->getArgument(0), y = body->getArgument(1);
  return (a == x && b == y) || (a == y && b == x);
}

static bool hasTensorCoreTypes(linalg::LinalgOp op) {
  if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
    return false;
  Type a = getElementTypeOrSelf(op->getOperand(0).getType());
  Type b = getElementTypeOrSelf(op->getOperand(1).getType());
  Type c = getElementTypeOrSelf(op->getOperand(2).getType());
  return a == b && (a.isF16() || a.isBF16()) && (c == a || c.isF32());
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

std::optional<int64_t>
mlir::hetero::getCoefficient(AffineMap map, AffineExpr result, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, map.getContext());
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      result.replace(dim, dim + 1) - result, map.getNumDims(), 0));
  return step ? std::optional(step.getValue()) : std::nullopt;
}

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

std::optional<int64_t> mlir::hetero::getStaticStep(linalg::LinalgOp op,
                                                   OpOperand &operand,
                                                   unsigned loop) {
  SmallVector<int64_t> strides;
  int64_t offset, step = 0;
  auto type = cast<MemRefType>(operand.get().getType());
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides)) {
    int64_t coefficient = *getCoefficient(map, result, loop);
    if (coefficient != 0 && ShapedType::isDynamic(stride))
      return std::nullopt;
    step += coefficient == 0 ? 0 : coefficient * stride;
  }
  return step;
}

namespace {
class Planner {
public:
  explicit Planner(linalg::LinalgOp op)
      : op(op), sizes(op.getStaticLoopRanges()) {}

  std::optional<TensorCorePlan> run() {
    if (!addsProduct(op) || !hasTensorCoreTypes(op) || !areMapsLinear())
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

  /// The product of sizes; none if one is not known.
  std::optional<int64_t> count(ArrayRef<unsigned> loops) {
    int64_t total = 1;
    for (unsigned loop : loops)
      if (ShapedType::isDynamic(sizes[loop]) ||
          llvm::MulOverflow(total, sizes[loop], total))
        return std::nullopt;
    return total;
  }

  /// The reduction along which an operand is contiguous, else the longest.
  bool chooseDepth() {
    plan.taps = collapseLoops(op, reductions);
    if (plan.taps.empty())
      return false;
    auto rank = [&](ArrayRef<unsigned> group) {
      bool left = getStaticStep(op, *plan.lhs.operand, group.back()) == 1;
      bool right = getStaticStep(op, *plan.rhs.operand, group.back()) == 1;
      int64_t length =
          count(group).value_or(std::numeric_limits<int64_t>::max());
      return std::make_tuple(left + right, length);
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
      std::optional<int64_t> total = count(loops);
      return total && *total < least;
    };
    return isBelow(plan.rows, kFewestLines) ||
           isBelow(plan.columns, kFewestLines) ||
           isBelow(plan.depth, kLeastDepth);
  }

  void layOut(TensorCoreOperand &side, ArrayRef<unsigned> loops) {
    side.lines = collapseLoops(op, loops);
    auto isUnit = [&](unsigned loop) {
      return getStaticStep(op, *side.operand, loop) == 1;
    };
    bool alongLines = side.lines.size() == 1 && isUnit(side.lines[0].back());
    side.alongDepth = isUnit(plan.depth.back()) || !alongLines;
    unsigned inner = side.alongDepth ? plan.depth.back() : side.lines[0].back();
    side.mayBeAligned = isUnit(inner);
    constexpr int64_t kElements = 8;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      std::optional<int64_t> step = getStaticStep(op, *side.operand, loop);
      if (loop != inner && sizes[loop] != 1 && step && *step % kElements != 0 &&
          !isInside(loop))
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

  /// The larger tile reads less, the smaller one makes more blocks.
  void chooseTile() {
    auto edge = [&](ArrayRef<unsigned> loops) {
      std::optional<int64_t> total = count(loops);
      return total && *total <= kSmallTile ? kSmallTile : kLargeTile;
    };
    plan.tileRows = edge(plan.rows);
    plan.tileColumns = edge(plan.columns);
    // The copy of elements needs the registers of half of a large tile.
    if (!areAlwaysChunks(plan.lhs) || !areAlwaysChunks(plan.rhs))
      plan.tileColumns = kSmallTile;
    std::optional<int64_t> rows = count(plan.rows),
                           columns = count(plan.columns);
    int64_t batches = count(plan.batch).value_or(1);
    if (rows && columns &&
        llvm::divideCeil(*rows, plan.tileRows) *
                llvm::divideCeil(*columns, plan.tileColumns) * batches <
            kMultiprocessors)
      plan.tileRows = plan.tileColumns = kSmallTile;
  }

  linalg::LinalgOp op;
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> reductions;
  TensorCorePlan plan;
};
} // namespace

std::optional<TensorCorePlan>
mlir::hetero::planTensorCores(linalg::LinalgOp op) {
  return Planner(op).run();
}
