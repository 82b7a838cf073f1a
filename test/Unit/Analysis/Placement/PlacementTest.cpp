//===- PlacementTest.cpp - Placement of random programs -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On random programs with control flow, calls, slices, element reads and
// annotations: every operation gets a device, annotations hold, a second run
// changes nothing, and the copies that the price counts are those that
// materialization makes.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Placement.h"
#include "../../TestRegistry.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {

constexpr const char *kType = "tensor<4x4xf32>";

/// Prints one random program.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string run() {
    text = "func.func private @callee(%a: T" + pick({"", kGpu0}) +
           ") -> T {\n  %0 = math.exp %a : T\n  return %0 : T\n}\n"
           "func.func @main(%a: T, %b: T" +
           pick({"", kGpu1}) +
           ", %p: i1, %n: index, %s: f32) -> (T, T) {\n"
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n  %e = tensor.empty() : T\n";
    std::vector<std::string> values = addBlock({"%a", "%b"}, 0, 3 + below(12));
    text += "  return " + values.back() + ", " + pick(values) + " : T, T\n}\n";
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      bool isType = text[i] == 'T' && (i == 0 || !isalpha(text[i - 1]));
      result += isType ? kType : std::string(1, text[i]);
    }
    return result;
  }

private:
  static constexpr const char *kGpu0 =
      " {hetero.device = #hetero.device<gpu:0>}";
  static constexpr const char *kGpu1 =
      " {hetero.device = #hetero.device<gpu:1>}";

  unsigned below(unsigned bound) { return random() % bound; }
  std::string pick(const std::vector<std::string> &from) {
    return from[below(from.size())];
  }
  std::string pin() {
    return pick({"", "", "", "", kGpu0, kGpu0, kGpu1,
                 " {hetero.device = #hetero.device<cpu>}",
                 " {hetero.device = #hetero.device<gpu>}"});
  }

  /// Appends an operation and returns its result.
  std::string addOperation(const std::vector<std::string> &values,
                           unsigned depth) {
    std::string result = "%v" + std::to_string(next++), x = pick(values),
                y = pick(values);
    switch (below(depth < 2 ? 9 : 3)) {
    case 0:
      text += result + " = linalg.add" + pin() + " ins(" + x + ", " + y +
              " : T, T) outs(%e : T) -> T\n";
      break;
    case 1:
      text += result + " = math.exp " + x + pin() + " : T\n";
      break;
    case 2:
      text += result + "s = tensor.extract_slice " + x +
              "[0, 0] [2, 2] [1, 1]" + pin() + " : T to tensor<2x2xf32>\n" +
              result + " = tensor.insert_slice " + result + "s into " + y +
              "[1, 1] [2, 2] [1, 1]" + pin() + " : tensor<2x2xf32> into T\n";
      break;
    case 3:
      text += result + " = linalg.fill" + pin() +
              " ins(%s : f32) outs(%e : T) -> T\n";
      break;
    case 4:
      text += result + " = arith.constant" + pin() + " dense<" +
              std::to_string(next) + ".0> : T\n";
      break;
    case 5:
      text += result + "s = tensor.extract " + x + "[%c0, %c0] : T\n" + result +
              " = tensor.splat " + result + "s" + pin() + " : T\n";
      break;
    case 6:
      text += result + " = scf.if %p -> T {\n";
      addYield(values, depth);
      text += "} else {\n";
      addYield(values, depth);
      text += "}" + pin() + "\n";
      break;
    case 7: {
      std::vector<std::string> inner = values;
      inner.push_back(result + "a");
      text += result + " = scf.for " + result +
              "i = %c0 to %n step %c1 iter_args(" + inner.back() + " = " + x +
              ") -> T {\n";
      addYield(inner, depth);
      text += "}\n";
      break;
    }
    default:
      text += result + " = func.call @callee(" + x + ") : (T) -> T\n";
    }
    return result;
  }

  /// A nested block; it is printed before the yield that uses it.
  void addYield(const std::vector<std::string> &values, unsigned depth) {
    text +=
        "scf.yield " + pick(addBlock(values, depth + 1, below(3))) + " : T\n";
  }

  std::vector<std::string> addBlock(std::vector<std::string> values,
                                    unsigned depth, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      values.push_back(addOperation(values, depth));
    return values;
  }

  std::mt19937 random;
  std::string text;
  unsigned next = 0;
};

