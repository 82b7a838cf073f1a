//===- ContractionKernel.cpp - Matrix products through shared memory ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block computes a 64x64 tile of the result. It walks along the reduction in
// steps of 16, brings both operands' tiles into shared memory, and each of its
// 256 threads accumulates a 4x4 grid of results, 16 apart, in registers. Ragged
// and dynamic sizes are guarded at loads and stores.
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"

#include "Codegen/GPU/Kernels/KernelOperands.h"
#include "Codegen/GPU/Kernels/LongSums.h"
#include "Codegen/Match/Sums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::hetero;

/// The tile's edge, its depth, and how many results a thread has per edge.
static constexpr int64_t kTile = 64, kDepth = 16, kPerThread = 4;
/// Distance of a thread's results along an edge.
static constexpr int64_t kStride = kTile / kPerThread;

/// Smaller products do not fill a tile.
static constexpr int64_t kSmallest = 16;

/// True for products each of whose loops has a part in it: not for one along
/// which only one factor moves, for example.
bool mlir::hetero::isTiledContraction(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1 || dims->batch.size() + 3 != op.getNumLoops())
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : {dims->m[0], dims->n[0], dims->k[0]})
    if (!ShapedType::isDynamic(sizes[loop]) && sizes[loop] < kSmallest)
      return false;
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && memref.getElementType().isIntOrFloat() &&
           memref.getElementTypeBitWidth() >= 8;
  });
}

namespace {
class ContractionBuilder {
public:
  explicit ContractionBuilder(KernelBuilder &kernel)
      : kernel(kernel), op(kernel.getOp()), builder(kernel.getBuilder()),
        loc(kernel.getLoc()), dims(*linalg::inferContractionDims(op)),
        m(dims.m[0]), n(dims.n[0]), k(dims.k[0]), loops(op.getNumLoops()) {}

