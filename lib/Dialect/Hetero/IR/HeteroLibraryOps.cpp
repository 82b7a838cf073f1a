//===- HeteroLibraryOps.cpp - Calls of libraries --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::hetero;

/// C2 for one operand.
static LogicalResult verifyOrder(LibraryCallOp op, unsigned number) {
  auto type = cast<ShapedType>(op->getOperand(number).getType());
  if (!type.hasRank())
    return op.emitOpError("expected ranked operands, got ") << type;
  llvm::SmallVector<int64_t> named;
  for (int64_t dim : op.getOrder(number))
    if (dim != -1)
      named.push_back(dim);
  llvm::sort(named);
  if (!llvm::equal(named, llvm::seq<int64_t>(0, type.getRank())))
    return op.emitOpError("expected the order of operand ")
           << number << " to have each of its " << type.getRank()
           << " dimensions once, and -1 otherwise, got "
           << op.getOrders()[number];
  return success();
}

LogicalResult LibraryCallOp::verify() {
  unsigned operands = getInputs().size() + getOutputs().size();
  if (getOrders().size() != operands) // C1
    return emitOpError("expected ")
           << operands << " orders, one for each operand, got "
           << getOrders().size();
  for (unsigned i = 0; i < operands; ++i) {
    if (getOrder(i).size() != getOrder(0).size())
      return emitOpError("expected orders of one length, got ")
             << getOrder(0).size() << " and " << getOrder(i).size();
    if (failed(verifyOrder(*this, i)))
      return failure();
  }
  int64_t last = -1;
  for (int64_t position : getConstants()) { // C3
    if (position <= last ||
        position >= static_cast<int64_t>(getInputs().size()))
      return emitOpError("expected ascending positions of its ")
             << getInputs().size() << " inputs as constants, got ["
             << getConstants() << "]";
    last = position;
  }
  return success();
}

void LibraryCallOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto add = [&](OpOperand &operand, auto *effect) {
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(effect, &operand);
  };
  for (OpOperand &input : getInputsMutable())
    add(input, MemoryEffects::Read::get());
  for (OpOperand &output : getOutputsMutable()) {
    if (getAccumulate())
      add(output, MemoryEffects::Read::get());
    add(output, MemoryEffects::Write::get());
  }
}

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.cpp.inc"
