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

#include "hetero/Transforms/Checks/SizeChecks.h"

#include "SizeTrace.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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
/// Inserts checks before a region, or before an operation outside of regions.
class SizeChecker {
public:
  explicit SizeChecker(Operation *anchor)
      : builder(anchor), loc(anchor->getLoc()), sizes(builder, anchor) {}

  /// Checks one operation, which is in the region or the anchor itself.
  void check(Operation *op);

  int64_t getNumChecks() const { return count; }

private:
  std::optional<Size> trace(Value tensor, int64_t dim) {
    return sizes.trace({tensor, dim});
  }
  std::optional<Size> trace(OpFoldResult number) {
    return sizes.trace(Size::get(number));
  }
  Value materialize(Size size) { return sizes.materialize(size, loc); }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }

  void checkLinalg(linalg::LinalgOp op);
  void checkWindow(linalg::LinalgOp op, OpOperand &operand, int64_t dim,
                   AffineExpr expr, ArrayRef<std::optional<Size>> loops);
  void checkSlice(OffsetSizeAndStrideOpInterface op, Value tensor);
  void checkSource(OffsetSizeAndStrideOpInterface op, Value source,
                   const llvm::SmallBitVector &dropped);
  void checkElement(Operation *op, Value tensor, ValueRange indices);
  void checkDim(tensor::DimOp op);
  void checkCast(tensor::CastOp op);
  void checkExpand(tensor::ExpandShapeOp op);
  void checkReshape(tensor::ReshapeOp op);
  void checkConcat(tensor::ConcatOp op);
  void checkPad(tensor::PadOp op);
  void checkSameSizes(Operation *op, unsigned a, unsigned b,
                      int64_t except = -1);
  void checkSort(tm_tensor::SortOp op);
  void checkTopk(tm_tensor::TopkOp op);
  void checkScatter(tm_tensor::ScatterOp op);
  void checkNotNegative(Operation *op, std::optional<Size> number,
                        StringRef what, int64_t dim);
  void checkNotNegative(Operation *op, ArrayRef<OpFoldResult> numbers,
                        StringRef what);
  std::optional<Size> multiply(std::optional<Size> a, std::optional<Size> b);
  std::optional<Size> getShapeElement(tensor::ReshapeOp op, int64_t dim);

  void assertThat(Value holds, const Twine &message);
  void assertEqual(std::optional<Size> a, std::optional<Size> b,
                   const Twine &message);
  void assertInside(Operation *op, int64_t dim, Value holds);
  /// False if the same sizes were compared before.
  bool isNew(Size a, Size b) {
    return checks
        .insert({{a.value.getAsOpaquePointer(), a.index},
                 {b.value.getAsOpaquePointer(), b.index}})
        .second;
  }

  using Key = std::pair<const void *, int64_t>;
  OpBuilder builder;
  Location loc;
  SizeTracer sizes;
  std::set<std::pair<Key, Key>> checks;
  int64_t count = 0;
};
} // namespace

std::string mlir::hetero::describe(Operation *op) {
  auto written = op->getAttrOfType<StringAttr>(kWrittenAsAttrName);
  std::string text =
      (written ? written.getValue() : op->getName().getStringRef()).str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += (" at " + llvm::sys::path::filename(loc.getFilename()) + ":" +
             Twine(loc.getLine()) + ":" + Twine(loc.getColumn()))
                .str();
  return text;
}

void mlir::hetero::setDescribedName(Operation *op, OperationName name) {
  op->setAttr(kWrittenAsAttrName, name.getIdentifier());
}

void SizeChecker::assertThat(Value holds, const Twine &message) {
  ++count;
  cf::AssertOp::create(builder, loc, holds, message.str());
}

/// Nothing is compared where a size is not known or is the other one.
void SizeChecker::assertEqual(std::optional<Size> a, std::optional<Size> b,
                              const Twine &message) {
  if (!a || !b || *a == *b || !isNew(*a, *b))
    return;
  Value left = materialize(*a), right = materialize(*b);
  assertThat(compare(arith::CmpIPredicate::eq, left, right), message);
}

