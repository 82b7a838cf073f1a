//===- UnsignedTosa.cpp - TOSA on unsigned elements -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA says by the type of its elements whether they are signed. What depends
// on it is rewritten before signs go away. With another highest bit, unsigned
// numbers are signed ones in the same order, and less by as much as a zero
// point that is changed in the same way:
//
//   %0 = tosa.clamp %x {min_val = 3 : ui8, max_val = 200 : ui8}
//     ->
//   %1 = tosa.bitwise_xor %x, 128
//   %2 = tosa.clamp %1 {min_val = -125 : i8, max_val = 72 : i8}
//   %0 = tosa.bitwise_xor %2, 128
//
// A conversion goes by a wider type, which has all values of both.
//
//===----------------------------------------------------------------------===//

#include "UnsignedTosa.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isUnsigned(Value value) {
  return getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

static bool hasUnsigned(Operation *op) {
  return llvm::any_of(op->getOperands(), isUnsigned) ||
         llvm::any_of(op->getResults(), isUnsigned);
}

static unsigned getWidth(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

/// Operations whose bits are the same whether elements are signed or not.
static bool isSignFree(Operation *op) {
  if (auto resize = dyn_cast<tosa::ResizeOp>(op))
    return resize.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  return isa<tosa::AddOp, tosa::SubOp, tosa::BitwiseAndOp, tosa::BitwiseOrOp,
             tosa::BitwiseXorOp, tosa::BitwiseNotOp, tosa::LogicalLeftShiftOp,
             tosa::LogicalRightShiftOp, tosa::EqualOp, tosa::SelectOp,
             tosa::ClzOp, tosa::ReduceSumOp, tosa::ReduceProductOp,
             tosa::ConcatOp, tosa::PadOp, tosa::ReshapeOp, tosa::ReverseOp,
             tosa::SliceOp, tosa::TileOp, tosa::TransposeOp, tosa::GatherOp,
             tosa::ScatterOp, tosa::IdentityOp, tosa::ConstOp, tosa::CustomOp,
             tosa::IfOp, tosa::WhileOp, tosa::YieldOp, tosa::VariableOp,
             tosa::VariableReadOp, tosa::VariableWriteOp>(op);
}

/// Operations that compare elements, and nothing else.
static bool isOrder(Operation *op) {
  return isa<tosa::ClampOp, tosa::MaximumOp, tosa::MinimumOp, tosa::GreaterOp,
             tosa::GreaterEqualOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
             tosa::ArgMaxOp, tosa::MaxPool2dOp>(op);
}

namespace {
/// Rewrites one operation. What is made has its place and its annotations.
class SignedForm {
public:
  explicit SignedForm(Operation *op) : op(op), builder(op) {}
  LogicalResult run();

private:
  LogicalResult refuse(StringRef remedy);
  template <typename OpTy, typename... Args>
  Value create(Type type, Args &&...args);
  Value createSplat(Value like, Type element, const APInt &number);
  Value flip(Value value);
  void flipOperand(unsigned index);
  void flipZeroPoint(unsigned index);
  void flipResult();
  void flipBounds(tosa::ClampOp clamp);
  void flipWithZeroPoints(ArrayRef<std::pair<unsigned, unsigned>> operands);
  Value widen(Value value, unsigned width);
  LogicalResult convert(tosa::CastOp cast);
  LogicalResult rescale(tosa::RescaleOp rescale);
  LogicalResult multiply(tosa::MulOp product);

  Operation *op;
  OpBuilder builder;
};
} // namespace

LogicalResult SignedForm::refuse(StringRef remedy) {
  return op->emitOpError("has no form for unsigned elements; ") << remedy;
}

template <typename OpTy, typename... Args>
Value SignedForm::create(Type type, Args &&...args) {
  auto made =
      OpTy::create(builder, op->getLoc(), type, std::forward<Args>(args)...);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    made->setDiscardableAttr(attr.getName(), attr.getValue());
  return made->getResult(0);
}

/// A constant that is broadcast to the value's shape.
Value SignedForm::createSplat(Value like, Type element, const APInt &number) {
  int64_t rank = cast<RankedTensorType>(like.getType()).getRank();
  auto type = RankedTensorType::get(SmallVector<int64_t>(rank, 1), element);
  return create<tosa::ConstOp>(type, DenseElementsAttr::get(type, number));
}

/// The value with another highest bit in each element.
Value SignedForm::flip(Value value) {
  Value bit = createSplat(value, getElementTypeOrSelf(value.getType()),
                          APInt::getSignMask(getWidth(value)));
  return create<tosa::BitwiseXorOp>(value.getType(), value, bit);
}

void SignedForm::flipOperand(unsigned index) {
  if (isUnsigned(op->getOperand(index)))
    op->setOperand(index, flip(op->getOperand(index)));
}

/// Lowerings look for a constant.
void SignedForm::flipZeroPoint(unsigned index) {
  Value old = op->getOperand(index);
  DenseIntElementsAttr elements;
  if (!matchPattern(old, m_Constant(&elements)))
    return flipOperand(index);
  APInt number = elements.getValues<APInt>()[0];
  number.flipBit(number.getBitWidth() - 1);
  op->setOperand(index,
                 createSplat(old, getElementTypeOrSelf(old.getType()), number));
}

void SignedForm::flipResult() {
  Value result = op->getResult(0);
  if (!isUnsigned(result))
    return;
  builder.setInsertionPointAfter(op);
  Value flipped = flip(result);
  result.replaceAllUsesExcept(flipped, flipped.getDefiningOp());
}

void SignedForm::flipBounds(tosa::ClampOp clamp) {
  auto flipBound = [](Attribute bound) -> Attribute {
    APInt number = cast<IntegerAttr>(bound).getValue();
    number.flipBit(number.getBitWidth() - 1);
    return IntegerAttr::get(
        IntegerType::get(bound.getContext(), number.getBitWidth()), number);
  };
  clamp.setMinValAttr(flipBound(clamp.getMinValAttr()));
  clamp.setMaxValAttr(flipBound(clamp.getMaxValAttr()));
}

/// Pairs of an operand and its zero point.
void SignedForm::flipWithZeroPoints(
    ArrayRef<std::pair<unsigned, unsigned>> operands) {
  for (auto [operand, zeroPoint] : operands) {
    if (!isUnsigned(op->getOperand(operand)))
      continue;
    flipOperand(operand);
    flipZeroPoint(zeroPoint);
  }
}

/// Unsigned elements as signless ones of more bits.
Value SignedForm::widen(Value value, unsigned width) {
  Type element = builder.getIntegerType(width);
  Type type = cast<ShapedType>(value.getType()).clone(element);
  Value extended = create<tosa::CastOp>(type, value);
  Value mask =
      createSplat(value, element, APInt::getLowBitsSet(width, getWidth(value)));
  return create<tosa::BitwiseAndOp>(type, extended, mask);
}

LogicalResult SignedForm::convert(tosa::CastOp cast) {
  Value input = cast.getInput(), output = cast.getOutput();
  bool isReal = isa<FloatType>(getElementTypeOrSelf(input.getType())) ||
                isa<FloatType>(getElementTypeOrSelf(output.getType()));
  unsigned bits = isUnsigned(input) ? getWidth(input) : getWidth(output);
  if (isReal && bits > 32)
    return refuse("cast to or from 32 bits");
  unsigned width = bits < 32 ? 32 : 64;
  if (isUnsigned(input)) {
    // Fewer bits, or as many, are the lowest ones.
    if (isReal)
      cast.getInputMutable().assign(widen(input, width));
    else if (getWidth(output) > bits) {
      output.replaceAllUsesWith(widen(input, getWidth(output)));
      cast.erase();
    }
    return success();
  }
  if (!isReal)
    return success();
  auto shaped = llvm::cast<ShapedType>(output.getType());
  Type wide = builder.getIntegerType(width);
  Value whole = create<tosa::CastOp>(shaped.clone(wide), input);
  Value limited = create<tosa::ClampOp>(
      whole.getType(), whole, builder.getIntegerAttr(wide, 0),
      builder.getIntegerAttr(wide, APInt::getLowBitsSet(width, bits)),
      tosa::NanPropagationModeAttr::get(op->getContext(),
                                        tosa::NanPropagationMode::PROPAGATE));
  cast.getInputMutable().assign(limited);
  return success();
}

LogicalResult SignedForm::rescale(tosa::RescaleOp rescale) {
  for (Value value : {rescale.getInput(), rescale.getOutput()})
    if (isUnsigned(value) && getWidth(value) > 16)
      return refuse("rescale 8 or 16 bits");
  if (isUnsigned(rescale.getInput()))
    rescale.setInputUnsigned(true);
  if (isUnsigned(rescale.getOutput()))
    rescale.setOutputUnsigned(true);
  return success();
}

/// Factors are extended to the width of the product.
LogicalResult SignedForm::multiply(tosa::MulOp product) {
  unsigned width = getWidth(product.getOutput());
  for (unsigned index : {0, 1}) {
    Value factor = op->getOperand(index);
    if (getWidth(factor) < width && isUnsigned(factor))
      op->setOperand(index, widen(factor, width));
  }
  return success();
}

LogicalResult SignedForm::run() {
  if (isSignFree(op))
    return success();
  auto isRanked = [](Value value) {
    return !isUnsigned(value) || isa<RankedTensorType>(value.getType());
  };
  if (!llvm::all_of(op->getOperands(), isRanked) ||
      !llvm::all_of(op->getResults(), isRanked))
    return refuse("give them a rank");
  if (auto abs = dyn_cast<tosa::AbsOp>(op)) {
    abs.getOutput().replaceAllUsesWith(abs.getInput1());
    abs.erase();
    return success();
  }
  if (isOrder(op)) {
    for (unsigned index : llvm::seq(op->getNumOperands()))
      flipOperand(index);
    if (auto clamp = dyn_cast<tosa::ClampOp>(op))
      flipBounds(clamp);
    flipResult();
    return success();
  }
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
          tosa::TransposeConv2DOp>(op) &&
      !isUnsigned(op->getResult(0))) {
    flipWithZeroPoints({{0, 3}, {1, 4}});
    return success();
  }
  if (isa<tosa::MatMulOp>(op) && !isUnsigned(op->getResult(0))) {
    flipWithZeroPoints({{0, 2}, {1, 3}});
    return success();
  }
  if (isa<tosa::AvgPool2dOp>(op)) {
    flipWithZeroPoints({{0, 1}});
    flipZeroPoint(2);
    flipResult();
    return success();
  }
  if (auto cast = dyn_cast<tosa::CastOp>(op))
    return convert(cast);
  if (auto scaled = dyn_cast<tosa::RescaleOp>(op))
    return rescale(scaled);
  if (auto product = dyn_cast<tosa::MulOp>(op))
    return multiply(product);
  return refuse("cast them to wider ones with tosa.cast");
}

LogicalResult mlir::hetero::makeUnsignedTosaSigned(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa_and_present<tosa::TosaDialect>(op->getDialect()) && hasUnsigned(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(SignedForm(op).run()))
      return failure();
  return success();
}
