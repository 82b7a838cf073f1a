//===- LayoutCosts.cpp - What an order of dimensions costs ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles by counting vector instructions, times factors that were measured with
// benchmarks/cpu-kernels as the speed of the same window in both orders. Sizes
// that are not known count as much as for placement.
//
//===----------------------------------------------------------------------===//

#include "LayoutCosts.h"
#include "Codegen/CPU/Plan/Access.h"

#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Plan/DotPlan.h"
#include "Codegen/Match/ConvolutionLoops.h"
#include "ImageLayouts.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Vectors that are multiplied and added in a cycle.
static constexpr double kVectorsPerCycle = 2;
/// Cycles for a byte of a tensor that is transposed: if it fits with the result
/// in the second-level cache, and else.
static constexpr double kNearTransposition = 0.12, kFarTransposition = 0.3;
static constexpr int64_t kNearBytes = 1 << 20;
/// The same of one that is copied row by row; rows of pixels are shorter than
/// those of pixels with their channels.
static constexpr double kCopyOfRows = 0.12, kCopyOfPixels = 0.08;
/// By how much more a convolution takes that loads its vectors from rows of the
/// image: they begin anywhere in a line of the cache, and with a stride they
/// are longer loads and a shuffle. Without a window there is nothing left of a
/// longer load that another element of the window would use; and blocks of
/// pixels of all channels are not in the order in which memory is fetched
/// ahead.
static constexpr double kNearPixels = 1.07, kFarPixels = 1.25, kRows = 1.13,
                        kStridedRows = 1.25, kStridedPixels = 1.42;
/// The share by which one takes more whose lanes share elements of the image
/// that are a channel apart, by element of the window: those of a row are in
/// the same line of the cache. More if channels are not in a few pages.
static constexpr double kNearChannels = 0.1, kFarChannels = 0.3;
static constexpr double kFarBytes = 2048;
/// By how much more one takes than one that makes channels last, too.
static constexpr double kReadsLast = 1.1;
/// Cycles of an element of a window for a vector of pixels, and of channels,
/// where each channel has its own.
static constexpr double kPixelWindow = 1.9, kStridedPixelWindow = 4,
                        kChannelWindow = 0.8;

static double count(int64_t size) {
  return ShapedType::isDynamic(size) ? kDefaultDynamicSize : size;
}

static double countIterations(linalg::GenericOp op) {
  double iterations = 1;
  for (int64_t size : op.getStaticLoopRanges())
    iterations *= count(size);
  return iterations;
}

double mlir::hetero::getShareOfLanes(int64_t size, int64_t lanes) {
  if (ShapedType::isDynamic(size) || size == 0)
    return 1;
  int64_t left = size % lanes;
  int64_t end =
      left == 0 ? 0 : std::max<int64_t>(llvm::PowerOf2Ceil(left), lanes / 2);
  return double(size) / (size - left + end);
}

/// Lanes of the result's type.
static int64_t countLanes(Type type, const CPUTarget &target) {
  int64_t bits = 8 * getElementBytes(getElementTypeOrSelf(type));
  return std::max<int64_t>(target.vectorBits / bits, 1);
}

double mlir::hetero::estimateTransposition(Type type) {
  int64_t bytes = getTensorBytes(type);
  return bytes * (bytes <= kNearBytes ? kNearTransposition : kFarTransposition);
}

double mlir::hetero::estimateCopy(Type type, bool isLast) {
  return getTensorBytes(type) * (isLast ? kCopyOfPixels : kCopyOfRows);
}

/// The size of the loop along the vectors where they are along pixels: all of
/// an image if its windows are pixels next to each other, else a row.
static int64_t getRowLength(linalg::GenericOp op,
                            const ConvolutionLoops &loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t length = sizes[loops.windows.back().row];
  bool isPixel = llvm::all_of(loops.windows, [&](const auto &window) {
    return sizes[window.tap] == 1 && window.stride == 1;
  });
  if (isPixel)
    for (const auto &window : ArrayRef(loops.windows).drop_back())
      length = ShapedType::isDynamic(length) ||
                       ShapedType::isDynamic(sizes[window.row])
                   ? ShapedType::kDynamic
                   : length * sizes[window.row];
  return length;
}

