//===- NestedLayoutTest.cpp - Boxes within boxes --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/NestedLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::hetero;

namespace {

struct Graph {
  std::vector<unsigned> boxParents = {NestedLayout::kNone};
  std::vector<unsigned> nodeBoxes;
  std::vector<std::pair<unsigned, unsigned>> edges;

  NestedLayout layOut(const LayoutMetrics &metrics = {}) const {
    NestedLayout layout(metrics);
    for (unsigned parent : boxParents)
      layout.addBox(parent);
    for (auto [node, box] : llvm::enumerate(nodeBoxes))
      layout.addNode(box, node);
    for (auto [from, to] : edges)
      layout.addEdge(from, to);
    layout.run();
    return layout;
  }
};

} // namespace

/// Nodes in random boxes, each with edges from a few before it.
static Graph makeRandom(unsigned seed, unsigned numBoxes, unsigned numNodes) {
  std::mt19937 random(seed);
  Graph graph;
  for (unsigned box = 1; box < numBoxes; ++box)
    graph.boxParents.push_back(random() % box);
  for (unsigned node = 0; node < numNodes; ++node) {
    graph.nodeBoxes.push_back(random() % numBoxes);
    for (unsigned i = random() % 3; i != 0 && node != 0; --i)
      graph.edges.push_back({random() % node, node});
  }
  return graph;
}

static LayoutRectangle getRectangle(const NestedLayout &layout, unsigned node) {
  LayoutPoint point = layout.getPoint(node);
  return {point.x, point.y, layout.getMetrics().nodeWidth,
          layout.getMetrics().nodeHeight};
}

/// What is in each box stands in it, below its title, and apart.
static void checkNesting(const NestedLayout &layout, size_t numNodes) {
  const LayoutMetrics &metrics = layout.getMetrics();
  std::vector<std::vector<LayoutRectangle>> inside(layout.getNumBoxes());
  for (unsigned box = 1; box < layout.getNumBoxes(); ++box)
    inside[layout.getParent(box)].push_back(layout.getRectangle(box));
  for (unsigned node = 0; node < numNodes; ++node)
    inside[layout.getBox(node)].push_back(getRectangle(layout, node));
  for (unsigned box = 0; box < layout.getNumBoxes(); ++box) {
    LayoutRectangle room = layout.getRectangle(box);
    room = {room.x + metrics.margin, room.y + metrics.margin + metrics.title,
            room.width - 2 * metrics.margin,
            room.height - 2 * metrics.margin - metrics.title};
    EXPECT_LE(inside[box].size(), metrics.maxChildren);
    for (auto [index, child] : llvm::enumerate(inside[box])) {
      EXPECT_TRUE(room.contains(child)) << "box " << box;
      for (const LayoutRectangle &other :
           llvm::ArrayRef(inside[box]).take_front(index))
        EXPECT_FALSE(child.overlaps(other)) << "box " << box;
    }
  }
}

TEST(NestedLayoutTest, RandomGraphsAreNestedWithoutOverlaps) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    LayoutMetrics metrics;
    metrics.maxChildren = seed % 2 == 0 ? 256 : 7;
    Graph graph = makeRandom(seed, 1 + seed % 12, 10 + 5 * seed);
    checkNesting(graph.layOut(metrics), graph.nodeBoxes.size());
  }
}

TEST(NestedLayoutTest, IsTheSameEachTime) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Graph graph = makeRandom(seed, 5, 400);
    NestedLayout first = graph.layOut(), second = graph.layOut();
    for (unsigned node = 0; node < graph.nodeBoxes.size(); ++node) {
      EXPECT_EQ(first.getPoint(node).x, second.getPoint(node).x);
      EXPECT_EQ(first.getPoint(node).y, second.getPoint(node).y);
    }
  }
}

/// Few enough for one column.
TEST(NestedLayoutTest, EdgesPointDown) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Graph graph = makeRandom(seed, 1, 10);
    NestedLayout layout = graph.layOut();
    for (auto [from, to] : graph.edges)
      EXPECT_LT(layout.getPoint(from).y, layout.getPoint(to).y);
  }
}

