//===- DivisionChecks.cpp - Run-time checks of integer divisions ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors stop at a division by zero, GPUs compute some number. Where the
// range of a divisor has a 0, it is compared where it is used:
//
//   %0 = linalg.generic ... ins(%x, %y) {
//   ^bb0(%a: i32, %b: i32, ...):
//     %1 = arith.cmpi ne, %b, %c0
//     cf.assert %1, "expected the divisor of arith.divui at f.mlir:5:8 ..."
//     %2 = arith.divui %a, %b
//
// So what does not run is not checked either. Loops over vectors check one
// vector at a time.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/DivisionChecks.h"

#include "ValueRanges.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What an operation divides. Remainders are divisions, too.
struct IntegerDivision {
  Value dividend, divisor;
  bool isSigned;
};
} // namespace

static std::optional<IntegerDivision> matchDivision(Operation *op) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
                      index::CeilDivSOp, index::FloorDivSOp>(op);
  if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
                        index::DivUOp, index::RemUOp, index::CeilDivUOp>(op))
    return std::nullopt;
  return IntegerDivision{op->getOperand(0), op->getOperand(1), isSigned};
}

static bool contains(const ConstantIntRanges &range, const APInt &value) {
  return range.umin().ule(value) && range.umax().uge(value) &&
         range.smin().sle(value) && range.smax().sge(value);
}

/// The bodies of named operations are not written, and nothing can be put into
/// them. The division gets the name and the place of what the user wrote.
static LogicalResult writeBodyOut(Operation *division) {
  auto named = dyn_cast<linalg::LinalgOp>(division->getParentOp());
  if (!named || isa<linalg::GenericOp>(named))
    return success();
  IRRewriter rewriter(named);
  if (!isa<linalg::MapOp, linalg::ReduceOp>(named)) {
    setDescribedName(division, named->getName());
    division->setLoc(named.getLoc());
  }
  auto attrs = llvm::to_vector(named->getDiscardableAttrs());
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, named);
  if (failed(generic))
    return failure();
  for (NamedAttribute attr : attrs)
    (*generic)->setDiscardableAttr(attr.getName(), attr.getValue());
  return success();
}

namespace {
/// Inserts the assertions before one operation and counts them.
class DivisionChecker {
public:
  explicit DivisionChecker(Operation *op)
      : op(op), loc(op->getLoc()), builder(op) {}

  void check();
  int64_t getNumChecks() const { return count; }

private:
  /// False if nothing can be put before the operation.
  bool openBody();
  void checkDivision(const IntegerDivision &division);
  void checkPower(math::IPowIOp power);
  void checkMap(AffineMap map, ValueRange operands);
  Value compare(arith::CmpIPredicate predicate, Value value,
                const APInt &number);
  Value isOther(Value value, const APInt &number) {
    return compare(arith::CmpIPredicate::ne, value, number);
  }
  void assertThat(Value holds, const Twine &message);

  Operation *op;
  Location loc;
  OpBuilder builder;
  int64_t count = 0;
};
} // namespace

bool DivisionChecker::openBody() {
  if (failed(writeBodyOut(op)))
    return false;
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  return true;
}

Value DivisionChecker::compare(arith::CmpIPredicate predicate, Value value,
                               const APInt &number) {
  Type type = value.getType();
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  Value constant = arith::ConstantOp::create(builder, loc, attr);
  return arith::CmpIOp::create(builder, loc, predicate, value, constant);
}

void DivisionChecker::assertThat(Value holds, const Twine &message) {
  if (auto type = dyn_cast<VectorType>(holds.getType())) {
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    holds = vector::MultiDimReductionOp::create(
        builder, loc, holds, yes, SmallVector<bool>(type.getRank(), true),
        vector::CombiningKind::AND);
  }
  cf::AssertOp::create(builder, loc, holds, message.str());
  ++count;
}