/// What differs in an operation that takes tensors of the same sizes.
static std::string describeDifference(Operation *op, int64_t dim,
                                      unsigned operand) {
  return ("expected equal sizes in " + describe(op) + ", but dimension " +
          Twine(dim) + " of operand " + Twine(operand) +
          " differs; pass tensors whose sizes match")
      .str();
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

void SizeChecker::checkLinalg(linalg::LinalgOp op) {
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
      std::optional<Size> size = trace(operand.get(), dim);
      std::optional<Size> &known = loops[loop.getPosition()];
      if (!known)
        known = size;
      // The verifier has compared static sizes.
      else if (size && !(known->isConstant() && size->isConstant()))
        assertEqual(known, size,
                    describeDifference(op, dim, operand.getOperandNumber()));
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
  std::optional<Size> size = trace(operand.get(), dim);
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
  Value end = getValueOrCreateConstantIndexOp(builder, loc, needed);
  assertThat(compare(arith::CmpIPredicate::sle, end, materialize(*size)),
             "expected accesses of " + describe(op) + " to dimension " +
                 Twine(dim) + " of operand " +
                 Twine(operand.getOperandNumber()) +
                 " in bounds; pass a larger tensor or a smaller window");
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

void SizeChecker::assertInside(Operation *op, int64_t dim, Value holds) {
  assertThat(holds, "expected " + describe(op) + " to stay inside dimension " +
                        Twine(dim) +
                        " of its tensor; pass offsets and sizes that fit");
}

/// True for a slice of everything.
static bool isWhole(Size whole, Size offset, Size size, Size stride) {
  return offset == Size{Value(), 0} && stride == Size{Value(), 1} &&
         size == whole;
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
    std::optional<Size> whole = trace(tensor, dim), from = trace(offsets[dim]),
                        part = trace(sizes[dim]), step = trace(strides[dim]);
    if (!whole || !from || !part || !step ||
        isWhole(*whole, *from, *part, *step))
      continue;
    Value end = materialize(*whole), offset = materialize(*from),
          size = materialize(*part), stride = materialize(*step);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value steps = arith::SubIOp::create(builder, loc, size, one);
    Value length = arith::MulIOp::create(builder, loc, steps, stride);
    Value last = arith::AddIOp::create(builder, loc, offset, length);
    Value needed = arith::AddIOp::create(builder, loc, last, one);
    Value holds = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::ule, offset, end),
        compare(arith::CmpIPredicate::ule, size, end));
    holds = arith::AndIOp::create(
        builder, loc, holds, compare(arith::CmpIPredicate::sle, needed, end));
    assertInside(op, dim, holds);
  }
}

/// What is inserted must have the sizes of its place.
void SizeChecker::checkSource(OffsetSizeAndStrideOpInterface op, Value source,
                              const llvm::SmallBitVector &dropped) {
  int64_t dim = 0;
  for (auto [index, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(index)) {
      assertEqual(trace(source, dim), trace(size),
                  describeDifference(op, dim, 0));
      ++dim;
    }
}

void SizeChecker::checkElement(Operation *op, Value tensor,
                               ValueRange indices) {
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<Size> whole = trace(tensor, dim);
    std::optional<Size> place = trace(OpFoldResult(index));
    if (!whole || !place ||
        (whole->isConstant() && place->isConstant() && place->index >= 0 &&
         place->index < whole->index))
      continue;
    Value number = materialize(*place), end = materialize(*whole);
    assertInside(op, dim, compare(arith::CmpIPredicate::ult, number, end));
  }
}

/// A dimension that the tensor does not have has no size.
void SizeChecker::checkDim(tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<Size> dim = trace(OpFoldResult(op.getIndex()));
  if (!type || !dim ||
      (dim->isConstant() && dim->index >= 0 && dim->index < type.getRank()))
    return;
  Value rank = materialize({Value(), type.getRank()});
  assertThat(compare(arith::CmpIPredicate::ult, materialize(*dim), rank),
             "expected the dimension in " + describe(op) + " to be below " +
                 Twine(type.getRank()) + "; pass one that the tensor has");
}

