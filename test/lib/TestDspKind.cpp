//===- TestDspKind.cpp - A device kind for tests only ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal processor that does nothing but multiply f32 and i32 elements, and
// that the host stands in for.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isMultiplication(Operation &op) {
  return isa<arith::MulFOp, arith::MulIOp>(op);
}

namespace {
struct DspKind : public DeviceKind {
  DspKind() : DeviceKind("dsp") {
    capabilities.hasElementType = [](Type type) {
      return type.isF32() || type.isSignlessInteger(32);
    };
    capabilities.hasScalarOp = isMultiplication;
    capabilities.hasTensorOp = isNoWork;
    capabilities.maxRank = 3;
    capabilities.hasReductions = false;
  }

  LogicalResult canRun(Operation *op, std::string &reason) const override {
    return checkCapabilities(op, getName(), capabilities, reason);
  }

  /// Multiplies faster than it is launched.
  std::optional<int64_t> getTime(Operation *op, PlacementCost cost,
                                 DeviceSpecAttr spec) const override {
    if (cost.flops == 0)
      return std::nullopt;
    return spec.getLaunch() + cost.flops;
  }

  /// The host is a near neighbour, so that a launch is cheap.
  DeviceSpecAttr getDefaultSpec(DeviceAttr device) const override {
    DeviceSpecAttr spec = getAcceleratorSpec(device);
    return DeviceSpecAttr::get(device.getContext(), device, spec.getMemory(),
                               spec.getCompute(), spec.getBandwidth(),
                               /*launch=*/1000, ArrayAttr(), Attribute(),
                               /*overlap=*/true);
  }

  /// Its programs hold at most eight operations.
  LogicalResult verifyRegion(ExecuteOp region, Phase phase) const override {
    if (failed(DeviceKind::verifyRegion(region, phase)))
      return failure();
    unsigned count = llvm::count_if(region.getBody().getOps(),
                                    llvm::IsaPred<linalg::LinalgOp>);
    if (count <= 8)
      return success();
    return region.emitOpError("expected at most 8 operations for a dsp, got ")
           << count << "; use several regions";
  }

  void buildPipeline(OpPassManager &manager) const override {
    manager.addPass(createLinalgGeneralizeNamedOpsPass());
  }

private:
  KernelCapabilities capabilities;
};
} // namespace

namespace mlir::hetero::test {
void registerTestKinds(DialectRegistry &registry) {
  registerDeviceKind<DspKind>(registry);
}
} // namespace mlir::hetero::test
