//===- SizeChecks.cpp - Checks of dynamic sizes ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation whose operands have dynamic sizes that do not fit would read out
// of bounds. The sizes are checked before the region, where they are known
// without looking at any element, so that the region's code stays as it is and
// nothing waits for a device:
//
//   %r = hetero.execute "f" on gpu:0 (%x = %a : tensor<?xf32, gpu:0>,
//                                     %y = %b : tensor<?xf32, gpu:0>) ...
//     ->
//   %0 = tensor.dim %a, 0
//   %1 = tensor.dim %b, 0
//   %2 = arith.cmpi eq, %0, %1
//   cf.assert %2, "expected equal sizes in linalg.add at f.mlir:3:8, ..."
//   %r = hetero.execute ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/SizeChecks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Where a size comes from: dimension `index` of the tensor `value`; the scalar
/// `value`, when `index` is -1; or the constant `index`, without a value.
struct Size {
  Value value;
  int64_t index;

  bool isConstant() const { return !value; }
  bool operator==(const Size &other) const {
    return value == other.value && index == other.index;
  }
};

/// Inserts the checks of one region.
class SizeChecker {
public:
  explicit SizeChecker(ExecuteOp region)
      : region(region), builder(region), loc(region.getLoc()) {}
  /// For an operation outside of regions: its checks stand before it.
  explicit SizeChecker(Operation *op) : builder(op), loc(op->getLoc()) {}

  int64_t run() {
    for (Operation &op : *region.getBodyBlock())
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        checkOp(linalgOp);
      else
        checkBounds(&op);
    return checks.size() + bounds;
  }

  /// Checks an operation that accesses part of a tensor.
  int64_t checkBounds(Operation *op);

private:
  /// Follows a size to where it is known outside of the region.
  std::optional<Size> trace(Size size) const;
  std::optional<Size> traceTensor(Size size) const;
  std::optional<Size> traceScalar(Value value) const;

  void checkSlice(OffsetSizeAndStrideOpInterface op, Value tensor);
  void checkElement(tensor::ExtractOp op);
  Value materialize(OpFoldResult number);
  void assertInside(Operation *op, int64_t dim, Value holds);
  void checkOp(linalg::LinalgOp op);
  void checkWindow(linalg::LinalgOp op, OpOperand &operand, int64_t dim,
                   AffineExpr expr, ArrayRef<std::optional<Size>> loops);
  void assertThat(arith::CmpIPredicate predicate, Value left, Value right,
                  const Twine &message);
  Value materialize(Size size);
  /// False if the same sizes were compared before.
  bool isNew(Size a, Size b) {
    return checks
        .insert({{a.value.getAsOpaquePointer(), a.index},
                 {b.value.getAsOpaquePointer(), b.index}})
        .second;
  }

  using Key = std::pair<const void *, int64_t>;
  ExecuteOp region;
  OpBuilder builder;
  Location loc;
  std::set<std::pair<Key, Key>> checks;
  int64_t bounds = 0;
};
} // namespace

/// True if the value is known where `region` stands.
static bool isOutside(Value value, ExecuteOp region) {
  return !region || !region.getBody().isAncestor(value.getParentRegion());
}

/// One step from a dimension of a tensor to what determines it; null when
/// nothing simpler does.
static std::optional<Value> stepTensor(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (auto owner =
            dyn_cast_or_null<ExecuteOp>(argument.getOwner()->getParentOp()))
      return owner.getInputs()[argument.getArgNumber()];
    return std::nullopt;
  }
  auto result = cast<OpResult>(tensor);
  if (auto execute = dyn_cast<ExecuteOp>(result.getOwner()))
    return execute.getYield().getValues()[result.getResultNumber()];
  if (auto copy = dyn_cast<CopyOp>(result.getOwner()))
    return copy.getSource();
  if (auto cast = dyn_cast<tensor::CastOp>(result.getOwner()))
    return cast.getSource();
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return op.getTiedOpOperand(result)->get();
  return std::nullopt;
}

std::optional<Size> SizeChecker::trace(Size size) const {
  while (!size.isConstant()) {
    std::optional<Size> next =
        size.index < 0 ? traceScalar(size.value) : traceTensor(size);
    if (!next || *next == size)
      return isOutside(size.value, region) ? std::optional<Size>(size)
                                           : std::nullopt;
    size = *next;
  }
  return size;
}

