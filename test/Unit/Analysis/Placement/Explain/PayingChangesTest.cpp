//===- PayingChangesTest.cpp - What would make a device pay ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes are found on a placed module; here the module before it is placed on
// machines that are written down with the factor, and with a little less.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Explain/PayingChanges.h"
#include "../../../TestRegistry.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

class PayingChangesTest : public ::testing::Test {
protected:
  PayingChangesTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  /// Two products on a machine whose gpu and links are so many times as fast.
  OwningOpRef<ModuleOp> parse(double device, double links) {
    auto rate = [](double value) { return int64_t(value); };
    std::string text =
        llvm::formatv(kProgram, rate(1e11 * device), rate(1e11 * device),
                      rate(5e8 / device), rate(4e9 * links), rate(1e7 / links));
    return parseSourceString<ModuleOp>(text, &context);
  }

  int64_t countOps(double device, double links) {
    OwningOpRef<ModuleOp> module = parse(device, links);
    PlacementOptions options;
    options.wantsPrice = true;
    FailureOr<Placement> placement = computePlacement(
        *module, Topology::get(*module), BlockTree(*module), options);
    return placement->price.devices[1].ops;
  }

  SmallVector<PayingChange> find(double device, double links) {
    OwningOpRef<ModuleOp> module = parse(device, links);
    PassManager passes(&context);
    passes.addPass(createPlacePass());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return findPayingChanges(*module, Topology::get(*module),
                             BlockTree(*module));
  }

  static constexpr const char *kProgram = R"mlir(
    module attributes {{hetero.topology = #hetero.topology<devices = [
      #hetero.device_spec<device = #hetero.device<cpu:0>,
        compute = 100000000000, bandwidth = 100000000000>,
      #hetero.device_spec<device = #hetero.device<gpu:0>,
        compute = {0}, bandwidth = {1}, launch = {2}>],
      links = [
      #hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>,
        bandwidth = {3}, latency = {4}>,
      #hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>,
        bandwidth = {3}, latency = {4}>]>} {{
    func.func @main(%a: tensor<256x256xf32>, %c: tensor<256x256xf32>)
        -> tensor<256x256xf32> {{
      %0 = linalg.matmul
        ins(%a, %a : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
      %1 = linalg.matmul
        ins(%0, %a : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
      return %1 : tensor<256x256xf32>
    }
    }
  )mlir";

  MLIRContext context;
};

} // namespace

TEST_F(PayingChangesTest, FactorsSufficeAndLessDoesNot) {
  ASSERT_EQ(countOps(1, 1), 0);
  SmallVector<PayingChange> changes = find(1, 1);
  ASSERT_EQ(changes.size(), 3u);
  unsigned numFound = 0;
  for (const PayingChange &change : changes) {
    auto count = [&](double factor) {
      return countOps(change.part == MachinePart::Links ? 1 : factor,
                      change.part == MachinePart::Device ? 1 : factor);
    };
    if (!change.factor) {
      EXPECT_EQ(count(kMostPaying), 0);
      continue;
    }
    ++numFound;
    EXPECT_GT(*change.factor, 1);
    EXPECT_EQ(count(*change.factor), change.ops);
    EXPECT_EQ(count(*change.factor / 1.05), 0);
  }
  // Links alone do not help a gpu that is no faster than the host.
  EXPECT_EQ(changes[1].part, MachinePart::Links);
  EXPECT_FALSE(changes[1].factor);
  EXPECT_EQ(numFound, 2u);
}

TEST_F(PayingChangesTest, NothingHasToChangeWhereItPays) {
  ASSERT_EQ(countOps(100, 100), 2);
  SmallVector<PayingChange> changes = find(100, 100);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].factor, 1.0);
  EXPECT_EQ(changes[0].ops, 2);
}
