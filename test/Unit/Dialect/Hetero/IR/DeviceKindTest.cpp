//===- DeviceKindTest.cpp - The registry of device kinds ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/InitAll.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// Runs everything, in launch time and one picosecond per operation.
struct SlowKind : public DeviceKind {
  SlowKind() : DeviceKind("slow") {}
  LogicalResult canRun(Operation *, std::string &) const override {
    return success();
  }
  std::optional<int64_t> getTime(Operation *, PlacementCost cost,
                                 DeviceSpecAttr spec) const override {
    if (cost.flops == 0)
      return std::nullopt;
    return spec.getLaunch() + cost.flops;
  }
  void buildPipeline(OpPassManager &manager) const override {
    manager.addPass(createLinalgGeneralizeNamedOpsPass());
  }
};

class DeviceKindTest : public ::testing::Test {
protected:
  DeviceKindTest() {
    DialectRegistry registry;
    mlir::hetero::registerAllDialects(registry);
    registerDeviceKind<SlowKind>(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<HeteroDialect>();
  }

  DeviceAttr device(StringRef kind, int64_t ordinal = 0) {
    return DeviceAttr::get(&context, kind, ordinal);
  }

  MLIRContext context;
};

TEST_F(DeviceKindTest, KindsHaveNames) {
  DeviceKinds &kinds =
      DeviceKinds::get(context.getLoadedDialect<HeteroDialect>());
  EXPECT_EQ(kinds.getNames(), (SmallVector<StringRef>{"cpu", "gpu", "slow"}));
  EXPECT_EQ(kinds.lookup("none"), nullptr);
  kinds.add(std::make_unique<SlowKind>());
  EXPECT_NE(kinds.lookup("slow"), nullptr);
  EXPECT_EQ(kinds.getNames().size(), 3u);
}

TEST_F(DeviceKindTest, DialectsOfPipelinesAreLoaded) {
  EXPECT_NE(context.getLoadedDialect<linalg::LinalgDialect>(), nullptr);
}

TEST_F(DeviceKindTest, BackendSaysWhereMemoryIs) {
  EXPECT_TRUE(isHostAccessible(DeviceAttr()));
  EXPECT_TRUE(isHostAccessible(device("cpu")));
  EXPECT_TRUE(isHostAccessible(device("cpu", 1)));
  EXPECT_TRUE(isHostAccessible(device("slow")));
  EXPECT_FALSE(isHostAccessible(device("gpu")));
  EXPECT_FALSE(isHostAccessible(device("none")));
}

TEST_F(DeviceKindTest, TopologyAsksTheKind) {
  Topology topology(
      Topology::getDefault(&context, {device("slow"), device("none")}),
      /*isExplicit=*/false);
  DeviceIndex slow = *topology.lookup(device("slow"));
  int64_t launch = topology.getSpec(slow).getLaunch();
  EXPECT_EQ(topology.getComputeTime(nullptr, slow, {7, 0}), launch + 7);
  EXPECT_EQ(topology.getComputeTime(nullptr, slow, {0, 4}),
            topology.getRooflineTime(slow, {0, 4}));
  EXPECT_EQ(topology.getKind(*topology.lookup(device("none"))), nullptr);
}

} // namespace
