//===- ReductionKernel.cpp - A block per result of a long reduction -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where there are few results and many elements for each, one thread per result
// would leave the device idle. Here a block works on one result: its threads
// take every 256th element, then combine their parts in a tree in shared
// memory. This changes the order of the sum, so it is used for combiners that
// have a neutral element only (arith's reductions).
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/HeteroToGPU/Kernels.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::hetero;

/// From this many elements per result on, and up to this many results.
static constexpr int64_t kFewestElements = 512, kMostResults = 8192;

/// The operation that adds an element to the accumulator, or null.
static Operation *getCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || combiners[0]->getNumResults() != 1)
    return nullptr;
  return arith::getNeutralElement(combiners[0]) ? combiners[0] : nullptr;
}

bool mlir::hetero::isBlockReduction(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.empty() || !getCombiner(op) || op.hasIndexSemantics())
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t elements = 1, results = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    bool isReduction = llvm::is_contained(reductions, loop);
    if (isReduction && map.isFunctionOfDim(loop))
      return false;
    if (ShapedType::isDynamic(size)) {
      // A full reduction of unknown length still has one result only.
      if (!isReduction)
        return false;
      size = kFewestElements;
    }
    (isReduction ? elements : results) *= size;
  }
  return elements >= kFewestElements && results <= kMostResults;
}

namespace {
class ReductionBuilder {
public:
  explicit ReductionBuilder(KernelBuilder &kernel)
      : kernel(kernel), op(kernel.getOp()), builder(kernel.getBuilder()),
        loc(kernel.getLoc()), combiner(getCombiner(op)),
        loops(op.getNumLoops()) {
    op.getParallelDims(parallel);
    op.getReductionDims(reductions);
  }

  void build() {
    Type type = combiner->getResult(0).getType();
    Value parts = kernel.addSharedMemory({kBlockSize}, type);
    thread = kernel.threadId();
    OpFoldResult results = place(parallel, kernel.blockId(gpu::Dimension::x));
    Value part = reduceOwnElements();
    memref::StoreOp::create(builder, loc, part, parts, thread);
    gpu::BarrierOp::create(builder, loc);
    for (int64_t half = kBlockSize / 2; half > 0; half /= 2)
      combineHalves(parts, half);
    storeResult(parts);
    kernel.finish({results});
  }

private:
  /// Moves the current point along `dims` to a linear position; returns the
  /// number of positions.
  OpFoldResult place(ArrayRef<unsigned> dims, Value position) {
    OpFoldResult total = builder.getIndexAttr(1);
    SmallVector<Value> sizes;
    for (unsigned loop : dims) {
      total = kernel.multiply(total, kernel.getHostLoopSizes()[loop]);
      sizes.push_back(kernel.getLoopSize(loop));
    }
    for (auto [loop, value] :
         llvm::zip(dims, kernel.delinearize(position, sizes)))
      loops[loop] = value;
    return total;
  }

  Value combine(Value a, Value b) {
    IRMapping mapping;
    mapping.map(combiner->getOperand(0), a);
    mapping.map(combiner->getOperand(1), b);
    return builder.clone(*combiner, mapping)->getResult(0);
  }

  Value reduceOwnElements() {
    OpFoldResult total = builder.getIndexAttr(1);
    for (unsigned loop : reductions)
      total = kernel.multiply(total, kernel.getHostLoopSizes()[loop]);
    Value neutral = arith::ConstantOp::create(
        builder, loc, *arith::getNeutralElement(combiner));
    auto elements =
        scf::ForOp::create(builder, loc, thread, kernel.importIndex(total),
                           kernel.constant(kBlockSize), ValueRange(neutral));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(elements.getBody());
    place(reductions, elements.getInductionVar());
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back(kernel.loadOperand(*input, loops));
    arguments.push_back(elements.getRegionIterArgs()[0]);
    scf::YieldOp::create(builder, loc, kernel.cloneBody(arguments, loops));
    return elements.getResult(0);
  }

  void combineHalves(Value parts, int64_t half) {
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, thread, kernel.constant(half));
    auto guarded = scf::IfOp::create(builder, loc, inside);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(guarded.thenBlock());
      Value other =
          arith::AddIOp::create(builder, loc, thread, kernel.constant(half));
      Value a = memref::LoadOp::create(builder, loc, parts, thread);
      Value b = memref::LoadOp::create(builder, loc, parts, other);
      memref::StoreOp::create(builder, loc, combine(a, b), parts, thread);
    }
    gpu::BarrierOp::create(builder, loc);
  }

  void storeResult(Value parts) {
    Value zero = kernel.constant(0);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, thread, zero);
    auto guarded = scf::IfOp::create(builder, loc, isFirst);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    OpOperand &init = *op.getDpsInitOperand(0);
    Value old = kernel.loadOperand(init, loops);
    Value all = memref::LoadOp::create(builder, loc, parts, zero);
    kernel.storeOperand(init, loops, combine(old, all));
  }

  KernelBuilder &kernel;
  linalg::LinalgOp op;
  OpBuilder &builder;
  Location loc;
  Operation *combiner;
  SmallVector<unsigned> parallel, reductions;
  /// The current point.
  SmallVector<Value> loops;
  Value thread;
};
} // namespace

LogicalResult mlir::hetero::buildReductionKernel(KernelBuilder &kernel) {
  ReductionBuilder(kernel).build();
  return success();
}