//===----------------------------------------------------------------------===//
// Other shapes of the same elements
//===----------------------------------------------------------------------===//

void SizeChecker::checkCast(tensor::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (!to.isDynamicDim(dim))
      assertEqual(trace(op.getSource(), dim), Size{Value(), to.getDimSize(dim)},
                  "expected dimension " + Twine(dim) + " in " + describe(op) +
                      " to be " + Twine(to.getDimSize(dim)) +
                      "; pass a tensor whose size fits its type");
}

/// The product; none if a factor is not known.
std::optional<Size> SizeChecker::multiply(std::optional<Size> a,
                                          std::optional<Size> b) {
  return a && b ? std::optional<Size>(sizes.multiply(*a, *b)) : std::nullopt;
}

void SizeChecker::checkExpand(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  checkNotNegative(op, shape, "size");
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    std::optional<Size> product = Size{Value(), 1};
    for (int64_t part : group)
      product = multiply(product, trace(shape[part]));
    assertEqual(trace(op.getSrc(), dim), product,
                "expected the sizes of " + describe(op) +
                    " to make up dimension " + Twine(dim) +
                    " of its operand; pass sizes whose product fits");
  }
}

/// A size that tensor.reshape reads, which the host does.
std::optional<Size> SizeChecker::getShapeElement(tensor::ReshapeOp op,
                                                 int64_t dim) {
  if (auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>())
    return trace(OpFoldResult(shape.getElements()[dim]));
  Value shape = sizes.findVisible(op.getShape());
  DeviceAttr device = shape ? getTypeDevice(shape.getType()) : DeviceAttr();
  if (!device || !device.isHost())
    return std::nullopt;
  Value place = materialize({Value(), dim});
  Value element = tensor::ExtractOp::create(builder, loc, shape, place);
  if (!isa<IndexType>(element.getType()))
    element = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         element);
  return Size{element, -1};
}

void SizeChecker::checkReshape(tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  std::optional<Size> elements = Size{Value(), 1}, asked = elements;
  for (int64_t dim = 0; dim < from.getRank() && elements; ++dim)
    elements = multiply(elements, trace(op.getSource(), dim));
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    std::optional<Size> size = getShapeElement(op, dim);
    asked = multiply(asked, size);
    if (to.isDynamicDim(dim))
      checkNotNegative(op, size, "size", dim);
    else
      assertEqual(size, Size{Value(), to.getDimSize(dim)},
                  "expected size " + Twine(dim) + " of " + describe(op) +
                      " to be " + Twine(to.getDimSize(dim)) +
                      "; pass a shape that fits the type");
  }
  assertEqual(elements, asked,
              "expected " + describe(op) +
                  " to keep the number of elements; pass a shape whose "
                  "product fits");
}

//===----------------------------------------------------------------------===//
// Tensors that are made
//===----------------------------------------------------------------------===//

void SizeChecker::checkNotNegative(Operation *op, std::optional<Size> number,
                                   StringRef what, int64_t dim) {
  if (!number || sizes.isNonNegative(*number) || !isNew(*number, *number))
    return;
  Value zero = materialize({Value(), 0});
  assertThat(compare(arith::CmpIPredicate::sge, materialize(*number), zero),
             "expected " + what + " " + Twine(dim) + " of " + describe(op) +
                 " to be 0 or more; pass another one");
}

void SizeChecker::checkNotNegative(Operation *op,
                                   ArrayRef<OpFoldResult> numbers,
                                   StringRef what) {
  for (auto [dim, number] : llvm::enumerate(numbers))
    checkNotNegative(op, trace(number), what, dim);
}

/// The parts of a concatenation are as large as each other in the other
/// dimensions.
void SizeChecker::checkConcat(tensor::ConcatOp op) {
  auto inputs = op.getInputs();
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim)
    if (dim != static_cast<int64_t>(op.getDim()))
      for (unsigned i = 1; i < inputs.size(); ++i)
        assertEqual(trace(inputs.front(), dim), trace(inputs[i], dim),
                    describeDifference(op, dim, i));
}

