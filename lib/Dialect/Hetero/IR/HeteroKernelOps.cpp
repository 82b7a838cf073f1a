//===- HeteroKernelOps.cpp - Calls of kernels of the host -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if a value of type `given` may be passed for, or taken from, one of
/// type `declared`: canonicalization folds casts into operations with
/// destinations, which leaves tensors of more known sizes.
static bool matches(Type given, Type declared) {
  return given == declared ||
         tensor::preservesStaticInformation(declared, given);
}

LogicalResult InvokeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getKernelAttr());
  if (!kernel || !kernel->hasAttr(kKernelAttrName)) // C1
    return emitOpError("expected a function with '")
           << kKernelAttrName << "', got @" << getKernel()
           << "; name a kernel of the module";
  ArrayRef<Type> arguments = kernel.getArgumentTypes();
  if (arguments.size() != getNumOperands()) // C2
    return emitOpError("expected ")
           << arguments.size() << " operands, as @" << getKernel()
           << " has arguments, got " << getNumOperands();
  for (auto [index, operand] : llvm::enumerate(getOperandTypes()))
    if (!matches(operand, arguments[index]))
      return emitOpError("expected operand ")
             << index << " to be " << arguments[index] << ", got " << operand;
  if (!llvm::equal(getResultTypes(), kernel.getResultTypes(), matches)) // C3
    return emitOpError("expected the results of @")
           << getKernel() << ", " << kernel.getResultTypes() << ", got "
           << getResultTypes();
  return success();
}

void InvokeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

#define GET_OP_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.cpp.inc"
