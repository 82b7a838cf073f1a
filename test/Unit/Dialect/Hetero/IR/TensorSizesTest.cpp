//===- TensorSizesTest.cpp - What dynamic dimensions count as -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"

#include "../../../TestRegistry.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
/// Operations called "test.NAME" look at one value.
constexpr const char *kSizesProgram = R"mlir(
module attributes {hetero.dynamic_size = 50} {
  func.func @main(%a: tensor<?x3x?xf32> {hetero.dynamic_sizes = array<i64: 7, 11>},
                  %b: tensor<?xf32>, %u: tensor<*xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    "test.said"(%a) : (tensor<?x3x?xf32>) -> ()
    "test.unsaid"(%b) : (tensor<?xf32>) -> ()
    "test.unranked"(%u) : (tensor<*xf32>) -> ()
    %d = tensor.dim %a, %c2 : tensor<?x3x?xf32>
    %e = tensor.empty(%d) : tensor<?x2xf64>
    "test.derived"(%e) : (tensor<?x2xf64>) -> ()
    %l = tensor.dim %b, %c0 : tensor<?xf32>
    %t = arith.addi %l, %l : index
    %c = tensor.empty(%t) : tensor<?xf32>
    "test.sum"(%c) : (tensor<?xf32>) -> ()
    %f = tensor.empty(%n) : tensor<?xf32>
    "test.unknown"(%f) : (tensor<?xf32>) -> ()
    %m = affine.min affine_map<(d0) -> (d0, 5)>(%n)
    %s = tensor.extract_slice %b[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    "test.bounded"(%s) : (tensor<?xf32>) -> ()
    %k = hetero.copy %e : tensor<?x2xf64> on #hetero.device<cpu:0> -> tensor<?x2xf64> on #hetero.device<gpu:0>
    "test.copied"(%k) : (tensor<?x2xf64>) -> ()
    %z = arith.subi %d, %d : index
    %g = tensor.empty(%z) : tensor<?xf32>
    "test.nothing"(%g) : (tensor<?xf32>) -> ()
    %two = arith.constant 2 : i64
    %i = arith.index_cast %d : index to i64
    %h = arith.ceildivsi %i, %two : i64
    %j = arith.index_cast %h : i64 to index
    %p = tensor.empty(%j) : tensor<?xf32>
    "test.folded"(%p) : (tensor<?xf32>) -> ()
    %q = tensor.empty(%n, %n, %n) : tensor<?x?x?xf32>
    "test.outer"(%q) : (tensor<?x?x?xf32>) -> ()
    return
  }
}
)mlir";

class TensorSizesTest : public testing::Test {
protected:
  TensorSizesTest()
      : context(getTestRegistry()),
        module(parseSourceString<ModuleOp>(kSizesProgram, parserConfig())) {}

  ParserConfig parserConfig() {
    context.allowUnregisteredDialects();
    return ParserConfig(&context);
  }
  Value find(StringRef name) {
    Value found;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == ("test." + name).str())
        found = op->getOperand(0);
    });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

// The number of an argument, in the order of its dynamic dimensions; for one
// that says nothing, and for a tensor without a rank, that of the module.
TEST_F(TensorSizesTest, ArgumentsSayTheirSizes) {
  ASSERT_TRUE(module);
  TensorSizes sizes(*module);
  EXPECT_EQ(sizes.getDimSize(find("said"), 0), 7);
  EXPECT_EQ(sizes.getDimSize(find("said"), 1), 3);
  EXPECT_EQ(sizes.getDimSize(find("said"), 2), 11);
  EXPECT_EQ(sizes.getNumElements(find("said")), 7 * 3 * 11);
  EXPECT_EQ(sizes.getBytes(find("unsaid")), 4 * 50);
  EXPECT_EQ(sizes.getNumElements(find("unranked")), 50);
  EXPECT_EQ(sizes.getBytes(find("unranked")), 0);
}

TEST_F(TensorSizesTest, ResultsFollowFromWhatIsKnown) {
  ASSERT_TRUE(module);
  TensorSizes sizes(*module);
  EXPECT_EQ(sizes.getBytes(find("derived")), 11 * 2 * 8);
  EXPECT_EQ(sizes.getBytes(find("copied")), 11 * 2 * 8);
  EXPECT_EQ(sizes.getDimSize(find("sum"), 0), 100);
  EXPECT_EQ(sizes.getDimSize(find("bounded"), 0), 5);
  EXPECT_EQ(sizes.getDimSize(find("folded"), 0), 6);
}

TEST_F(TensorSizesTest, OthersAndEmptyOnesHaveTheModulesSize) {
  ASSERT_TRUE(module);
  TensorSizes sizes(*module);
  EXPECT_EQ(sizes.getDimSize(find("unknown"), 0), 50);
  EXPECT_EQ(sizes.getDimSize(find("nothing"), 0), 50);
  (*module)->removeAttr(kDynamicSizeAttrName);
  TensorSizes defaults(*module);
  EXPECT_EQ(defaults.getDimSize(find("unknown"), 0), kDefaultDynamicSize);
  // Several dimensions of which nothing is known do not multiply up.
  EXPECT_EQ(defaults.getDimSize(find("outer"), 0), 1);
  EXPECT_EQ(defaults.getNumElements(find("outer")),
            kDefaultDynamicSize * kDefaultDynamicSize);
}
