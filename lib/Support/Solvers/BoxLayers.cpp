//===- BoxLayers.cpp - Places rectangles in layers ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoxLayers.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir::hetero;

/// Sweeps over the layers, down and up in turns. More change little.
static constexpr unsigned kNumSweeps = 4;
/// Places of a layer from its first to its last item.
static constexpr int64_t kPlaces = 1 << 20;
/// A box may be so many times as tall as wide before it gets columns, which
/// then make it so many times as tall as wide at most.
static constexpr int64_t kMaxTall = 4, kTall = 2;
/// So many nodes may always stand side by side.
static constexpr int64_t kMinWidth = 8;
/// What is no taller than so many rows of nodes is not folded.
static constexpr int64_t kMinFolded = 12;

BoxLayers::BoxLayers(llvm::MutableArrayRef<LayoutRectangle> items,
                     llvm::ArrayRef<std::pair<unsigned, unsigned>> edges,
                     const LayoutMetrics &metrics)
    : items(items), edges(edges), metrics(metrics) {
  findNeighbours();
}

void BoxLayers::findNeighbours() {
  auto group = [&](auto &list, auto &begin, auto key, auto value) {
    begin.assign(items.size() + 1, 0);
    for (auto edge : edges)
      ++begin[key(edge) + 1];
    for (size_t i = 0; i < items.size(); ++i)
      begin[i + 1] += begin[i];
    list.resize(edges.size());
    llvm::SmallVector<unsigned, 0> next(begin.begin(), begin.end());
    for (auto edge : edges)
      list[next[key(edge)]++] = value(edge);
  };
  auto first = [](auto edge) { return edge.first; };
  auto second = [](auto edge) { return edge.second; };
  group(before, beforeBegin, second, first);
  group(after, afterBegin, first, second);
}

/// The longest path; what nothing comes before stands right above what needs
/// it first.
void BoxLayers::findLayers() {
  llvm::SmallVector<unsigned, 0> layer(items.size(), 0);
  unsigned numLayers = 0;
  for (unsigned item = 0; item < items.size(); ++item) {
    for (unsigned other : getNeighbours(item, /*areBefore=*/true))
      layer[item] = std::max(layer[item], layer[other] + 1);
    numLayers = std::max(numLayers, layer[item] + 1);
  }
  for (unsigned item = 0; item < items.size(); ++item) {
    llvm::ArrayRef<unsigned> next = getNeighbours(item, /*areBefore=*/false);
    if (!getNeighbours(item, true).empty() || next.empty())
      continue;
    unsigned first = numLayers;
    for (unsigned other : next)
      first = std::min(first, layer[other]);
    layer[item] = first - 1;
  }
  layers.resize(numLayers);
  for (unsigned item = 0; item < items.size(); ++item)
    layers[layer[item]].push_back(item);
}

void BoxLayers::orderLayer(Row &layer, bool isDown) {
  auto getMean = [&](unsigned item) {
    llvm::ArrayRef<unsigned> others = getNeighbours(item, isDown);
    int64_t sum = 0;
    for (unsigned other : others)
      sum += order[other];
    return others.empty() ? order[item] : sum / int64_t(others.size());
  };
  llvm::SmallVector<std::pair<int64_t, unsigned>> wanted;
  for (unsigned item : layer)
    wanted.push_back({getMean(item), item});
  llvm::stable_sort(wanted, llvm::less_first());
  for (auto [index, entry] : llvm::enumerate(wanted)) {
    layer[index] = entry.second;
    order[entry.second] = kPlaces * (2 * index + 1) / (2 * layer.size());
  }
}

void BoxLayers::orderLayers() {
  order.resize(items.size());
  for (Row &layer : layers)
    for (auto [index, item] : llvm::enumerate(layer))
      order[item] = kPlaces * (2 * index + 1) / (2 * layer.size());
  for (unsigned sweep = 0; sweep < kNumSweeps; ++sweep) {
    bool isDown = sweep % 2 == 0;
    if (isDown)
      for (Row &layer : layers)
        orderLayer(layer, isDown);
    else
      for (Row &layer : llvm::reverse(layers))
        orderLayer(layer, isDown);
  }
}

