//===- BlockTreeTest.cpp - Frequencies of blocks, sites of copies ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Blocks/CopySites.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Operations called "test.NAME" mark blocks.
constexpr const char *kProgram = R"mlir(
func.func @main(%p: i1, %n: index) {
  "test.entry"() : () -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    "test.for"() : () -> ()
    scf.if %p {
      "test.then"() : () -> ()
      func.call @callee() : () -> ()
    } else {
      "test.else"() : () -> ()
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    "test.dynamic"() : () -> ()
  }
  func.call @callee() : () -> ()
  return
}
func.func private @callee() {
  "test.callee"() : () -> ()
  return
}
func.func @blocks(%p: i1) {
  cf.br ^loop
^loop:
  "test.loop"() : () -> ()
  cf.cond_br %p, ^body, ^exit
^body:
  "test.body"() : () -> ()
  cf.br ^loop
^exit:
  "test.exit"() : () -> ()
  return
}
)mlir";

class BlockTreeTest : public testing::Test {
protected:
  BlockTreeTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    hetero::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
    module = parseSourceString<ModuleOp>(kProgram, &context);
  }

  BlockIndex find(const BlockTree &tree, StringRef name) {
    Block *block = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == ("test." + name).str())
        block = op->getBlock();
    });
    return tree.lookup(block);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(BlockTreeTest, FrequenciesFollowTripCountsBranchesAndCalls) {
  ASSERT_TRUE(module);
  BlockTree tree(*module, {/*tripCount=*/20});
  auto frequency = [&](StringRef name) {
    return tree.getFrequency(find(tree, name));
  };
  EXPECT_EQ(frequency("entry"), 1);
  EXPECT_EQ(frequency("for"), 7);
  EXPECT_EQ(frequency("then"), 3.5);
  EXPECT_EQ(frequency("else"), 3.5);
  EXPECT_EQ(frequency("dynamic"), 20);
  EXPECT_EQ(frequency("callee"), 4.5);
  EXPECT_EQ(frequency("loop"), 20);
  EXPECT_EQ(frequency("body"), 20);
  EXPECT_EQ(frequency("exit"), 1);
}

/// Branches with weights: arms, a loop that they leave after four runs on
/// average, an arm inside, and what follows.
constexpr const char *kWeighted = R"mlir(
func.func @main(%p: i1, %i: index) {
  scf.if %p {
    "test.then"() : () -> ()
  } else {
    "test.else"() : () -> ()
  } {hetero.branch_weights = array<i32: 9, 1>}
  scf.index_switch %i {hetero.branch_weights = array<i32: 0, 5>}
  case 2 {
    "test.case"() : () -> ()
    scf.yield
  }
  default {
    "test.default"() : () -> ()
  }
  return
}
func.func @blocks(%p: i1) {
  cf.cond_br %p weights([1, 3]), ^often, ^join
^often:
  cf.br ^join
^join:
  "test.join"() : () -> ()
  cf.br ^loop
^loop:
  "test.loop"() : () -> ()
  cf.cond_br %p weights([1, 4]), ^rare, ^latch
^rare:
  "test.rare"() : () -> ()
  cf.br ^latch
^latch:
  "test.latch"() : () -> ()
  cf.cond_br %p weights([3, 1]), ^loop, ^exit
^exit:
  "test.exit"() : () -> ()
  cf.cond_br %p weights([1, 1]), ^left, ^right
^left:
  "test.left"() : () -> ()
  return
^right:
  return
}
)mlir";

TEST_F(BlockTreeTest, FrequenciesFollowWeights) {
  module = parseSourceString<ModuleOp>(kWeighted, &context);
  ASSERT_TRUE(module);
  BlockTree tree(*module, {/*tripCount=*/20});
  auto frequency = [&](StringRef name) {
    return tree.getFrequency(find(tree, name));
  };
  EXPECT_DOUBLE_EQ(frequency("then"), 0.9);
  EXPECT_DOUBLE_EQ(frequency("else"), 0.1);
  EXPECT_DOUBLE_EQ(frequency("default"), 0);
  EXPECT_DOUBLE_EQ(frequency("case"), 1);
  EXPECT_DOUBLE_EQ(frequency("join"), 1);
  EXPECT_DOUBLE_EQ(frequency("loop"), 4);
  EXPECT_DOUBLE_EQ(frequency("rare"), 0.8);
  EXPECT_DOUBLE_EQ(frequency("latch"), 4);
  EXPECT_DOUBLE_EQ(frequency("exit"), 1);
  EXPECT_DOUBLE_EQ(frequency("left"), 0.5);
}

TEST_F(BlockTreeTest, ParentsDominate) {
  ASSERT_TRUE(module);
  BlockTree tree(*module);
  EXPECT_EQ(tree.getParent(find(tree, "entry")), BlockTree::kNone);
  EXPECT_EQ(tree.getParent(find(tree, "for")), find(tree, "entry"));
  EXPECT_EQ(tree.getParent(find(tree, "then")), find(tree, "for"));
  EXPECT_EQ(tree.getParent(find(tree, "exit")), find(tree, "loop"));
  EXPECT_EQ(tree.getDepth(find(tree, "then")), 2u);
  for (BlockIndex block = 0; block < tree.size(); ++block)
    if (tree.getParent(block) != BlockTree::kNone) {
      EXPECT_LT(tree.getParent(block), block);
    }
}

