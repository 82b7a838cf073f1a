//===- NestedLayout.cpp - Places boxes within boxes -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/NestedLayout.h"

#include "BoxLayers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::hetero;

unsigned NestedLayout::addBox(unsigned parent) {
  parents.push_back(parent);
  return parents.size() - 1;
}

unsigned NestedLayout::addNode(unsigned box, uint64_t rank) {
  nodeBoxes.push_back(box);
  ranks.push_back(rank);
  return nodeBoxes.size() - 1;
}

/// A box stands where the first of its nodes does.
void NestedLayout::rankBoxes() {
  boxRanks.assign(parents.size(), UINT64_MAX);
  for (auto [box, rank] : llvm::zip(nodeBoxes, ranks))
    boxRanks[box] = std::min(boxRanks[box], rank);
  for (unsigned box = parents.size(); box-- > 1;)
    boxRanks[parents[box]] = std::min(boxRanks[parents[box]], boxRanks[box]);
}

void NestedLayout::collectChildren() {
  children.resize(parents.size());
  for (auto [node, box] : llvm::enumerate(nodeBoxes))
    children[box].push_back(node);
  for (unsigned box = 1; box < parents.size(); ++box)
    children[parents[box]].push_back(nodeBoxes.size() + box);
  auto getRank = [&](Child child) {
    return isBox(child) ? boxRanks[child - nodeBoxes.size()] : ranks[child];
  };
  for (auto &list : children)
    llvm::stable_sort(
        list, [&](Child a, Child b) { return getRank(a) < getRank(b); });
}

/// Parts of about the same size, few enough for one box; new boxes are split in
/// turn, where they still have too much.
void NestedLayout::splitBox(unsigned box) {
  size_t count = children[box].size(), most = metrics.maxChildren;
  if (count <= most)
    return;
  size_t numParts = std::min(most, (count + most - 1) / most);
  llvm::SmallVector<Child, 4> all = std::move(children[box]);
  children[box].clear();
  for (size_t part = 0; part < numParts; ++part) {
    size_t begin = count * part / numParts, end = count * (part + 1) / numParts;
    unsigned added = addBox(box);
    children.emplace_back(all.begin() + begin, all.begin() + end);
    for (Child child : children[added])
      (isBox(child) ? parents[child - nodeBoxes.size()] : nodeBoxes[child]) =
          added;
    children[box].push_back(nodeBoxes.size() + added);
  }
}

/// A split may put a box into one with a greater number.
void NestedLayout::findDepths() {
  depths.assign(parents.size(), 0);
  llvm::SmallVector<unsigned, 0> worklist = {0};
  while (!worklist.empty()) {
    unsigned box = worklist.pop_back_val();
    for (Child child : children[box])
      if (isBox(child)) {
        unsigned inside = child - nodeBoxes.size();
        depths[inside] = depths[box] + 1;
        worklist.push_back(inside);
      }
  }
}

/// An edge belongs to the innermost box that has both of its ends.
void NestedLayout::liftEdges() {
  positions.resize(nodeBoxes.size() + parents.size());
  for (const auto &list : children)
    for (auto [position, child] : llvm::enumerate(list))
      positions[child] = position;
  inner.resize(parents.size());
  for (auto [from, to] : edges) {
    Child first = from, second = to;
    unsigned firstBox = getParentOf(first), secondBox = getParentOf(second);
    while (firstBox != secondBox) {
      bool climbsFirst = depths[firstBox] >= depths[secondBox];
      bool climbsSecond = depths[secondBox] >= depths[firstBox];
      if (climbsFirst) {
        first = nodeBoxes.size() + firstBox;
        firstBox = parents[firstBox];
      }
      if (climbsSecond) {
        second = nodeBoxes.size() + secondBox;
        secondBox = parents[secondBox];
      }
    }
    if (positions[first] < positions[second])
      inner[firstBox].push_back({positions[first], positions[second]});
  }
  for (auto &list : inner) {
    llvm::sort(list);
    list.erase(llvm::unique(list), list.end());
  }
}

/// What is in the box, as if it began at 0, 0.
void NestedLayout::layOut(unsigned box) {
  llvm::SmallVector<LayoutRectangle> items;
  for (Child child : children[box])
    items.push_back(isBox(child) ? boxes[child - nodeBoxes.size()]
                                 : LayoutRectangle{0, 0, metrics.nodeWidth,
                                                   metrics.nodeHeight});
  LayoutPoint extent = BoxLayers(items, inner[box], metrics).run();
  LayoutPoint corner = {metrics.margin, metrics.margin + metrics.title};
  for (auto [child, item] : llvm::zip(children[box], items)) {
    LayoutPoint point = {item.x + corner.x, item.y + corner.y};
    if (!isBox(child)) {
      nodes[child] = point;
      continue;
    }
    boxes[child - nodeBoxes.size()].x = point.x;
    boxes[child - nodeBoxes.size()].y = point.y;
  }
  boxes[box].width = std::max(extent.x, metrics.nodeWidth) + 2 * metrics.margin;
  boxes[box].height = extent.y + 2 * metrics.margin + metrics.title;
}

/// From places in boxes to places in the drawing.
void NestedLayout::moveToPlace() {
  llvm::SmallVector<unsigned, 0> worklist = {0};
  while (!worklist.empty()) {
    unsigned box = worklist.pop_back_val();
    for (Child child : children[box]) {
      if (isBox(child)) {
        unsigned inside = child - nodeBoxes.size();
        boxes[inside].x += boxes[box].x;
        boxes[inside].y += boxes[box].y;
        worklist.push_back(inside);
      } else {
        nodes[child].x += boxes[box].x;
        nodes[child].y += boxes[box].y;
      }
    }
  }
}

void NestedLayout::run() {
  rankBoxes();
  collectChildren();
  for (unsigned box = 0; box < parents.size(); ++box)
    splitBox(box);
  findDepths();
  liftEdges();
  nodes.resize(nodeBoxes.size());
  boxes.resize(parents.size());
  // What is inside first.
  auto order = llvm::to_vector<0>(llvm::seq<unsigned>(0, parents.size()));
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return depths[a] > depths[b]; });
  for (unsigned box : order)
    layOut(box);
  moveToPlace();
}
