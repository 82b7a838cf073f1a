//===- BoxLayers.h - Places rectangles in layers ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_BOXLAYERS_H
#define HETERO_SUPPORT_SOLVERS_BOXLAYERS_H

#include "hetero/Support/Solvers/NestedLayout.h"

namespace mlir::hetero {

/// The layout of what stands in one box: rectangles by number, of which each
/// edge goes from a lesser to a greater one.
class BoxLayers {
public:
  /// Takes the sizes of the rectangles and writes where they are, from 0, 0.
  BoxLayers(llvm::MutableArrayRef<LayoutRectangle> items,
            llvm::ArrayRef<std::pair<unsigned, unsigned>> edges,
            const LayoutMetrics &metrics);

  /// The extent of all of them.
  LayoutPoint run();

private:
  using Row = llvm::SmallVector<unsigned, 4>;
  struct Column {
    size_t begin, end;
    int64_t height;
  };

  void findNeighbours();
  void findLayers();
  void orderLayers();
  void orderLayer(Row &layer, bool isDown);
  int64_t findWidth() const;
  void makeRows(int64_t width);
  void placeRow(const Row &row, int64_t width);
  int64_t getRowHeight(const Row &row) const;
  llvm::SmallVector<Column> findColumns() const;
  LayoutPoint placeColumn(const Column &column, int64_t left);

  llvm::ArrayRef<unsigned> getNeighbours(unsigned item, bool areBefore) const {
    const auto &begin = areBefore ? beforeBegin : afterBegin;
    return llvm::ArrayRef(areBefore ? before : after)
        .slice(begin[item], begin[item + 1] - begin[item]);
  }

  llvm::MutableArrayRef<LayoutRectangle> items;
  llvm::ArrayRef<std::pair<unsigned, unsigned>> edges;
  const LayoutMetrics &metrics;
  /// Neighbours of item i: from begin[i] to begin[i + 1].
  llvm::SmallVector<unsigned, 0> before, after, beforeBegin, afterBegin;
  llvm::SmallVector<Row, 0> layers, rows;
  /// The place of each item within its layer, in units of 1 / 1024 layers.
  llvm::SmallVector<int64_t, 0> order;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_BOXLAYERS_H