void SizeChecker::checkPad(tensor::PadOp op) {
  checkNotNegative(op, op.getMixedLowPad(), "low padding");
  checkNotNegative(op, op.getMixedHighPad(), "high padding");
  RankedTensorType type = op.getResultType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      assertEqual(sizes.tracePadded(op, dim),
                  Size{Value(), type.getDimSize(dim)},
                  "expected dimension " + Twine(dim) + " of the result of " +
                      describe(op) + " to be " + Twine(type.getDimSize(dim)) +
                      "; pass a tensor whose size fits its type");
}

//===----------------------------------------------------------------------===//
// Loops over elements of several tensors
//===----------------------------------------------------------------------===//

/// Two operands are as large as each other, except along one dimension.
void SizeChecker::checkSameSizes(Operation *op, unsigned a, unsigned b,
                                 int64_t except) {
  Value left = op->getOperand(a), right = op->getOperand(b);
  int64_t rank = cast<RankedTensorType>(left.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != except)
      assertEqual(trace(left, dim), trace(right, dim),
                  describeDifference(op, dim, b));
}

void SizeChecker::checkSort(tm_tensor::SortOp op) {
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    checkSameSizes(op, 0, i);
}

void SizeChecker::checkTopk(tm_tensor::TopkOp op) {
  unsigned first = op.getInputs().size();
  if (first == 2)
    checkSameSizes(op, 0, 1);
  checkSameSizes(op, 0, first, op.getDimension());
  checkSameSizes(op, first, first + 1);
}

/// Each update has a row of indices.
void SizeChecker::checkScatter(tm_tensor::ScatterOp op) {
  assertEqual(trace(op.getInputs()[0], 0), trace(op.getInputs()[1], 0),
              describeDifference(op, 0, 1));
}

void SizeChecker::check(Operation *op) {
  loc = op->getLoc();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return checkLinalg(linalgOp);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return checkSlice(slice, slice.getSource());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    checkSlice(slice, slice.getDest());
    return checkSource(slice, slice.getSource(), slice.getDroppedDims());
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return checkElement(op, extract.getTensor(), extract.getIndices());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return checkElement(op, insert.getDest(), insert.getIndices());
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return checkDim(dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return checkCast(cast);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkExpand(expand);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return checkReshape(reshape);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return checkConcat(concat);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return checkNotNegative(op, empty.getMixedSizes(), "size");
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return checkNotNegative(op, getAsOpFoldResult(generate.getDynamicExtents()),
                            "dynamic size");
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return checkNotNegative(op, getAsOpFoldResult(splat.getDynamicSizes()),
                            "dynamic size");
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return checkNotNegative(op, getAsOpFoldResult(alloc.getDynamicSizes()),
                            "dynamic size");
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return checkPad(pad);
  if (auto sort = dyn_cast<tm_tensor::SortOp>(op))
    return checkSort(sort);
  if (auto topk = dyn_cast<tm_tensor::TopkOp>(op))
    return checkTopk(topk);
  if (auto scatter = dyn_cast<tm_tensor::ScatterOp>(op))
    checkScatter(scatter);
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

int64_t mlir::hetero::insertSizeChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa_and_present<tensor::TensorDialect,
                        bufferization::BufferizationDialect>(
            op->getDialect()) &&
        isHostCode(op))
      ops.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : ops)
    count += insertSizeChecks(op);
  return count;
}

int64_t mlir::hetero::insertSizeChecks(Operation *op) {
  SizeChecker checker(op);
  checker.check(op);
  return checker.getNumChecks();
}

int64_t mlir::hetero::insertOperandChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tm_tensor::SortOp, tm_tensor::TopkOp, tm_tensor::ScatterOp>(op))
      ops.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : ops)
    count += insertSizeChecks(op);
  return count;
}

int64_t mlir::hetero::insertSizeChecks(ExecuteOp region) {
  SizeChecker checker(region);
  // Destinations that a pass made have sizes of the user's operations, which
  // are to be named.
  for (bool isEmpty : {false, true})
    for (Operation &op : *region.getBodyBlock())
      if (isa<tensor::EmptyOp>(op) == isEmpty)
        checker.check(&op);
  return checker.getNumChecks();
}
