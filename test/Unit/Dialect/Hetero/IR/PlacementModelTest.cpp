//===- PlacementModelTest.cpp - A model for another dialect's operation ---===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program with a dialect of its own says how one of its operations is placed:
// an external model of PlacementOpInterface has its price and what it rules
// out, and a kind of device runs it. Nothing in this project knows the name.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/InitAll.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// A filter of a signal: one operand, one result of the same type.
class FilterOp : public Op<FilterOp, OpTrait::OneOperand, OpTrait::OneResult,
                           OpTrait::ZeroRegions, OpTrait::ZeroSuccessors> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FilterOp)
  using Op::Op;
  static StringRef getOperationName() { return "signal.filter"; }
  static ArrayRef<StringRef> getAttributeNames() {
    static StringRef names[] = {"taps"};
    return names;
  }
  int64_t getTaps() {
    return (*this)->getAttrOfType<IntegerAttr>("taps").getInt();
  }
};

class SignalDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SignalDialect)
  explicit SignalDialect(MLIRContext *context)
      : Dialect("signal", context, TypeID::get<SignalDialect>()) {
    addOperations<FilterOp>();
  }
  static StringRef getDialectNamespace() { return "signal"; }
};

struct FilterModel
    : public PlacementOpInterface::ExternalModel<FilterModel, FilterOp> {
  LogicalResult canRunOn(Operation *op, StringRef kind,
                         std::string &reason) const {
    if (kind == "array" && cast<FilterOp>(op).getTaps() > 64) {
      reason = "has more taps than an array";
      return failure();
    }
    return success();
  }

  /// A multiplication and an addition for each element and tap.
  PlacementCost getPlacementCost(Operation *op, TensorSizes &sizes) const {
    int64_t elements = sizes.getDimSize(op->getOperand(0), 0);
    return {2 * elements * cast<FilterOp>(op).getTaps(), 8 * elements};
  }
};

/// An array of filters.
struct ArrayKind : public DeviceKind {
  ArrayKind() : DeviceKind("array") {}
  LogicalResult canRun(Operation *op, std::string &reason) const override {
    reason = "is no filter";
    return success(isa<FilterOp>(op));
  }
};

/// The host does an operation in a nanosecond, the array in a picosecond; a
/// copy takes a microsecond and a nanosecond for each byte.
constexpr const char *kProgram = R"mlir(
module attributes {hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, memory = 1000000, compute = 1000000000, bandwidth = 1000000000000>,
             <device = <array:0>, memory = 1000000, compute = 1000000000000, bandwidth = 1000000000000>],
  links = [<from = <cpu:0>, to = <array:0>, bandwidth = 1000000000, latency = 1000000>,
           <from = <array:0>, to = <cpu:0>, bandwidth = 1000000000, latency = 1000000>]>} {
  func.func @main(%x: tensor<100xf32>) -> (tensor<100xf32>, tensor<100xf32>, tensor<100xf32>) {
    %short = "signal.filter"(%x) {taps = 2} : (tensor<100xf32>) -> tensor<100xf32>
    %long = "signal.filter"(%x) {taps = 64} : (tensor<100xf32>) -> tensor<100xf32>
    %longest = "signal.filter"(%x) {taps = 65 DEVICE} : (tensor<100xf32>) -> tensor<100xf32>
    return %short, %long, %longest : tensor<100xf32>, tensor<100xf32>, tensor<100xf32>
  }
}
)mlir";

class PlacementModelTest : public ::testing::Test {
protected:
  PlacementModelTest() {
    DialectRegistry registry;
    mlir::hetero::registerAllDialects(registry);
    registry.insert<SignalDialect, func::FuncDialect>();
    registry.addExtension(+[](MLIRContext *context, SignalDialect *) {
      FilterOp::attachInterface<FilterModel>(*context);
    });
    registerDeviceKind<ArrayKind>(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<HeteroDialect>();
  }

  /// Places the program, with text among the last filter's attributes.
  LogicalResult place(StringRef attribute) {
    std::string text = kProgram;
    text.replace(text.find(" DEVICE"), 7, attribute);
    module = parseSourceString<ModuleOp>(text, &context);
    PassManager manager(&context);
    manager.addPass(createAnnotatePass());
    manager.addPass(createPlacePass());
    manager.addPass(createVerifyPass());
    return success(module && succeeded(manager.run(*module)));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// 400 operations take less time than two copies, 12,800 more, and what the
// model rules out stays on the host at any price.
TEST_F(PlacementModelTest, DecidesByThePriceOfTheModel) {
  ASSERT_TRUE(succeeded(place("")));
  SmallVector<std::string> kinds;
  module->walk([&](FilterOp op) {
    kinds.push_back(
        op->getAttrOfType<DeviceAttr>(kDeviceAttrName).getKind().str());
  });
  EXPECT_EQ(kinds, (SmallVector<std::string>{"cpu", "array", "cpu"}));
}

TEST_F(PlacementModelTest, ErrorsHaveTheReasonOfTheModel) {
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (error.empty())
      error = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(place(", hetero.device = #hetero.device<array:0>")));
  EXPECT_NE(error.find("has more taps than an array"), std::string::npos)
      << error;
}

} // namespace
