//===- NestedLayout.h - Places boxes within boxes ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A drawing of a directed graph whose nodes stand in boxes within boxes. Each
// box is laid out by itself, what is in it before the box, so that a box can be
// drawn closed over the rectangle that it takes when it is open:
//
//   layers    by the longest path from what nothing in the box comes before
//   order     in a layer by the mean position of the neighbours, in a few
//             sweeps down and up (Sugiyama, Tagawa, Toda 1981)
//   rows      a layer that is too wide becomes several rows
//   columns   a box that is too tall becomes several columns, as in a newspaper
//
// Coordinates are whole numbers and depend on nothing but the graph; the time
// is near linear.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_NESTEDLAYOUT_H
#define HETERO_SUPPORT_SOLVERS_NESTEDLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::hetero {

struct LayoutPoint {
  int64_t x = 0, y = 0;
};

struct LayoutRectangle {
  int64_t x = 0, y = 0, width = 0, height = 0;

  bool contains(const LayoutRectangle &other) const {
    return x <= other.x && y <= other.y && other.x + other.width <= x + width &&
           other.y + other.height <= y + height;
  }
  bool overlaps(const LayoutRectangle &other) const {
    return x < other.x + other.width && other.x < x + width &&
           y < other.y + other.height && other.y < y + height;
  }
};

/// The sizes of everything.
struct LayoutMetrics {
  int64_t nodeWidth = 6, nodeHeight = 2;
  /// Between neighbours.
  int64_t gapX = 2, gapY = 2;
  /// Between a box and what is in it, and room for its name above that.
  int64_t margin = 1, title = 2;
  /// Of boxes with more children, consecutive ones get a box of their own.
  unsigned maxChildren = 256;
};

class NestedLayout {
public:
  static constexpr unsigned kNone = ~0u;

  explicit NestedLayout(const LayoutMetrics &metrics = {}) : metrics(metrics) {}

  const LayoutMetrics &getMetrics() const { return metrics; }
  /// A box in another one, which comes first; the first has none around it.
  unsigned addBox(unsigned parent);
  /// A node in a box. Edges go from less rank to more; those that do not lead
  /// back, and say nothing about the layers.
  unsigned addNode(unsigned box, uint64_t rank);
  void addEdge(unsigned from, unsigned to) { edges.push_back({from, to}); }

  /// Computes all that follows. Adds boxes where one has too many children.
  void run();

  unsigned getNumBoxes() const { return parents.size(); }
  /// kNone for the first.
  unsigned getParent(unsigned box) const { return parents[box]; }
  unsigned getBox(unsigned node) const { return nodeBoxes[node]; }
  LayoutPoint getPoint(unsigned node) const { return nodes[node]; }
  LayoutRectangle getRectangle(unsigned box) const { return boxes[box]; }

private:
  /// What is in a box: a node, or, from the number of nodes on, a box.
  using Child = unsigned;
  bool isBox(Child child) const { return child >= nodeBoxes.size(); }
  unsigned getParentOf(Child child) const {
    return isBox(child) ? parents[child - nodeBoxes.size()] : nodeBoxes[child];
  }
  void rankBoxes();
  void collectChildren();
  void splitBox(unsigned box);
  void findDepths();
  void liftEdges();
  void layOut(unsigned box);
  void moveToPlace();

  LayoutMetrics metrics;
  llvm::SmallVector<unsigned, 0> parents, nodeBoxes;
  llvm::SmallVector<uint64_t, 0> ranks;
  /// By box: the least rank in it, and how deep it is.
  llvm::SmallVector<uint64_t, 0> boxRanks;
  llvm::SmallVector<unsigned, 0> depths;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 0> edges;
  /// By box, in the order of ranks.
  llvm::SmallVector<llvm::SmallVector<Child, 4>, 0> children;
  /// By box: edges between its children, by position.
  llvm::SmallVector<llvm::SmallVector<std::pair<unsigned, unsigned>, 4>, 0>
      inner;
  /// By child: its number among the children of its box.
  llvm::SmallVector<unsigned, 0> positions;
  llvm::SmallVector<LayoutPoint, 0> nodes;
  llvm::SmallVector<LayoutRectangle, 0> boxes;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_NESTEDLAYOUT_H
