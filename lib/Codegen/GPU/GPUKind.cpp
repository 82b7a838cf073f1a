//===- GPUKind.cpp - The device kind gpu ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/DeviceKinds.h"
#include "hetero/Codegen/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isKernelElementType(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
         type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// Arithmetic, constants and the iteration's indices.
static bool isKernelScalarOp(Operation &op) {
  return OpTrait::hasElementwiseMappableTraits(&op) ||
         op.hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(op);
}

namespace {
/// GPUs with a CUDA driver. The base class has their default topology.
struct GPUKind : public DeviceKind {
  GPUKind() : DeviceKind("gpu") {
    capabilities.hasElementType = isKernelElementType;
    capabilities.hasScalarOp = isKernelScalarOp;
  }

  KindBackend getBackend() const override { return KindBackend::Cuda; }

  LogicalResult canRun(Operation *op, std::string &reason) const override {
    return checkCapabilities(op, getName(), capabilities, reason);
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
