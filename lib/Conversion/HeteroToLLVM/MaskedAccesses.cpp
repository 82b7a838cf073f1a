//===- MaskedAccesses.cpp - Masked accesses to narrow floats --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   llvm.intr.masked.store %v, %p, %mask : vector<64xbf16>, ...
//     ->
//   %i = llvm.bitcast %v : vector<64xbf16> to vector<64xi16>
//   llvm.intr.masked.store %i, %p, %mask : vector<64xi16>, ...
//
// LLVM splits an access whose mask is known, down to single elements, and its
// X86 back end has no instruction for a bf16 alone in memory: it would end the
// process. Memory does not care about the type.
//
//===----------------------------------------------------------------------===//

#include "MaskedAccesses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::hetero;

/// The vector of integers in place of one of bf16; null for any other type.
static VectorType getIntegers(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !vector.getElementType().isBF16())
    return {};
  return vector.cloneWith(std::nullopt,
                          IntegerType::get(type.getContext(), 16));
}

static void storeIntegers(LLVM::MaskedStoreOp op) {
  VectorType integers = getIntegers(op.getValue().getType());
  if (!integers)
    return;
  OpBuilder builder(op);
  op.getValueMutable().assign(
      LLVM::BitcastOp::create(builder, op.getLoc(), integers, op.getValue()));
}

static void loadIntegers(LLVM::MaskedLoadOp op) {
  Type type = op.getRes().getType();
  VectorType integers = getIntegers(type);
  if (!integers)
    return;
  OpBuilder builder(op);
  for (OpOperand &other : op.getPassThruMutable())
    other.set(
        LLVM::BitcastOp::create(builder, op.getLoc(), integers, other.get()));
  op.getRes().setType(integers);
  builder.setInsertionPointAfter(op);
  auto floats =
      LLVM::BitcastOp::create(builder, op.getLoc(), type, op.getRes());
  op.getRes().replaceAllUsesExcept(floats, floats);
}

void mlir::hetero::accessNarrowFloatsAsIntegers(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op))
      storeIntegers(store);
    else if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op))
      loadIntegers(load);
  });
}