TEST(NestedLayoutTest, EdgesPointDownOrToALaterColumn) {
  unsigned numFolded = 0;
  for (unsigned length : {5u, 50u, 200u}) {
    Graph chain;
    for (unsigned node = 0; node < length; ++node) {
      chain.nodeBoxes.push_back(0);
      if (node != 0)
        chain.edges.push_back({node - 1, node});
    }
    NestedLayout layout = chain.layOut();
    for (auto [from, to] : chain.edges) {
      LayoutRectangle above = getRectangle(layout, from);
      LayoutRectangle below = getRectangle(layout, to);
      bool isFolded = below.x >= above.x + above.width;
      EXPECT_TRUE(isFolded || (above.x == below.x && above.y < below.y));
      numFolded += isFolded;
    }
    LayoutRectangle box = layout.getRectangle(0);
    if (length > 5)
      EXPECT_LT(box.height, 4 * box.width);
  }
  EXPECT_GE(numFolded, 4u);
}

/// A node that nothing comes before stands right above its only reader, and the
/// two of a fork side by side.
TEST(NestedLayoutTest, StandsNearWhatNeedsIt) {
  Graph graph;
  graph.nodeBoxes.assign(6, 0);
  // 0 -> 1 -> 2 -> 4, 3 -> 4, 1 -> 5
  graph.edges = {{0, 1}, {1, 2}, {2, 4}, {3, 4}, {1, 5}};
  NestedLayout layout = graph.layOut();
  EXPECT_EQ(layout.getPoint(3).y, layout.getPoint(2).y);
  EXPECT_EQ(layout.getPoint(5).y, layout.getPoint(2).y);
  EXPECT_EQ(layout.getPoint(0).x, layout.getPoint(1).x);
}

/// Edges between boxes order the boxes; those that lead back do not count.
TEST(NestedLayoutTest, OrdersBoxesByWhatCrossesThem) {
  Graph graph;
  graph.boxParents = {NestedLayout::kNone, 0, 0};
  graph.nodeBoxes = {2, 1, 2, 1};
  graph.edges = {{0, 1}, {1, 2}, {2, 3}};
  NestedLayout layout = graph.layOut();
  LayoutRectangle first = layout.getRectangle(2);
  EXPECT_LE(first.y + first.height, layout.getRectangle(1).y);
}

/// A few tall boxes, one after the other, stand side by side.
TEST(NestedLayoutTest, FoldsAFewTallBoxes) {
  Graph graph;
  for (unsigned box = 1; box <= 4; ++box) {
    graph.boxParents.push_back(0);
    for (unsigned i = 0; i < 11; ++i) {
      unsigned node = graph.nodeBoxes.size();
      graph.nodeBoxes.push_back(box);
      if (node != 0)
        graph.edges.push_back({node - 1, node});
    }
  }
  NestedLayout layout = graph.layOut();
  LayoutRectangle all = layout.getRectangle(0);
  EXPECT_LT(all.height, 4 * all.width);
  EXPECT_GT(layout.getRectangle(4).x, layout.getRectangle(1).x);
  checkNesting(layout, graph.nodeBoxes.size());
}

/// A level of many children gets boxes of consecutive ones.
TEST(NestedLayoutTest, DividesLargeBoxes) {
  LayoutMetrics metrics;
  metrics.maxChildren = 10;
  Graph graph;
  graph.nodeBoxes.assign(250, 0);
  for (unsigned node = 1; node < 250; ++node)
    graph.edges.push_back({node - 1, node});
  NestedLayout layout = graph.layOut(metrics);
  EXPECT_GT(layout.getNumBoxes(), 25u);
  for (unsigned node = 1; node < 250; ++node)
    EXPECT_LE(layout.getBox(node - 1), layout.getBox(node));
  checkNesting(layout, 250);
}