std::optional<Size> SizeChecker::traceTensor(Size size) const {
  auto type = dyn_cast<RankedTensorType>(size.value.getType());
  if (!type)
    return std::nullopt;
  if (!type.isDynamicDim(size.index))
    return Size{Value(), type.getDimSize(size.index)};
  if (auto empty = size.value.getDefiningOp<tensor::EmptyOp>())
    return Size{empty.getDynamicSize(size.index), -1};
  std::optional<Value> source = stepTensor(size.value);
  if (!source || !isa<RankedTensorType>(source->getType()))
    return std::nullopt;
  return Size{*source, size.index};
}

std::optional<Size> SizeChecker::traceScalar(Value value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Size{Value(), *constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto owner =
        dyn_cast_or_null<ExecuteOp>(argument.getOwner()->getParentOp());
    if (!owner)
      return std::nullopt;
    return Size{owner.getInputs()[argument.getArgNumber()], -1};
  }
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return Size{dim.getSource(), *index};
  return std::nullopt;
}

Value SizeChecker::materialize(Size size) {
  if (size.isConstant())
    return arith::ConstantIndexOp::create(builder, loc, size.index);
  if (size.index < 0)
    return size.value;
  return tensor::DimOp::create(builder, loc, size.value, size.index);
}

/// "linalg.add at f.mlir:3:8".
static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += (" at " + llvm::sys::path::filename(loc.getFilename()) + ":" +
             Twine(loc.getLine()) + ":" + Twine(loc.getColumn()))
                .str();
  return text;
}

void SizeChecker::assertThat(arith::CmpIPredicate predicate, Value left,
                             Value right, const Twine &message) {
  Value holds =
      arith::CmpIOp::create(builder, loc, predicate, left, right).getResult();
  cf::AssertOp::create(builder, loc, holds, message.str());
}

void SizeChecker::checkOp(linalg::LinalgOp op) {
  loc = op.getLoc();
  SmallVector<std::optional<Size>> loops(op.getNumLoops());
  // Windows need the sizes of every loop.
  SmallVector<std::function<void()>> windows;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        windows.push_back([&, dim = dim, expr = expr, use = &operand] {
          checkWindow(op, *use, dim, expr, loops);
        });
        continue;
      }
      std::optional<Size> size =
          trace({operand.get(), static_cast<int64_t>(dim)});
      std::optional<Size> &known = loops[loop.getPosition()];
      if (!size || !known) {
        known = known ? known : size;
        continue;
      }
      if (*known == *size || (known->isConstant() && size->isConstant()) ||
          !isNew(*known, *size))
        continue;
      assertThat(
          arith::CmpIPredicate::eq, materialize(*known), materialize(*size),
          "expected equal sizes in " + describe(op) + ", but dimension " +
              Twine(dim) + " of operand " + Twine(operand.getOperandNumber()) +
              " differs; pass tensors whose sizes match");
    }
  }
  for (auto &window : windows)
    window();
}

/// True if the expression grows with each loop, so that its maximum is at the
/// last iteration.
static bool isMonotone(AffineExpr expr) {
  bool monotone = true;
  expr.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      monotone &= constant.getValue() >= 0;
    else if (part.getKind() == AffineExprKind::SymbolId ||
             part.getKind() == AffineExprKind::Mod)
      monotone = false;
  });
  return monotone;
}

