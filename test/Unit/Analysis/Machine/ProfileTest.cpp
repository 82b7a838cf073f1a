//===- ProfileTest.cpp - Texts of profiles --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/InitAll.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

class ProfileTest : public ::testing::Test {
protected:
  ProfileTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::hetero::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<HeteroDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      llvm::raw_string_ostream(messages)
          << diagnostic.getLocation() << ": " << diagnostic << "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(
        "func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) "
        "-> tensor<4xf32> {"
        "  %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>)"
        "    outs(%a : tensor<4xf32>) -> tensor<4xf32>"
        "  return %0 : tensor<4xf32>"
        "}",
        &context);
  }

  /// The time of the module's addition on the first gpu; -1 for none.
  int64_t lookup(StringRef text, StringRef kind = "gpu",
                 StringRef codegen = "") {
    FailureOr<Profile> profile = parseProfile(text, "p.yaml", &context);
    if (failed(profile))
      return -2;
    int64_t time = -1;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "linalg.add")
        time = profile->lookup(op, DeviceAttr::get(&context, kind, 0), codegen)
                   .value_or(-1);
    });
    return time;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string messages;
};

TEST_F(ProfileTest, FirstMatchWins) {
  StringRef text = "[{op: linalg.add, operands: [5xf32], device: gpu, "
                   "seconds: 1e-12},"
                   " {op: linalg.add, device: 'gpu:1', seconds: 2e-12},"
                   " {op: 'linalg.a*', device: gpu, seconds: 3e-12},"
                   " {op: linalg.add, device: gpu, seconds: 4e-12}]";
  EXPECT_EQ(lookup(text), 3);
  EXPECT_EQ(lookup(text, "cpu"), -1);
}

TEST_F(ProfileTest, CodeGeneratorsHaveTimesOfTheirOwn) {
  StringRef text = "[{op: linalg.add, device: gpu, codegen: cublas, "
                   "seconds: 1e-12},"
                   " {op: linalg.add, device: gpu, codegen: auto, "
                   "seconds: 2e-12},"
                   " {op: linalg.add, device: gpu, seconds: 3e-12}]";
  EXPECT_EQ(lookup(text), 2);
  EXPECT_EQ(lookup(text, "gpu", "cublas"), 1);
  EXPECT_EQ(lookup(text, "gpu", "mlir"), 3);
  EXPECT_EQ(lookup(text, "gpu", "cudnn"), -1);
}

TEST_F(ProfileTest, OperandsMayLeaveOutTheLast) {
  auto with = [&](std::string types) {
    return lookup("[{op: linalg.add, operands: [" + types +
                  "], device: gpu, seconds: 1}]");
  };
  constexpr int64_t kSecond = 1000000000000;
  EXPECT_EQ(with(""), kSecond);
  EXPECT_EQ(with("4xf32"), kSecond);
  EXPECT_EQ(with("4xf32, tensor<4xf32>, 4xf32"), kSecond);
  EXPECT_EQ(with("4xf32, 4xf32, 4xf32, 4xf32"), -1);
  EXPECT_EQ(with("4xf32, 4xf64"), -1);
}

// Of operations without a measurement the roofline of the device counts, the
// first that is for their name; of others, and of what takes no time, nothing.
TEST_F(ProfileTest, RooflinesAreForWhatWasNotMeasured) {
  FailureOr<Profile> profile = parseProfile(
      "devices: [{device: gpu, op: 'linalg.a*', launch: 1e-12, flop: 2e-12, "
      "byte: 3e-12, measurements: 4, error: 0.5},"
      " {device: gpu, launch: 7e-12, flop: 0, byte: 0}]",
      "p.yaml", &context);
  ASSERT_TRUE(succeeded(profile)) << messages;
  Operation *add = nullptr, *other = nullptr;
  module->walk([&](Operation *op) {
    (op->getName().getStringRef() == "linalg.add" ? add : other) = op;
  });
  DeviceAttr gpu = DeviceAttr::get(&context, "gpu", 3);
  DeviceAttr cpu = DeviceAttr::get(&context, "cpu", 0);
  EXPECT_EQ(profile->estimate(add, gpu, {10, 4}), 1 + 20);
  EXPECT_EQ(profile->estimate(add, gpu, {4, 10}), 1 + 30);
  EXPECT_EQ(profile->estimate(other, gpu, {4, 10}), 7);
  EXPECT_EQ(profile->estimate(add, gpu, {0, 0}), std::nullopt);
  EXPECT_EQ(profile->estimate(add, cpu, {4, 10}), std::nullopt);
}

// Measured links replace those of the topology that join something, and share
// no memory.
TEST_F(ProfileTest, LinksReplaceThoseOfTheTopology) {
  FailureOr<Profile> profile = parseProfile(
      "links: [{from: cpu, to: 'gpu:0', latency: 2e-12, byte: 1e-9}]", "p.yaml",
      &context);
  ASSERT_TRUE(succeeded(profile)) << messages;
  auto attr = dyn_cast_or_null<TopologyAttr>(parseAttribute(
      "#hetero.topology<devices = [<device = <cpu:0>, compute = 1, bandwidth "
      "= 1>, <device = <gpu:0>, compute = 1, bandwidth = 1>, <device = "
      "<gpu:1>, compute = 1, bandwidth = 1>], links = [<from = <cpu:0>, to = "
      "<gpu:0>, bandwidth = 5, latency = 6>, <from = <gpu:0>, to = <cpu:0>, "
      "bandwidth = 1000000000000, latency = 6>]>",
      &context));
  ASSERT_TRUE(attr);
  Topology topology = profile->applyLinks(Topology(attr, /*isExplicit=*/true));
  EXPECT_TRUE(topology.isExplicit());
  EXPECT_EQ(topology.getTransferTime(0, 1, 3), 2 + 3000);
  EXPECT_EQ(topology.getTransferTime(1, 0, 3), 6 + 3);
  EXPECT_FALSE(topology.isReachable(0, 2));
}

/// The largest time still means that the device can run it.
TEST_F(ProfileTest, TimesSaturate) {
  EXPECT_EQ(lookup("[{op: linalg.add, device: gpu, seconds: 1e300}]"),
            INT64_MAX - 1);
  EXPECT_EQ(lookup("[{op: linalg.add, device: gpu, seconds: 0}]"), 0);
}

TEST_F(ProfileTest, ReportsWhatNothingNeeds) {
  FailureOr<Profile> profile = parseProfile(
      "[{op: linalg.sub, device: gpu, seconds: 1}]", "p.yaml", &context);
  ASSERT_TRUE(succeeded(profile));
  profile->reportIdle();
  EXPECT_NE(messages.find("measurement 1 is of no operation"),
            std::string::npos)
      << messages;
}

/// A damaged file is an error with a message, whatever is left of it.
TEST_F(ProfileTest, DamagedTextIsAnError) {
  std::string text = "operations: [{op: linalg.add, operands: [4xf32], "
                     "device: \"gpu:0\", seconds: 1e-3}]";
  for (size_t length = 0; length < text.size(); ++length) {
    messages.clear();
    EXPECT_EQ(lookup(StringRef(text).take_front(length)), -2) << length;
    EXPECT_FALSE(messages.empty()) << length;
  }
  EXPECT_EQ(lookup(text), 1000000000);
}

} // namespace
