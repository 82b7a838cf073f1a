//===- ImageBorder.h - Windows that reach over an image ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_IMAGEBORDER_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_IMAGEBORDER_H

#include "Codegen/CPU/Plan/WindowPlan.h"
#include "LoopNest.h"

namespace mlir::hetero {

/// Steps of a window's loop that are all in one body.
inline constexpr int64_t kMaxWindowSteps = 8;

/// The side of an image that rows go along, where all of it is known: where the
/// first row begins, the sizes of the image, and of both loops.
struct KnownSide {
  int64_t begin = 0, size = 0, rows = 0, steps = 0;
};

/// The input that is read without its border, if there is one. The sizes of the
/// padded image are those of the image and the border.
class ImageBorder {
public:
  explicit ImageBorder(LoopNest &nest);

  /// True for the input that has the border.
  bool isOf(OpOperand *input) const;
  /// What an input is read from.
  Value getSource(OpOperand *input) const;
  /// Makes a place in the part of the padded image that the operation reads
  /// that of the image.
  void moveToImage(SmallVector<OpFoldResult> &place);
  /// True if what the border adds makes no difference.
  bool isNeutral() const;
  /// The element that the border has everywhere.
  Value createValue();

  /// The side along which the steps of a reduction may be outside of the image;
  /// null where all of them are known to be inside, or to be outside.
  const WindowSide *findOpenSide(unsigned loop) const;
  /// The side that the rows go along if there is a border.
  const WindowSide *findRowSide() const;
  /// The same for rows that are pixels.
  const WindowSide *findPixelSide() const;
  /// The rows whose windows are inside of the image.
  std::pair<OpFoldResult, OpFoldResult> getInnerRows(const WindowSide &side);
  /// The steps of a window at the current place that are inside of the image.
  std::pair<OpFoldResult, OpFoldResult> getInnerSteps(const WindowSide &side);
  /// Where the border is, if that is known for each row and step.
  std::optional<KnownSide> getKnownSide(const WindowSide &side);
  /// True if some window of these rows reaches over the border.
  bool isOverBorder(const KnownSide &side, int64_t first, int64_t rows) const;

  /// The current steps are in the border.
  bool isOutside() const { return areStepsOutside; }
  void setOutside(bool isOutside) { areStepsOutside = isOutside; }
  /// The current rows may be at the border.
  void setAtBorder(bool isAtBorder) { areRowsAtBorder = isAtBorder; }
  /// The current rows are a block at a side that is known, or no such block.
  void enterBlock(const KnownSide &side, int64_t first) {
    block = {side, first};
  }
  void leaveBlock() { block.reset(); }
  /// True if what is read so far past the beginning of the current block is
  /// known to be outside of the image.
  bool isKnownOutside(int64_t distance) const;

private:
  std::pair<OpFoldResult, OpFoldResult> getBegin(const WindowSide &side);

  LoopNest &nest;
  std::optional<Border> border;
  bool areStepsOutside = false, areRowsAtBorder = false;
  std::optional<std::pair<KnownSide, int64_t>> block;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_IMAGEBORDER_H
