//===- CPUKind.cpp - The device kind cpu ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/CPUKind.h"

#include "CPUCodegen.h"
#include "Codegen/CPU/Functions/MergeHostKernels.h"
#include "Codegen/CPU/Prepare/Winograd.h"
#include "ExplainStrategy.h"
#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The host and devices like it: they run everything.
struct CPUKind : public DeviceKind {
  CPUKind() : DeviceKind(kHostKind) {}

  LogicalResult canRun(Operation *, std::string &) const override {
    return success();
  }

  /// One socket of a server.
  DeviceSpecAttr getDefaultSpec(DeviceAttr device) const override {
    constexpr int64_t kGiB = int64_t(1) << 30, kGiga = 1000000000;
    return DeviceSpecAttr::get(device.getContext(), device,
                               /*memory=*/64 * kGiB,
                               /*compute=*/500 * kGiga,
                               /*bandwidth=*/50 * kGiga,
                               /*launch=*/100000, ArrayAttr(), Attribute(),
                               /*overlap=*/true);
  }

  LogicalResult generateRegion(ExecuteOp region) const override {
    return generateCPURegion(region);
  }

  LogicalResult generateModule(ModuleOp module) const override {
    return generatePreparedRegions(module);
  }
};
} // namespace

/// Code generation for a region of the host with Winograd's algorithm.
static LogicalResult generateWinogradRegion(ExecuteOp op) {
  if (op.getDevice().getKind() != kHostKind)
    return op.emitOpError("region \"")
           << op.getName() << "\" is on " << op.getDevice().str()
           << ", but winograd makes code for the host only; place it on cpu:0 "
              "or leave codegen out";
  return generateCPURegion(op);
}

void mlir::hetero::registerCPUKind(DialectRegistry &registry) {
  registerDeviceKind<CPUKind>(registry);
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    TargetRegistry::get(dialect).add(kWinogradCodegen, generateWinogradRegion,
                                     [](ExecuteOp region, auto report) {
                                       return explainCPURegion(region, report);
                                     });
  });
}