class PlacementTest : public ::testing::TestWithParam<unsigned> {
protected:
  PlacementTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }
  LogicalResult run(ModuleOp module,
                    std::vector<std::unique_ptr<Pass>> passes) {
    PassManager manager(&context);
    for (std::unique_ptr<Pass> &pass : passes)
      manager.addPass(std::move(pass));
    return manager.run(module);
  }
  template <typename... Passes>
  static std::vector<std::unique_ptr<Pass>> list(Passes... passes) {
    std::vector<std::unique_ptr<Pass>> result;
    (result.push_back(std::move(passes)), ...);
    return result;
  }
  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  /// The programs are worth nothing if none of them needs a copy.
  static void TearDownTestSuite() { EXPECT_GT(totalCopies, 100); }
  static inline int64_t totalCopies = 0;

  MLIRContext context;
};

} // namespace

TEST_P(PlacementTest, KeepsItsPromises) {
  std::string text = Generator(GetParam()).run();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module) << text;
  ASSERT_TRUE(
      succeeded(run(*module, list(createConvertElementwiseToLinalgPass()))));
  llvm::DenseMap<Operation *, DeviceAttr> pins;
  walkPlacedOperations(*module, [&](Operation *op) {
    if (DeviceAttr device = getDevice(op))
      if (isPlaceable(op))
        pins[op] = device;
  });

  ASSERT_TRUE(succeeded(run(*module, list(createPlacePass())))) << text;
  walkPlacedOperations(*module, [&](Operation *op) {
    DeviceAttr device = getDevice(op);
    ASSERT_TRUE(device && device.hasOrdinal()) << text;
    if (DeviceAttr wanted = pins.lookup(op))
      EXPECT_EQ(wanted.meet(device), device) << text;
  });

  std::string placed = print(*module);
  ASSERT_TRUE(succeeded(run(*module, list(createPlacePass())))) << text;
  EXPECT_EQ(print(*module), placed) << text;
  // Placement may have cloned functions, so the price is that of the result.
  FailureOr<Placement> placement = computePlacement(
      *module, Topology::get(*module), BlockTree(*module),
      {PlacementStrategy::Optimal, {}, /*workLimit=*/0, /*wantsPrice=*/true});
  ASSERT_TRUE(succeeded(placement)) << text;

  // Placement counts on it that slices are copied alone, and does not know of
  // parts that come back.
  OptimizeCopiesPassOptions whole;
  whole.narrow = false;
  ASSERT_TRUE(succeeded(
      run(*module, list(createMaterializeCopiesPass(), createVerifyPass(),
                        createOptimizeCopiesPass(whole), createVerifyPass()))))
      << placed;
  unsigned numElementReads = 0, numSlices = 0;
  module->walk([&](tensor::ExtractOp) { ++numElementReads; });
  module->walk([&](tensor::ExtractSliceOp) { ++numSlices; });
  int64_t copies = 0;
  module->walk([&](CopyOp) { ++copies; });
  totalCopies += copies;
  // For several elements materialization does not ask what is cheaper.
  if (numElementReads <= 1 && numSlices == 0)
    EXPECT_EQ(copies, placement->price.copies) << placed;
  ASSERT_TRUE(succeeded(
      run(*module, list(createOptimizeCopiesPass(), createVerifyPass()))))
      << placed;
  EXPECT_GE(placement->price.cost, placement->price.lowerBound);
  int64_t moved = 0, priced = 0;
  module->walk([&](CopyOp copy) { moved += getTensorBytes(copy.getType()); });
  for (const auto &[ends, link] : placement->price.links)
    priced += link.bytes;
  EXPECT_LE(moved, priced) << placed;
}

INSTANTIATE_TEST_SUITE_P(Random, PlacementTest, ::testing::Range(0u, 100u));
