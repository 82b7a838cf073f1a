//===- ElementwiseKernel.cpp - 16 bytes at a time -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise work is limited by memory, which is at its best with 16 bytes per
// access and several accesses under way. A thread works on chunks of elements
// next to each other in all operands that move along the innermost loop:
//
//   if (every operand's rows start at multiples of 16 bytes)
//     if (the thread's chunks are whole)
//       load all chunks as vectors, compute, store vectors
//     else
//       element by element, those that exist
//   else
//     neighbouring threads take neighbouring elements
//
// The first condition is the same in all threads, and folds as far as strides
// are known. Chunks do not cross rows.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernel.h"

#include "Codegen/GPU/Plan/CollapseLoops.h"
#include "Codegen/GPU/Plan/LoopSteps.h"
#include "IndexMath.h"
#include "KernelOperands.h"
#include "KernelVectors.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fewer elements leave most of a device idle however they are accessed.
static constexpr int64_t kFewElements = 16384;

/// What a thread has under way from the operands that it reads, at least.
static constexpr int64_t kBytesInFlight = 32;

/// Of the widest operand, which bounds the registers.
static constexpr int64_t kMostBytesPerChunk = 64;

/// A chunk of each is in registers, of which a thread has 255.
static constexpr unsigned kMostOperands = 32;

static bool isBuffer(OpOperand &operand) {
  return isa<MemRefType>(operand.get().getType());
}

/// True if each operand moves along `loop` by elements next to each other or
/// not at all, each result by the former.
static bool isVectorizable(linalg::LinalgOp op, unsigned loop) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isBuffer(operand))
      return true;
    bool moves = op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
    return moves ? isContiguousAlong(op, operand, loop)
                 : op.isDpsInput(&operand);
  });
}

bool mlir::hetero::isVectorElementwise(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0 || op->getNumOperands() > kMostOperands)
    return false;
  int64_t elements = 1;
  for (int64_t size : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(size) ||
        llvm::MulOverflow(elements, size, elements))
      elements = kFewElements;
    else if (size == 0)
      return false;
  SmallVector<SmallVector<unsigned>> groups =
      collapseLoops(op, orderParallelLoops(op));
  return elements >= kFewElements && !groups.empty() &&
         isVectorizable(op, groups.back().back());
}

namespace {
class ElementwiseBuilder : IndexMath {
public:
  explicit ElementwiseBuilder(KernelBuilder &kernel)
      : IndexMath(kernel), op(kernel.getOp()), order(orderParallelLoops(op)),
        groups(collapseLoops(op, order)), inner(groups.back().back()) {
    chooseChunks();
  }

  void build() {
    block = kernel.blockId(gpu::Dimension::x);
    thread = kernel.threadId();
    importSizes();
    onlyIf(areRowsAligned(), [&] { buildChunks(); }, [&] { buildElements(); });
    int64_t perBlock = kBlockSize * chunksPerThread;
    kernel.finish({kernel.ceilDiv(hostChunks, perBlock)});
  }

private:
  bool movesInside(OpOperand &operand) {
    return isBuffer(operand) &&
           op.getMatchingIndexingMap(&operand).isFunctionOfDim(inner);
  }

  void chooseChunks();
  void importSizes();
  Value areRowsAligned();
  void buildChunks();
  void buildElements();
  void buildWholeChunks(ArrayRef<SmallVector<Value>> points);
  void buildElement(ArrayRef<Value> point);
  SmallVector<Value> getPoint(Value chunk);
  SmallVector<SmallVector<Value>> loadChunk(ArrayRef<Value> point);

  linalg::LinalgOp op;
  SmallVector<unsigned> order;
  SmallVector<SmallVector<unsigned>> groups;
  /// The loop that stands for the innermost group.
  unsigned inner;
  int64_t chunk = 1, chunksPerThread = 1;
  /// On the host.
  OpFoldResult hostChunks, hostElements;
  /// The innermost group's elements and chunks, and the number of all chunks.
  Value rowSize, rowChunks, chunks;
  Value block, thread;
};
} // namespace

/// A chunk is 16 bytes of the narrowest operand, unless the widest would need
/// too many registers.
void ElementwiseBuilder::chooseChunks() {
  int64_t narrowest = 8, widest = 1, bytesRead = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!movesInside(operand))
      continue;
    int64_t bytes =
        getElementBytes(getElementTypeOrSelf(operand.get().getType()));
    narrowest = std::min(narrowest, bytes);
    widest = std::max(widest, bytes);
    bytesRead += op.payloadUsesValueFromOperand(&operand) ? bytes : 0;
  }
  chunk = std::min(kVectorBytes / narrowest, kMostBytesPerChunk / widest);
  if (bytesRead * chunk < kBytesInFlight)
    chunksPerThread = 2;
}

void ElementwiseBuilder::importSizes() {
  OpFoldResult row = kernel.countIterations(groups.back());
  OpFoldResult rows = builder.getIndexAttr(1);
  for (ArrayRef<unsigned> group : ArrayRef(groups).drop_back())
    rows = kernel.multiply(rows, kernel.countIterations(group));
  OpFoldResult perRow = kernel.ceilDiv(row, chunk);
  hostChunks = kernel.multiply(rows, perRow);
  hostElements = kernel.multiply(rows, row);
  rowSize = kernel.importIndex(row);
  rowChunks = kernel.importIndex(perRow);
  chunks = kernel.importIndex(hostChunks);
}