  void build() {
    lhs = kernel.addSharedMemory({kTile, kDepth}, elementType(0));
    rhs = kernel.addSharedMemory({kDepth, kTile}, elementType(1));
    thread = kernel.threadId();
    Value edge = kernel.constant(kStride);
    threadRow = arith::DivUIOp::create(builder, loc, thread, edge);
    threadColumn = arith::RemUIOp::create(builder, loc, thread, edge);
    OpFoldResult blocks = placeBlock();
    SmallVector<Value> accumulators = loadResults();
    storeResults(accumulate(accumulators));
    kernel.finish({blocks});
  }

private:
  Type elementType(unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand).getType());
  }
  Value multiply(Value a, int64_t b) {
    return arith::MulIOp::create(builder, loc, a, kernel.constant(b));
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }

  /// Finds the block's tile and batch; returns the number of blocks. They are
  /// along one dimension of the grid, since the others end at 65535.
  OpFoldResult placeBlock() {
    ArrayRef<OpFoldResult> sizes = kernel.getHostLoopSizes();
    SmallVector<OpFoldResult> counts;
    for (unsigned loop : dims.batch)
      counts.push_back(sizes[loop]);
    for (unsigned loop : {m, n})
      counts.push_back(kernel.ceilDiv(sizes[loop], kTile));
    OpFoldResult total = builder.getIndexAttr(1);
    SmallVector<Value> imported;
    for (OpFoldResult count : counts) {
      total = kernel.multiply(total, count);
      imported.push_back(kernel.importIndex(count));
    }
    SmallVector<Value> places =
        kernel.delinearize(kernel.blockId(gpu::Dimension::x), imported);
    firstColumn = multiply(places.pop_back_val(), kTile);
    firstRow = multiply(places.pop_back_val(), kTile);
    for (auto [loop, value] : llvm::zip_equal(dims.batch, places))
      loops[loop] = value;
    return total;
  }

  /// The operand's element at the current point where `inside`, else zero.
  Value guardedLoad(OpOperand &operand, Value inside) {
    Type type = getBodyType(operand);
    auto guarded = scf::IfOp::create(builder, loc, type, inside,
                                     /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    scf::YieldOp::create(builder, loc, loadOperand(kernel, operand, loops));
    builder.setInsertionPointToStart(guarded.elseBlock());
    scf::YieldOp::create(builder, loc, createZero(kernel, type));
    return guarded.getResult(0);
  }

  /// Moves the current point to a thread's result; returns if it exists.
  Value placeResult(int64_t row, int64_t column) {
    loops[m] = add(add(firstRow, threadRow), kernel.constant(row * kStride));
    loops[n] =
        add(add(firstColumn, threadColumn), kernel.constant(column * kStride));
    return both(less(loops[m], kernel.getLoopSize(m)),
                less(loops[n], kernel.getLoopSize(n)));
  }

  SmallVector<Value> loadResults() {
    SmallVector<Value> results;
    for (int64_t row = 0; row < kPerThread; ++row)
      for (int64_t column = 0; column < kPerThread; ++column) {
        Value inside = placeResult(row, column);
        results.push_back(guardedLoad(*op.getDpsInitOperand(0), inside));
      }
    return results;
  }

  void storeResults(ValueRange results) {
    for (int64_t i = 0; i < kPerThread * kPerThread; ++i) {
      Value inside = placeResult(i / kPerThread, i % kPerThread);
      auto guarded = scf::IfOp::create(builder, loc, inside);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(guarded.thenBlock());
      storeOperand(kernel, *op.getDpsInitOperand(0), loops, results[i]);
    }
  }

  /// Fills a tile of `rows` x `columns`; the tile's rows run along `rowLoop`.
  void fillTile(Value tile, OpOperand &operand, unsigned rowLoop,
                Value rowStart, unsigned columnLoop, Value columnStart,
                int64_t columns) {
    for (int64_t round = 0; round < kTile * kDepth / kBlockSize; ++round) {
      Value element = add(thread, kernel.constant(round * kBlockSize));
      Value width = kernel.constant(columns);
      Value row = arith::DivUIOp::create(builder, loc, element, width);
      Value column = arith::RemUIOp::create(builder, loc, element, width);
      loops[rowLoop] = add(rowStart, row);
      loops[columnLoop] = add(columnStart, column);
      Value inside =
          both(less(loops[rowLoop], kernel.getLoopSize(rowLoop)),
               less(loops[columnLoop], kernel.getLoopSize(columnLoop)));
      Value value = guardedLoad(operand, inside);
      memref::StoreOp::create(builder, loc, value, tile,
                              ValueRange{row, column});
    }
  }

  SmallVector<Value> accumulate(ArrayRef<Value> accumulators) {
    int64_t size = op.getStaticLoopRanges()[k];
    bool isLong = isFloatSum(op, 0) &&
                  (ShapedType::isDynamic(size) || size > kMaxProductSteps);
    Value first = kernel.constant(0), end = kernel.getLoopSize(k);
    auto add = [&](Value start, ArrayRef<Value> old) {
      return addTiles(start, old);
    };
    if (!isLong)
      return createLoop(builder, loc, first, end, kDepth, accumulators, add);
    LongSums sums(builder, loc, SmallVector<bool>(accumulators.size(), true));
    return sums.narrow(sums.addBlocks(first, end, kDepth,
                                      kProductSteps / kDepth,
                                      sums.widen(accumulators), add));
  }

  /// The products of the tiles that begin at `start`.
  SmallVector<Value> addTiles(Value start, ArrayRef<Value> accumulators) {
    fillTile(lhs, *op.getDpsInputOperand(lhsOperand()), m, firstRow, k, start,
             kDepth);
    fillTile(rhs, *op.getDpsInputOperand(1 - lhsOperand()), k, start, n,
             firstColumn, kTile);
    gpu::BarrierOp::create(builder, loc);
    auto depth = scf::ForOp::create(builder, loc, kernel.constant(0),
                                    kernel.constant(kDepth), kernel.constant(1),
                                    accumulators);
    multiplyTiles(depth);
    gpu::BarrierOp::create(builder, loc);
    return llvm::to_vector_of<Value>(depth.getResults());
  }

  /// The position of the operand that is indexed by m.
  unsigned lhsOperand() {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
    return map.isFunctionOfDim(m) ? 0 : 1;
  }

  void multiplyTiles(scf::ForOp depth) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(depth.getBody());
    Value step = depth.getInductionVar();
    SmallVector<Value> rows, columns, results;
    for (int64_t i = 0; i < kPerThread; ++i) {
      Value offset = kernel.constant(i * kStride);
      rows.push_back(memref::LoadOp::create(
          builder, loc, lhs, ValueRange{add(threadRow, offset), step}));
      columns.push_back(memref::LoadOp::create(
          builder, loc, rhs, ValueRange{step, add(threadColumn, offset)}));
    }
    for (int64_t i = 0; i < kPerThread * kPerThread; ++i) {
      Value values[] = {rows[i / kPerThread], columns[i % kPerThread]};
      unsigned first = lhsOperand();
      results.append(cloneBody(
          kernel,
          {values[first], values[1 - first], depth.getRegionIterArgs()[i]},
          loops));
    }
    scf::YieldOp::create(builder, loc, results);
  }

  KernelBuilder &kernel;
  linalg::LinalgOp op;
  OpBuilder &builder;
  Location loc;
  linalg::ContractionDimensions dims;
  unsigned m, n, k;
  /// The current point.
  SmallVector<Value> loops;
  Value lhs, rhs, thread, threadRow, threadColumn, firstRow, firstColumn;
};
} // namespace

void mlir::hetero::buildContractionKernel(KernelBuilder &kernel) {
  ContractionBuilder(kernel).build();
}