/// As wide as a square of what is in the box, or as its widest item, or as a
/// few nodes.
int64_t BoxLayers::findWidth() const {
  double area = 0;
  int64_t width = kMinWidth * (metrics.nodeWidth + metrics.gapX);
  for (const LayoutRectangle &item : items) {
    area += double(item.width + metrics.gapX) * (item.height + metrics.gapY);
    width = std::max(width, item.width);
  }
  return std::max<int64_t>(width, std::llround(std::sqrt(area)));
}

void BoxLayers::makeRows(int64_t width) {
  for (const Row &layer : layers) {
    int64_t used = 0;
    rows.emplace_back();
    for (unsigned item : layer) {
      if (!rows.back().empty() && used + items[item].width > width) {
        rows.emplace_back();
        used = 0;
      }
      rows.back().push_back(item);
      used += items[item].width + metrics.gapX;
    }
  }
}

/// Each item as near as possible to below what comes before it, in the order of
/// the row, within the width.
void BoxLayers::placeRow(const Row &row, int64_t width) {
  int64_t needed = -metrics.gapX;
  for (unsigned item : row)
    needed += items[item].width + metrics.gapX;
  int64_t least = 0, next = (width - needed) / 2;
  for (unsigned item : row) {
    LayoutRectangle &here = items[item];
    llvm::ArrayRef<unsigned> others = getNeighbours(item, /*areBefore=*/true);
    int64_t wanted = std::max(next, least);
    if (!others.empty()) {
      int64_t sum = 0;
      for (unsigned other : others)
        sum += 2 * items[other].x + items[other].width;
      wanted = (sum / int64_t(others.size()) - here.width) / 2;
    }
    here.x = std::clamp(wanted, least, std::max(least, width - needed));
    least = here.x + here.width + metrics.gapX;
    next = least;
    needed -= here.width + metrics.gapX;
  }
}

int64_t BoxLayers::getRowHeight(const Row &row) const {
  int64_t height = 0;
  for (unsigned item : row)
    height = std::max(height, items[item].height);
  return height;
}

/// Stretches of rows that stand side by side.
llvm::SmallVector<BoxLayers::Column> BoxLayers::findColumns() const {
  int64_t height = 0, left = INT64_MAX, right = 0;
  for (const Row &row : rows)
    height += getRowHeight(row) + metrics.gapY;
  for (const LayoutRectangle &item : items) {
    left = std::min(left, item.x);
    right = std::max(right, item.x + item.width);
  }
  int64_t width = right - left + metrics.gapX;
  int64_t limit = height;
  if (height > kMaxTall * width &&
      height >= kMinFolded * (metrics.nodeHeight + metrics.gapY))
    limit = std::llround(std::sqrt(double(height) * kTall * width));
  llvm::SmallVector<Column> columns = {{0, 0, 0}};
  for (const Row &row : rows) {
    int64_t added = getRowHeight(row) + metrics.gapY;
    Column &last = columns.back();
    if (last.height != 0 && last.height + added > limit)
      columns.push_back({last.end, last.end, 0});
    ++columns.back().end;
    columns.back().height += added;
  }
  return columns;
}

/// Returns the right lower corner.
LayoutPoint BoxLayers::placeColumn(const Column &column, int64_t left) {
  int64_t first = INT64_MAX, right = left, top = 0;
  auto inside =
      llvm::ArrayRef(rows).slice(column.begin, column.end - column.begin);
  for (const Row &row : inside)
    for (unsigned item : row)
      first = std::min(first, items[item].x);
  for (const Row &row : inside) {
    for (unsigned item : row) {
      items[item].x += left - first;
      items[item].y = top;
      right = std::max(right, items[item].x + items[item].width);
    }
    top += getRowHeight(row) + metrics.gapY;
  }
  return {right, top - metrics.gapY};
}

LayoutPoint BoxLayers::run() {
  if (items.empty())
    return {};
  findLayers();
  orderLayers();
  int64_t width = findWidth();
  makeRows(width);
  for (const Row &row : rows)
    placeRow(row, width);
  LayoutPoint extent;
  int64_t left = 0;
  for (const Column &column : findColumns()) {
    LayoutPoint corner = placeColumn(column, left);
    extent = {corner.x, std::max(extent.y, corner.y)};
    left = corner.x + metrics.gapX;
  }
  return extent;
}