/// What loading vectors from rows of pixels costs.
static double getRowFactor(linalg::GenericOp op,
                           const ConvolutionLoops &loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isPixel = llvm::all_of(loops.windows, [&](const auto &window) {
    return sizes[window.tap] == 1;
  });
  if (loops.windows.back().stride > 1)
    return isPixel ? kStridedPixels : kStridedRows;
  if (!isPixel)
    return kRows;
  int64_t bytes = getTensorBytes(op.getDpsInputs()[0].getType()) +
                  getTensorBytes(op.getType(0));
  return bytes > kNearBytes ? kFarPixels : kNearPixels;
}

/// What reading the elements that lanes share costs where channels are not
/// last.
static double getMakesLastFactor(linalg::GenericOp op,
                                 const ConvolutionLoops &loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto image = cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  double taps = 1, bytes = getElementBytes(image.getElementType());
  for (const ConvolutionLoops::Window &window : loops.windows) {
    taps *= count(sizes[window.tap]);
    bytes *= count(image.getDimSize(window.dimension));
  }
  return 1 + (bytes > kFarBytes ? kFarChannels : kNearChannels) / taps;
}

/// How many steps of the sum over channels an instruction does if they are next
/// to each other.
static double getGroup(linalg::GenericOp op, const CPUTarget &target) {
  std::optional<NarrowProduct> product = matchNarrowProduct(op);
  return product && hasInstruction(*product, target) ? product->group : 1;
}

ConvolutionCycles mlir::hetero::estimateConvolution(linalg::GenericOp op,
                                                    const CPUTarget &target) {
  ConvolutionLoops loops = *matchConvolutionLoops(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t lanes = countLanes(op.getType(0), target);
  double vectors = countIterations(op) / lanes / kVectorsPerCycle;
  double ofPixels = vectors / getShareOfLanes(getRowLength(op, loops), lanes);
  // Few filters are one vector, however short.
  int64_t filters = count(sizes[loops.filter]);
  double share = filters < lanes ? double(filters) / lanes
                                 : getShareOfLanes(sizes[loops.filter], lanes);
  double ofFilters = vectors / share;
  // Filters that are no constants are put in another order, too.
  double reorder = findConstant(op.getDpsInputs()[1])
                       ? 0
                       : estimateTransposition(op.getDpsInputs()[1].getType());
  ConvolutionCycles cycles;
  cycles.plain = ofPixels * getRowFactor(op, loops);
  cycles.makesLast = ofFilters * getMakesLastFactor(op, loops) + reorder;
  cycles.last = ofFilters / getGroup(op, target) + reorder;
  // Its vectors would have to be along pixels that are far apart, so that it is
  // worse than one whose result is transposed, and no better than the sum of
  // its halves: only such costs are those of a cut.
  cycles.readsLast =
      std::max(kReadsLast * cycles.last + estimateTransposition(op.getType(0)),
               cycles.plain + cycles.last - cycles.makesLast);
  return cycles;
}

double mlir::hetero::estimateWindows(linalg::GenericOp op, unsigned channelLoop,
                                     bool isLast, const CPUTarget &target) {
  if (op.getNumReductionLoops() == 0)
    return 0;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  int64_t lanes = countLanes(op->getResult(0).getType(), target);
  double vectors = countIterations(op) / lanes;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (isLast)
    return kChannelWindow * vectors /
           getShareOfLanes(sizes[channelLoop], lanes);
  if (result.getNumResults() == 0 || op.getNumDpsInputs() == 0)
    return vectors;
  auto row = dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!row)
    return vectors;
  AccessKind access =
      classifyAccess(op, op.getDpsInputOperand(0), row.getPosition());
  double factor =
      access == AccessKind::Contiguous ? kPixelWindow : kStridedPixelWindow;
  return factor * vectors / getShareOfLanes(sizes[row.getPosition()], lanes);
}
