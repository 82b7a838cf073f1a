//===- BodyEmitter.cpp - Emits the body of an operation -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"

#include "Codegen/CPU/Plan/DotPlan.h"
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// One branch for all lanes.
static void emitCheck(OpBuilder &builder, cf::AssertOp check,
                      const llvm::DenseMap<Value, Value> &values) {
  Value holds = values.lookup(check.getArg());
  if (!holds)
    holds = check.getArg();
  if (isa<VectorType>(holds.getType()))
    holds = vector::ReductionOp::create(builder, check.getLoc(),
                                        vector::CombiningKind::AND, holds);
  cf::AssertOp::create(builder, check.getLoc(), holds, check.getMsg());
}

SmallVector<Value> BodyEmitter::emit(const Cell &cell,
                                     ArrayRef<Value> accumulators) {
  if (nest.plan.narrow)
    return {emitDot(cell, accumulators.front())};
  linalg::GenericOp op = nest.op;
  ValueMap values;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(input))
      values[op.getMatchingBlockArgument(input)] =
          context.loads.get(input, cell);
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), accumulators))
    if (value)
      values[argument] = value;
  for (Operation &inner : op.getBody()->without_terminator())
    if (auto check = dyn_cast<cf::AssertOp>(inner))
      emitCheck(nest.rewriter, check, values);
    else
      values[inner.getResult(0)] = emitOperation(&inner, cell, values);
  Values yielded;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yielded.push_back(values.contains(value) ? values[value] : value);
  return yielded;
}

/// The products of a group of steps, added to the sums.
Value BodyEmitter::emitDot(const Cell &cell, Value sums) {
  NarrowProduct product = *matchNarrowProduct(nest.op);
  Value lhs = context.loads.get(product.lhs, cell);
  Value rhs = context.loads.get(product.rhs, cell);
  if (product.lhsSigned != nest.plan.isFlipped(product.lhs->getOperandNumber()))
    std::swap(lhs, rhs);
  return DotOp::create(nest.rewriter, nest.loc, sums.getType(), lhs, rhs, sums);
}

Value BodyEmitter::emitIndex(linalg::IndexOp index, const Cell &cell) {
  Value first = nest.createIndex(nest.getIndex(index.getDim(), cell));
  if (cell.lanes == 1 || index.getDim() != nest.plan.vectorLoop)
    return first;
  auto type = VectorType::get(cell.lanes, nest.rewriter.getIndexType());
  Value step = vector::StepOp::create(nest.rewriter, nest.loc, type);
  return arith::AddIOp::create(nest.rewriter, nest.loc,
                               nest.broadcast(first, cell.lanes), step);
}

Value BodyEmitter::emitOperation(Operation *inner, const Cell &cell,
                                 ValueMap &values) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return emitIndex(index, cell);
  Values operands;
  for (Value operand : inner->getOperands())
    operands.push_back(values.contains(operand) ? values[operand] : operand);
  Type type = inner->getResult(0).getType();
  if (llvm::any_of(operands,
                   [](Value v) { return isa<VectorType>(v.getType()); })) {
    for (Value &operand : operands)
      operand = nest.broadcast(operand, cell.lanes);
    type = VectorType::get(cell.lanes, type);
  }
  Operation *copy = mlir::clone(nest.rewriter, inner, type, operands);
  // A multiply and the add of a reduction may become one instruction.
  auto math = dyn_cast<arith::ArithFastMathInterface>(copy);
  if (math && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(copy) &&
      nest.op.getNumReductionLoops() != 0)
    copy->setAttr(
        math.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(inner->getContext(),
                                      math.getFastMathFlagsAttr().getValue() |
                                          arith::FastMathFlags::contract));
  return copy->getResult(0);
}
