//===- ExpandMinMax.cpp - Minima and maxima of floats on the host ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -0 is less than +0, as on a GPU and where constants are folded; upstream's
// expansion takes the second of two zeros. The instructions of the host give
// their second operand if the two are zeros or one is NaN, so that they in both
// orders give both operands, whose bits make the result:
//
//   %r = arith.minimumf %a, %b
//     ->
//   %0 = select %a < %b, %a, %b
//   %1 = select %b < %a, %b, %a
//   %r = %0 | %1
//
// The bits of NaN and something are NaN, those of two zeros have the sign of
// either. Maxima take the sign that both have. One comparison is enough with a
// constant.
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_EXPANDMINMAXPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;
using arith::CmpFPredicate;

namespace {
/// Emits one minimum or maximum.
class Extreme {
public:
  explicit Extreme(Operation *op)
      : builder(op->getLoc(), op), type(op->getResult(0).getType()),
        isMaximum(isa<arith::MaximumFOp, arith::MaxNumFOp>(op)),
        prefersNumbers(isa<arith::MaxNumFOp, arith::MinNumFOp>(op)) {
    arith::FastMathFlags flags = cast<arith::ArithFastMathInterface>(op)
                                     .getFastMathFlagsAttr()
                                     .getValue();
    ignoresNaN = bitEnumContainsAny(flags, arith::FastMathFlags::nnan);
    ignoresSign = bitEnumContainsAny(flags, arith::FastMathFlags::nsz);
  }

  Value emit(Value a, Value b);

private:
  Value emitWithConstant(Value x, Value constant, const APFloat &number);
  Value combineBits(Value a, Value b);

  CmpFPredicate beats() const {
    return isMaximum ? CmpFPredicate::OGT : CmpFPredicate::OLT;
  }
  /// `a` if it is beyond `b`, else `b`: one instruction.
  Value choose(Value a, Value b) {
    Value condition = arith::CmpFOp::create(builder, beats(), a, b);
    return arith::SelectOp::create(builder, condition, a, b);
  }
  Value replaceNaN(Value a, Value b) {
    Value isNaN = arith::CmpFOp::create(builder, CmpFPredicate::UNO, a, a);
    return arith::SelectOp::create(builder, isNaN, b, a);
  }

  ImplicitLocOpBuilder builder;
  Type type;
  bool isMaximum, prefersNumbers, ignoresNaN, ignoresSign;
};
} // namespace

/// The comparison decides which operand NaN gives, and which two equal zeros
/// give: the one with the sign that the constant may lack.
Value Extreme::emitWithConstant(Value x, Value constant,
                                const APFloat &number) {
  if (number.isNaN())
    return prefersNumbers ? x : constant;
  bool isBest = number.isZero() && number.isNegative() != isMaximum;
  if (prefersNumbers) {
    // The constant where x is NaN, or where it is the better zero.
    CmpFPredicate predicate = beats();
    if (number.isZero() && !isBest)
      predicate = isMaximum ? CmpFPredicate::OGE : CmpFPredicate::OLE;
    Value condition = arith::CmpFOp::create(builder, predicate, x, constant);
    return arith::SelectOp::create(builder, condition, x, constant);
  }
  CmpFPredicate predicate =
      isMaximum ? (isBest ? CmpFPredicate::OLE : CmpFPredicate::OLT)
                : (isBest ? CmpFPredicate::OGE : CmpFPredicate::OGT);
  Value condition = arith::CmpFOp::create(builder, predicate, x, constant);
  return arith::SelectOp::create(builder, condition, constant, x);
}

/// All bits of the two for a minimum; for a maximum the sign only if both have
/// it.
Value Extreme::combineBits(Value a, Value b) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type element = builder.getIntegerType(width), bits = element;
  TypedAttr magnitude =
      builder.getIntegerAttr(element, APInt::getSignedMaxValue(width));
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    bits = shaped.clone(element);
    magnitude =
        DenseElementsAttr::get(cast<ShapedType>(bits), Attribute(magnitude));
  }
  a = arith::BitcastOp::create(builder, bits, a);
  b = arith::BitcastOp::create(builder, bits, b);
  Value either = arith::OrIOp::create(builder, a, b);
  if (isMaximum) {
    Value both = arith::AndIOp::create(builder, a, b);
    either = arith::AndIOp::create(
        builder, either, arith::ConstantOp::create(builder, magnitude));
    either = arith::OrIOp::create(builder, both, either);
  }
  return arith::BitcastOp::create(builder, type, either);
}

Value Extreme::emit(Value a, Value b) {
  APFloat number(0.0);
  if (matchPattern(b, m_ConstantFloat(&number)))
    return emitWithConstant(a, b, number);
  if (matchPattern(a, m_ConstantFloat(&number)))
    return emitWithConstant(b, a, number);
  if (ignoresNaN && ignoresSign)
    return choose(a, b);
  if (prefersNumbers && !ignoresNaN) {
    Value first = replaceNaN(a, b);
    b = replaceNaN(b, a);
    a = first;
  }
  return combineBits(choose(a, b), choose(b, a));
}

//===----------------------------------------------------------------------===//
// Reductions of vectors
//===----------------------------------------------------------------------===//

static bool isExtreme(vector::CombiningKind kind) {
  using vector::CombiningKind;
  return kind == CombiningKind::MAXIMUMF || kind == CombiningKind::MINIMUMF ||
         kind == CombiningKind::MAXNUMF || kind == CombiningKind::MINNUMF;
}

/// Reduces halves with each other: LLVM's reductions take any of two zeros.
static Value reduceByHalves(vector::ReductionOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto combine = [&](Value a, Value b) {
    return vector::makeArithReduction(builder, op.getLoc(), op.getKind(), a, b,
                                      op.getFastmathAttr());
  };
  Value vector = op.getVector(), rest = op.getAcc();
  int64_t count = op.getSourceVectorType().getNumElements();
  auto slice = [&](int64_t begin, int64_t size) -> Value {
    return vector::ExtractStridedSliceOp::create(
        builder, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{size},
        ArrayRef<int64_t>{1});
  };
  auto addToRest = [&](int64_t place) {
    Value element = vector::ExtractOp::create(builder, vector, place);
    rest = rest ? combine(element, rest) : element;
  };
  for (; count > 1; count /= 2) {
    if (count % 2 == 1)
      addToRest(count - 1);
    vector = combine(slice(0, count / 2), slice(count / 2, count / 2));
  }
  addToRest(0);
  return rest;
}

/// Expands the operations of the type within `root`, which `expand` gives a
/// value for.
template <typename... Ops>
static void replaceAll(Operation *root,
                       llvm::function_ref<Value(Operation *)> expand) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (isa<Ops...>(op))
      found.push_back(op);
  });
  for (Operation *op : found)
    if (Value value = expand(op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
}

namespace {
struct ExpandMinMaxPass
    : public mlir::hetero::impl::ExpandMinMaxPassBase<ExpandMinMaxPass> {
  using Base::Base;
  void runOnOperation() override {
    replaceAll<vector::ReductionOp>(getOperation(), [](Operation *op) {
      auto reduction = cast<vector::ReductionOp>(op);
      bool isExpanded = isExtreme(reduction.getKind()) &&
                        !reduction.getSourceVectorType().isScalable() &&
                        !isa<vector::MaskOp>(op->getParentOp());
      return isExpanded ? reduceByHalves(reduction) : Value();
    });
    replaceAll<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
               arith::MinNumFOp>(getOperation(), [](Operation *op) {
      return Extreme(op).emit(op->getOperand(0), op->getOperand(1));
    });
  }
};
} // namespace
