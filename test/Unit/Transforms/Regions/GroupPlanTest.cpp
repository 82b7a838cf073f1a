//===- GroupPlanTest.cpp - Groups of random blocks ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On random placed programs: the plan's order respects all dependences, every
// operation is in it once, and no two groups of one device could be joined
// without a circle, by search over the contracted graph.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Regions/GroupPlan.h"
#include "hetero/InitAll.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {

/// A straight-line program of `numOps` additions on random devices.
std::string createProgram(unsigned seed, unsigned numOps) {
  std::mt19937 random(seed);
  const char *devices[] = {"cpu:0", "gpu:0", "gpu:1"};
  unsigned numDevices = 2 + random() % 2;
  std::string text = "func.func @main(%v0: tensor<4xf32>, %v1: tensor<4xf32>)"
                     " -> tensor<4xf32> {\n";
  std::vector<bool> used(numOps + 2);
  auto value = [&](unsigned index) { return "%v" + std::to_string(index); };
  auto add = [&](unsigned index, unsigned a, unsigned b) {
    used[a] = used[b] = true;
    text += value(index) + " = linalg.add {hetero.device = #hetero.device<" +
            devices[random() % numDevices] + ">} ins(" + value(a) + ", " +
            value(b) + " : tensor<4xf32>, tensor<4xf32>) outs(%v0 : " +
            "tensor<4xf32>) -> tensor<4xf32>\n";
  };
  unsigned index = 2;
  for (; index != numOps + 2; ++index)
    add(index, random() % index, random() % index);
  // Everything is used, so that nothing is dropped.
  unsigned sum = index - 1;
  for (unsigned i = 2; i + 1 != numOps + 2; ++i)
    if (!used[i]) {
      used.resize(index + 1);
      add(index, sum, i);
      sum = index++;
    }
  return text + "return " + value(sum) + " : tensor<4xf32>\n}\n";
}

/// The graph whose nodes are a plan's items.
struct ItemGraph {
  explicit ItemGraph(ArrayRef<GroupPlan::Item> items) : edges(items.size()) {
    for (auto [index, item] : llvm::enumerate(items))
      for (Operation *op : item.ops)
        itemOf[op] = index;
    for (auto [index, item] : llvm::enumerate(items))
      for (Operation *op : item.ops)
        for (Value operand : op->getOperands())
          if (Operation *producer = operand.getDefiningOp())
            if (itemOf.contains(producer) && itemOf[producer] != index)
              edges[itemOf[producer]].push_back(index);
  }

  /// True if a path leads from `from` to `to` through another item.
  bool hasDetour(unsigned from, unsigned to) const {
    std::vector<bool> seen(edges.size());
    std::vector<unsigned> stack;
    for (unsigned next : edges[from])
      if (next != to)
        stack.push_back(next);
    while (!stack.empty()) {
      unsigned item = stack.back();
      stack.pop_back();
      if (item == to)
        return true;
      if (seen[item])
        continue;
      seen[item] = true;
      for (unsigned next : edges[item])
        stack.push_back(next);
    }
    return false;
  }

  DenseMap<Operation *, unsigned> itemOf;
  std::vector<std::vector<unsigned>> edges;
};

void checkPlan(Block &block, unsigned &numGroups) {
  GroupPlan plan(block);
  ArrayRef<GroupPlan::Item> items = plan.getItems();
  ItemGraph graph(items);
  for (Operation &op : block.without_terminator())
    if (canBeGrouped(&op)) {
      ASSERT_TRUE(graph.itemOf.contains(&op));
      EXPECT_TRUE(items[graph.itemOf[&op]].device);
    }
  for (auto [from, list] : llvm::enumerate(graph.edges))
    for (unsigned to : list)
      EXPECT_LT(from, to) << "an item runs before what it needs";
  for (unsigned a = 0; a != items.size(); ++a)
    for (unsigned b = a + 1; items[a].device && b != items.size(); ++b)
      if (items[a].device == items[b].device) {
        EXPECT_TRUE(graph.hasDetour(a, b)) << "two groups could be one";
      }
  numGroups += llvm::count_if(
      items, [](const GroupPlan::Item &item) { return bool(item.device); });
}

TEST(GroupPlan, RandomBlocks) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::hetero::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  unsigned numGroups = 0;
  for (unsigned seed = 0; seed != 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        createProgram(seed, 3 + seed % 40), &context);
    ASSERT_TRUE(module);
    PassManager manager(&context);
    manager.addPass(createMaterializeCopiesPass());
    manager.addPass(createOptimizeCopiesPass());
    ASSERT_TRUE(succeeded(manager.run(*module)));
    auto function = *module->getOps<func::FuncOp>().begin();
    checkPlan(function.getBody().front(), numGroups);
    if (HasFatalFailure())
      return;
  }
  // Something must have been split for the test to mean anything.
  EXPECT_GT(numGroups, 1000u);
}

} // namespace