TEST_F(BlockTreeTest, CopyInBothArmsBecomesOneAbove) {
  ASSERT_TRUE(module);
  BlockTree tree(*module);
  BlockIndex loop = find(tree, "for");
  BlockIndex arms[] = {find(tree, "then"), find(tree, "else")};
  CopySites both = chooseCopySites(tree, loop, arms, 1001);
  ASSERT_EQ(both.blocks.size(), 1u);
  EXPECT_EQ(both.blocks[0], loop);
  EXPECT_EQ(both.time, 7007);
  CopySites one = chooseCopySites(tree, loop, arms[0], 1000);
  ASSERT_EQ(one.blocks.size(), 1u);
  EXPECT_EQ(one.blocks[0], arms[0]);
  EXPECT_EQ(one.time, 3500);
  // Out of the loop, since the value does not change in it.
  CopySites hoisted = chooseCopySites(tree, find(tree, "entry"), arms[0], 1000);
  ASSERT_EQ(hoisted.blocks.size(), 1u);
  EXPECT_EQ(hoisted.blocks[0], find(tree, "entry"));
  EXPECT_EQ(hoisted.time, 1000);
}

/// The least cost over all sets of blocks.
int64_t enumerateSites(const BlockTree &tree, BlockIndex definition,
                       ArrayRef<BlockIndex> uses, int64_t time,
                       ArrayRef<OptionalUse> optional) {
  int64_t best = INT64_MAX;
  for (unsigned set = 0; set < 1u << tree.size(); ++set) {
    int64_t cost = 0;
    for (BlockIndex block = 0; block < tree.size(); ++block)
      if (set >> block & 1)
        cost += tree.scale(time, block);
    auto serves = [&](BlockIndex block) {
      while (!(set >> block & 1)) {
        if (block == definition)
          return false;
        block = tree.getParent(block);
      }
      return true;
    };
    for (OptionalUse use : optional)
      cost += serves(use.block) ? 0 : use.time;
    if (llvm::all_of(uses, serves))
      best = std::min(best, cost);
  }
  return best;
}

TEST_F(BlockTreeTest, SitesAreOptimal) {
  ASSERT_TRUE(module);
  BlockTree tree(*module);
  ASSERT_LE(tree.size(), 12u);
  std::mt19937 random(1);
  for (unsigned round = 0; round < 500; ++round) {
    BlockIndex definition = random() % tree.size();
    SmallVector<BlockIndex> inside;
    for (BlockIndex block = 0; block < tree.size(); ++block)
      for (BlockIndex above = block; above != BlockTree::kNone;
           above = tree.getParent(above))
        if (above == definition)
          inside.push_back(block);
    SmallVector<BlockIndex> uses;
    for (unsigned i = 0, e = random() % 4; i < e; ++i)
      uses.push_back(inside[random() % inside.size()]);
    SmallVector<OptionalUse> optional;
    for (unsigned i = 0, e = random() % 3; i < e; ++i)
      optional.push_back({inside[random() % inside.size()],
                          static_cast<int64_t>(random() % 200)});
    int64_t time = random() % 100;
    EXPECT_EQ(chooseCopySites(tree, definition, uses, time, optional).time,
              enumerateSites(tree, definition, uses, time, optional));
  }
}

/// Whoever checks a price computes the products with exact fractions.
TEST_F(BlockTreeTest, TimesAreExactProducts) {
  constexpr const char *text = R"mlir(
    func.func @f(%c: i1) {
      scf.if %c {
        scf.yield
      } else {
        scf.yield
      } {hetero.branch_weights = array<i32: 1, 2>}
      return
    }
  )mlir";
  module = parseSourceString<ModuleOp>(text, &context);
  BlockTree tree(*module);
  double third = tree.getFrequency(1);
  ASSERT_EQ(third, 1.0 / 3);
  EXPECT_EQ(tree.scale(0, 1), 0);
  EXPECT_EQ(tree.scale(INT64_MAX, 1), INT64_MAX);
  // The double is a bit less than a third.
  EXPECT_EQ(tree.scale(3, 1), 1);
  EXPECT_EQ(tree.scale(4, 1), 2);
  int64_t large = 9'000'000'000'000'000'003;
  constexpr int64_t numerator = 6004799503160661; // third * 2 ^ 54
  __int128 product = __int128(large) * numerator;
  int64_t exact = int64_t((product + (__int128(1) << 54) - 1) >> 54);
  EXPECT_EQ(tree.scale(large, 1), exact);
  // Rounding the product to a mantissa of 64 bits would give another one.
  EXPECT_EQ(exact, 2'999'999'999'999'999'835);
}
} // namespace
