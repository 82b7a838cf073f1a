//===- GPUKind.cpp - The device kind gpu ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/GPUKind.h"

#include "Codegen/Common/KernelParameters.h"
#include "GPUCodegen.h"
#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isKernelElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<Float16Type, Float32Type, Float64Type>(complex.getElementType());
  if (isFloat8(type))
    return true;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
         type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// What a register holds.
static bool isKernelScalar(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return type.isIndex() || isKernelElementType(getElementTypeOrSelf(type)) ||
         (integer && integer.isSignless() && integer.getWidth() <= 64);
}

/// Arithmetic, constants, the iteration's indices, and assertions about them.
static bool isKernelScalarOp(Operation &op) {
  return (isa_and_nonnull<complex::ComplexDialect, index::IndexDialect>(
              op.getDialect()) ||
          OpTrait::hasElementwiseMappableTraits(&op) ||
          op.hasTrait<OpTrait::ConstantLike>() ||
          isa<linalg::IndexOp, cf::AssertOp>(op)) &&
         llvm::all_of(op.getOperandTypes(), isKernelScalar) &&
         llvm::all_of(op.getResultTypes(), isKernelScalar);
}

/// What no kernel does whatever its body computes; empty if there is nothing.
static std::string explainLimits(linalg::LinalgOp op) {
  int64_t bytes = countParameterBytes(op);
  if (bytes > kParameterBytes)
    return "whose operands are " + std::to_string(bytes) +
           " bytes of parameters, more than the " +
           std::to_string(kParameterBytes) + " that every chip has";
  return "";
}

namespace {
/// GPUs with a CUDA driver. The base class has their default topology.
struct GPUKind : public DeviceKind {
  GPUKind() : DeviceKind("gpu") {
    capabilities.hasElementType = isKernelElementType;
    capabilities.hasScalarOp = isKernelScalarOp;
    capabilities.readsElements = true;
  }

  KindBackend getBackend() const override { return KindBackend::Cuda; }

  LogicalResult canRun(Operation *op, std::string &reason) const override {
    if (failed(checkCapabilities(op, getName(), capabilities, reason)))
      return failure();
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    std::string limit = structured ? explainLimits(structured) : "";
    if (limit.empty())
      return success();
    StringRef name = op->getName().getStringRef();
    reason = ("no gpu kernel for " + name + " " + limit).str();
    return failure();
  }

  LogicalResult generateRegion(ExecuteOp region) const override {
    return generateGPURegion(region);
  }

private:
  KernelCapabilities capabilities;
};
} // namespace

void mlir::hetero::registerGPUKind(DialectRegistry &registry) {
  registerDeviceKind<GPUKind>(registry);
}