Value ElementwiseBuilder::areRowsAligned() {
  Value rests;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!movesInside(operand))
      continue;
    Value own = getMisalignment(kernel, operand, inner);
    rests = rests ? fold<arith::OrIOp>(rests, own) : own;
  }
  return isAligned(rests);
}

/// The first element of a chunk; of one that does not exist, some point.
SmallVector<Value> ElementwiseBuilder::getPoint(Value position) {
  SmallVector<Value> point = kernel.getOrigin();
  SmallVector<Value> sizes;
  for (ArrayRef<unsigned> group : ArrayRef(groups).drop_back())
    sizes.push_back(kernel.importIndex(kernel.countIterations(group)));
  sizes.push_back(rowChunks);
  SmallVector<Value> parts = kernel.delinearize(position, sizes);
  for (auto [group, part] : llvm::zip(groups, parts))
    point[group.back()] = part;
  point[inner] = multiply(parts.back(), chunk);
  return point;
}

void ElementwiseBuilder::buildChunks() {
  Value first = add(multiply(block, kBlockSize * chunksPerThread), thread);
  SmallVector<Value> positions;
  SmallVector<SmallVector<Value>> points;
  Value whole;
  for (int64_t i = 0; i < chunksPerThread; ++i) {
    positions.push_back(add(first, kernel.constant(i * kBlockSize)));
    points.push_back(getPoint(positions.back()));
    Value end = add(points.back()[inner], chunk);
    Value fits = both(atMost(end, rowSize), less(positions.back(), chunks));
    whole = whole ? both(whole, fits) : fits;
  }
  onlyIf(
      whole, [&] { buildWholeChunks(points); },
      [&] {
        repeat(kernel.constant(chunksPerThread), [&](Value i) {
          Value position = add(first, multiply(i, kBlockSize));
          onlyIf(less(position, chunks), [&] {
            SmallVector<Value> point = getPoint(position);
            Value start = point[inner];
            repeat(kernel.constant(chunk), [&](Value offset) {
              point[inner] = add(start, offset);
              onlyIf(less(point[inner], rowSize), [&] { buildElement(point); });
            });
          });
        });
      });
}

/// For each operand the elements of a chunk, or the one that they share.
SmallVector<SmallVector<Value>>
ElementwiseBuilder::loadChunk(ArrayRef<Value> point) {
  SmallVector<SmallVector<Value>> values;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      values.push_back({createZero(kernel, getBodyType(operand))});
    else if (movesInside(operand))
      values.push_back(loadElements(kernel, operand, point, chunk));
    else
      values.push_back({loadOperand(kernel, operand, point)});
  }
  return values;
}

/// All loads come first, so that they are under way together.
void ElementwiseBuilder::buildWholeChunks(ArrayRef<SmallVector<Value>> points) {
  SmallVector<SmallVector<SmallVector<Value>>> loaded;
  for (ArrayRef<Value> point : points)
    loaded.push_back(loadChunk(point));
  for (auto [point, operands] : llvm::zip_equal(points, loaded)) {
    SmallVector<SmallVector<Value>> results(op.getNumDpsInits());
    for (int64_t i = 0; i < chunk; ++i) {
      SmallVector<Value> arguments, loops(point);
      for (ArrayRef<Value> values : operands)
        arguments.push_back(values.size() == 1 ? values[0] : values[i]);
      loops[inner] = add(point[inner], kernel.constant(i));
      for (auto [index, value] :
           llvm::enumerate(cloneBody(kernel, arguments, loops)))
        results[index].push_back(value);
    }
    for (auto [init, values] :
         llvm::zip_equal(op.getDpsInitsMutable(), results))
      storeElements(kernel, init, point, values);
  }
}

void ElementwiseBuilder::buildElement(ArrayRef<Value> point) {
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands())
    arguments.push_back(op.payloadUsesValueFromOperand(&operand)
                            ? loadOperand(kernel, operand, point)
                            : createZero(kernel, getBodyType(operand)));
  SmallVector<Value> results = cloneBody(kernel, arguments, point);
  for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), results))
    storeOperand(kernel, init, point, value);
}

/// A block has as many elements here as in chunks.
void ElementwiseBuilder::buildElements() {
  int64_t perThread = chunk * chunksPerThread;
  Value first = add(multiply(block, kBlockSize * perThread), thread);
  Value elements = kernel.importIndex(hostElements);
  repeat(kernel.constant(perThread), [&](Value i) {
    Value position = add(first, multiply(i, kBlockSize));
    onlyIf(less(position, elements), [&] {
      SmallVector<Value> point = kernel.getOrigin();
      kernel.moveTo(position, groups, point);
      buildElement(point);
    });
  });
}

void mlir::hetero::buildElementwiseKernel(KernelBuilder &kernel) {
  ElementwiseBuilder(kernel).build();
}