void DivisionChecker::checkDivision(const IntegerDivision &division) {
  ConstantIntRanges divisors = getRange(division.divisor);
  unsigned width = divisors.umin().getBitWidth();
  APInt zero = APInt::getZero(width), minusOne = APInt::getAllOnes(width),
        least = APInt::getSignedMinValue(width);
  bool mayBeZero = contains(divisors, zero);
  bool mayOverflow = division.isSigned && contains(divisors, minusOne) &&
                     contains(getRange(division.dividend), least);
  if ((!mayBeZero && !mayOverflow) || !openBody())
    return;
  if (mayBeZero)
    assertThat(isOther(division.divisor, zero),
               "expected the divisor of " + describe(op) +
                   " to be another number than 0; pass one that is");
  if (mayOverflow)
    assertThat(arith::OrIOp::create(builder, loc,
                                    isOther(division.divisor, minusOne),
                                    isOther(division.dividend, least)),
               "expected the quotient of " + describe(op) +
                   " to fit its type, but the least number is divided by -1; "
                   "pass other numbers, or a wider type");
}

/// A negative power is one divided by a power.
void DivisionChecker::checkPower(math::IPowIOp power) {
  ConstantIntRanges exponents = getRange(power.getRhs());
  APInt zero = APInt::getZero(exponents.umin().getBitWidth());
  if (!exponents.smin().isNegative() ||
      !contains(getRange(power.getLhs()), zero) || !openBody())
    return;
  Value isWhole = compare(arith::CmpIPredicate::sge, power.getRhs(), zero);
  assertThat(arith::OrIOp::create(builder, loc, isWhole,
                                  isOther(power.getLhs(), zero)),
             "expected the exponent of " + describe(op) +
                 " to be 0 or more where its base is 0; pass another one");
}

/// Affine expressions divide by what is more than 0.
void DivisionChecker::checkMap(AffineMap map, ValueRange operands) {
  SetVector<AffineExpr> divisors;
  map.walkExprs([&](AffineExpr expr) {
    auto division = dyn_cast<AffineBinaryOpExpr>(expr);
    bool divides =
        llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv,
                            AffineExprKind::CeilDiv},
                           expr.getKind());
    if (divides && !isa<AffineConstantExpr>(division.getRHS()))
      divisors.insert(division.getRHS());
  });
  for (AffineExpr divisor : divisors) {
    Value value = affine::AffineApplyOp::create(
        builder, loc,
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), divisor),
        operands);
    APInt zero = APInt::getZero(IndexType::kInternalStorageBitWidth);
    assertThat(compare(arith::CmpIPredicate::sgt, value, zero),
               "expected the divisor of " + describe(op) +
                   " to be more than 0; pass one that is");
  }
}

void DivisionChecker::check() {
  if (std::optional<IntegerDivision> division = matchDivision(op))
    return checkDivision(*division);
  if (auto power = dyn_cast<math::IPowIOp>(op))
    return checkPower(power);
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    checkMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    return checkMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  }
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    return checkMap(load.getAffineMap(), load.getMapOperands());
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
    return checkMap(store.getAffineMap(), store.getMapOperands());
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    checkMap(op->getAttrOfType<AffineMapAttr>("map").getValue(),
             op->getOperands());
}

//===----------------------------------------------------------------------===//
// All of a module
//===----------------------------------------------------------------------===//

static bool mayDivide(Operation *op) {
  return matchDivision(op) || isa<math::IPowIOp>(op) ||
         isa_and_present<affine::AffineDialect>(op->getDialect());
}

static SmallVector<Operation *>
collect(ModuleOp module, llvm::function_ref<bool(Operation *)> isWanted) {
  SmallVector<Operation *> ops;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (isWanted(op))
        ops.push_back(op);
    });
  });
  return ops;
}

/// Divisions of tensors get bodies, in which elements are divided.
static void convertTensorDivisions(ModuleOp module) {
  SmallVector<Operation *> ops = collect(module, [](Operation *op) {
    return mayDivide(op) &&
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  });
  if (ops.empty())
    return;
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  (void)applyOpPatternsGreedily(ops, std::move(patterns),
                                GreedyRewriteConfig().setStrictness(
                                    GreedyRewriteStrictness::ExistingOps));
}

int64_t mlir::hetero::insertDivisionChecks(ModuleOp module) {
  convertTensorDivisions(module);
  int64_t count = 0;
  for (Operation *op : collect(module, mayDivide)) {
    DivisionChecker checker(op);
    checker.check();
    count += checker.getNumChecks();
  }
  return count;
}