/// An access such as 2 * d0 + d1 must stay inside its dimension.
void SizeChecker::checkWindow(linalg::LinalgOp op, OpOperand &operand,
                              int64_t dim, AffineExpr expr,
                              ArrayRef<std::optional<Size>> loops) {
  std::optional<Size> size = trace({operand.get(), dim});
  if (!size || !isMonotone(expr))
    return;
  bool isStatic = size->isConstant();
  SmallVector<OpFoldResult> sizes(loops.size(), builder.getIndexAttr(1));
  SmallVector<AffineExpr> last;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    last.push_back(builder.getAffineDimExpr(index) - 1);
    if (!expr.isFunctionOfDim(index))
      continue;
    if (!loop)
      return;
    isStatic &= loop->isConstant();
    sizes[index] = loop->isConstant()
                       ? OpFoldResult(builder.getIndexAttr(loop->index))
                       : OpFoldResult(materialize(*loop));
  }
  if (isStatic)
    return;
  AffineMap map = AffineMap::get(loops.size(), 0, expr.replaceDims(last) + 1);
  OpFoldResult needed =
      affine::makeComposedFoldedAffineApply(builder, loc, map, sizes);
  assertThat(
      arith::CmpIPredicate::sle,
      getValueOrCreateConstantIndexOp(builder, loc, needed), materialize(*size),
      "expected accesses of " + describe(op) + " to dimension " + Twine(dim) +
          " of operand " + Twine(operand.getOperandNumber()) +
          " in bounds; pass a larger tensor or a smaller window");
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

/// A number that is known before the region; null when it is not.
Value SizeChecker::materialize(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  std::optional<Size> size = trace({cast<Value>(number), -1});
  return size ? materialize(*size) : Value();
}

void SizeChecker::assertInside(Operation *op, int64_t dim, Value holds) {
  ++bounds;
  cf::AssertOp::create(builder, loc, holds,
                       ("expected " + describe(op) +
                        " to stay inside "
                        "dimension " +
                        Twine(dim) +
                        " of its tensor; pass offsets and sizes that fit")
                           .str());
}

/// 0 <= offset <= dim, 0 <= size <= dim, and the last element inside. The first
/// two are unsigned comparisons and keep the third from overflowing.
void SizeChecker::checkSlice(OffsetSizeAndStrideOpInterface op, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    // The verifier has seen what is constant.
    if (!type.isDynamicDim(dim) && getConstantIntValue(offsets[dim]) &&
        getConstantIntValue(sizes[dim]) && getConstantIntValue(strides[dim]))
      continue;
    std::optional<Size> whole = trace({tensor, dim});
    Value offset = materialize(offsets[dim]), size = materialize(sizes[dim]),
          stride = materialize(strides[dim]);
    if (!whole || !offset || !size || !stride)
      continue;
    Value end = materialize(*whole);
    auto compare = [&](arith::CmpIPredicate predicate, Value left) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, left, end);
    };
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value steps = arith::SubIOp::create(builder, loc, size, one);
    Value length = arith::MulIOp::create(builder, loc, steps, stride);
    Value last = arith::AddIOp::create(builder, loc, offset, length);
    Value needed = arith::AddIOp::create(builder, loc, last, one);
    Value holds = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::ule, offset),
        compare(arith::CmpIPredicate::ule, size));
    holds = arith::AndIOp::create(builder, loc, holds,
                                  compare(arith::CmpIPredicate::sle, needed));
    assertInside(op, dim, holds);
  }
}

void SizeChecker::checkElement(tensor::ExtractOp op) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    std::optional<Size> whole =
        trace({op.getTensor(), static_cast<int64_t>(dim)});
    std::optional<int64_t> constant = getConstantIntValue(index);
    if (!whole || (constant && !type.isDynamicDim(dim) && *constant >= 0 &&
                   *constant < type.getDimSize(dim)))
      continue;
    Value number = materialize(OpFoldResult(index));
    if (!number)
      continue;
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        number, materialize(*whole));
    assertInside(op, dim, holds);
  }
}

int64_t SizeChecker::checkBounds(Operation *op) {
  loc = op->getLoc();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    checkSlice(slice, slice.getSource());
  else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    checkSlice(slice, slice.getDest());
  else if (auto element = dyn_cast<tensor::ExtractOp>(op))
    checkElement(element);
  return bounds;
}

/// True for operations that the host runs in the order of the program, not
/// once per element of something.
static bool isHostCode(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (isa<FunctionOpInterface>(parent))
      return true;
    if (!isa<RegionBranchOpInterface>(parent) || isa<ExecuteOp>(parent))
      return false;
  }
  return false;
}

int64_t mlir::hetero::insertBoundsChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ExtractOp>(
            op) &&
        isHostCode(op))
      ops.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : ops)
    count += SizeChecker(op).checkBounds(op);
  return count;
}

int64_t mlir::hetero::insertSizeChecks(ExecuteOp region) {
  return SizeChecker(region).run();
}
