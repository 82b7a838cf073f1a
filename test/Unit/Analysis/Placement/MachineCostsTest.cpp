//===- MachineCostsTest.cpp - Costs for passes of others ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hetero/Analysis/Placement/MachineCosts.h"

#include "../../TestRegistry.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// Nothing in it is of hetero, so that no parser has loaded the dialect.
const char *const kForeignProgram = R"mlir(
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = arith.addf %x, %x : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  })mlir";

/// The same with a machine that upstream's attributes describe.
const char *const kProgramWithSpec = R"mlir(
  module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "cpu:0" = #dlti.target_device_spec<"hetero.compute" = 1000000000 : i64>,
      "gpu:0" = #dlti.target_device_spec<"hetero.compute" = 2000000000 : i64>>} {
    func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = arith.addf %x, %x : tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }
  })mlir";

/// A pass of somebody else, which names no dialects that it depends on.
struct AskPass : public PassWrapper<AskPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AskPass)

  explicit AskPass(std::vector<std::string> &said) : said(said) {}
  AskPass(const AskPass &) = default;

  void runOnOperation() override {
    const auto &costs = getAnalysis<MachineCosts>();
    const Topology &machine = costs.getTopology();
    getOperation().walk([&](arith::AddFOp op) {
      for (DeviceIndex i = 0; i < machine.size(); ++i) {
        std::string reason;
        DeviceAttr device = machine.getDevice(i);
        auto time = costs.getTime(op, device, &reason);
        said.push_back(device.str() + (time ? " runs it" : ": " + reason));
        EXPECT_TRUE(costs.getCopyTime(op, device, machine.getDevice(0)));
      }
      EXPECT_EQ(costs.getExecutions(op), 1);
    });
    markAllAnalysesPreserved();
  }

  std::vector<std::string> &said;
};

std::vector<std::string> ask(const DialectRegistry &registry,
                             const char *program) {
  std::vector<std::string> said;
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  EXPECT_TRUE(module);
  PassManager manager(&context);
  manager.addPass(std::make_unique<AskPass>(said));
  EXPECT_TRUE(module && succeeded(manager.run(*module)));
  return said;
}

/// Passes of others may ask where nothing of hetero is in the program.
TEST(MachineCostsTest, AnswersPassesOfOthers) {
  std::vector<std::string> want = {"cpu:0 runs it", "gpu:0 runs it"};
  EXPECT_EQ(ask(test::getTestRegistry(), kForeignProgram), want);
  EXPECT_EQ(ask(test::getTestRegistry(), kProgramWithSpec), want);
}

/// The dialect is there before passes run, when none may be loaded any more.
TEST(MachineCostsTest, RegistryLoadsDialect) {
  MLIRContext context(test::getTestRegistry());
  EXPECT_TRUE(context.getLoadedDialect<HeteroDialect>());
  MLIRContext other;
  other.appendDialectRegistry(test::getTestRegistry());
  EXPECT_TRUE(other.getLoadedDialect<HeteroDialect>());
}

/// A program that registers nothing of hetero gets answers, too.
TEST(MachineCostsTest, AnswersWithoutRegistration) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  for (const char *program : {kForeignProgram, kProgramWithSpec})
    EXPECT_EQ(ask(registry, program).size(), 2u);
}

} // namespace
