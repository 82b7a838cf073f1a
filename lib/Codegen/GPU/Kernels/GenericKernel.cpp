//===- GenericKernel.cpp - One thread per result --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for every linalg operation that has none of its own: blocks of 256
// threads cover the points of the parallel loops in the order of the result's
// memory, so that neighbouring threads touch neighbouring elements; loops that
// all operands walk as one are one. Each thread runs the reduction loops with
// its accumulators in registers, and stores what moves along them, as the sums
// of a scan do, in each iteration.
//
//===----------------------------------------------------------------------===//

#include "GenericKernel.h"

#include "Codegen/GPU/Plan/CollapseLoops.h"
#include "Codegen/Match/Sums.h"
#include "KernelOperands.h"
#include "LongSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::hetero;

/// Numbers that are added up in f32 where there is more to do than to load
/// them.
static constexpr int64_t kWorkSteps = 64;

namespace {
/// Builds the body for one point of the parallel loops.
class PointBuilder {
public:
  PointBuilder(KernelBuilder &kernel, ArrayRef<SmallVector<unsigned>> groups,
               Value position)
      : kernel(kernel), op(kernel.getOp()), groups(groups),
        loops(kernel.getOrigin()), linear(loops) {
    op.getReductionDims(reductions);
    for (OpOperand &init : op.getDpsInitsMutable())
      if (llvm::none_of(reductions, [&](unsigned loop) {
            return op.getMatchingIndexingMap(&init).isFunctionOfDim(loop);
          }))
        held.push_back(&init);
    planSums();
    kernel.moveTo(position, groups, loops);
    if (!groups.empty())
      linear[groups.back().back()] = position;
  }

  void build() {
    SmallVector<Value> accumulators;
    for (OpOperand *init : held)
      accumulators.push_back(loadOld(*init));
    LongSums sums(kernel.getBuilder(), kernel.getLoc(), areLong);
    SmallVector<Value> results =
        sums.narrow(reduce(0, sums.widen(accumulators)));
    for (auto [init, value] : llvm::zip(held, results))
      storeOperand(kernel, *init, pointOf(*init), value);
  }

private:
  /// The point at which an operand is accessed. One that walks the parallel
  /// loops as one loop needs no division, also where others do.
  ValueRange pointOf(OpOperand &operand) {
    return walksAsOneLoop(op, operand, groups) ? linear : loops;
  }

  Value loadOld(OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init)
               ? loadOperand(kernel, init, pointOf(init))
               : createZero(kernel, getBodyType(init));
  }

  /// Chooses the loop of which some iterations, each of a few steps, are a
  /// block of the sums that are long, or may be.
  void planSums() {
    int64_t steps = op.getNumDpsInputs() > 1 ? kWorkSteps : kSumSteps;
    int64_t inside = 1;
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    for (unsigned depth : llvm::reverse(llvm::seq<unsigned>(reductions.size())))
      if (int64_t size = sizes[reductions[depth]];
          ShapedType::isDynamic(size) || size > steps / inside) {
        blocked = depth;
        blockSteps = std::max<int64_t>(1, steps / inside);
        break;
      } else {
        inside *= std::max<int64_t>(1, size);
      }
    for (OpOperand *init : held)
      areLong.push_back(blocked && isFloatSum(op, init->getOperandNumber() -
                                                      op.getNumDpsInputs()));
  }

  /// The reduction loops from the `depth`-th on.
  SmallVector<Value> reduce(unsigned depth, ArrayRef<Value> accumulators) {
    if (depth == reductions.size())
      return evaluate(accumulators);
    OpBuilder &builder = kernel.getBuilder();
    Location loc = kernel.getLoc();
    unsigned loop = reductions[depth];
    Value end = kernel.getLoopSize(loop);
    auto body = [&](Value index, ArrayRef<Value> inner) {
      loops[loop] = linear[loop] = index;
      return reduce(depth + 1, inner);
    };
    LongSums sums(builder, loc, areLong);
    return blocked == depth && sums.hasAny()
               ? sums.addBlocks(kernel.constant(0), end, 1, blockSteps,
                                accumulators, body)
               : createLoop(builder, loc, kernel.constant(0), end, 1,
                            accumulators, body);
  }

  SmallVector<Value> evaluate(ValueRange accumulators) {
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back(loadOperand(kernel, *input, pointOf(*input)));
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto *it = llvm::find(held, &init);
      arguments.push_back(it == held.end() ? loadOld(init)
                                           : accumulators[it - held.begin()]);
    }
    SmallVector<Value> results;
    for (auto [init, value] : llvm::zip_equal(
             op.getDpsInitsMutable(), cloneBody(kernel, arguments, loops)))
      if (llvm::is_contained(held, &init))
        results.push_back(value);
      else
        storeOperand(kernel, init, pointOf(init), value);
    return results;
  }

  KernelBuilder &kernel;
  linalg::LinalgOp op;
  ArrayRef<SmallVector<unsigned>> groups;
  /// The current point, and the one with the same address in operands that walk
  /// the parallel loops as one.
  SmallVector<Value> loops, linear;
  SmallVector<unsigned> reductions;
  /// The results that are in registers during the reduction loops. The others
  /// move along some, and each of their elements is stored where it is made.
  SmallVector<OpOperand *> held;
  /// Of these, whether blocks of them are added up: iterations of reduction
  /// loop number `blocked`.
  SmallVector<bool> areLong;
  std::optional<unsigned> blocked;
  int64_t blockSteps = 1;
};
} // namespace

void mlir::hetero::buildGenericKernel(KernelBuilder &kernel) {
  linalg::LinalgOp op = kernel.getOp();
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  SmallVector<unsigned> order = orderParallelLoops(op);
  SmallVector<SmallVector<unsigned>> groups = collapseLoops(op, order);
  OpFoldResult total = kernel.countIterations(order);
  Value count = kernel.importIndex(total);
  Value first =
      arith::MulIOp::create(builder, loc, kernel.blockId(gpu::Dimension::x),
                            kernel.constant(kBlockSize));
  Value position =
      arith::AddIOp::create(builder, loc, first, kernel.threadId());
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       position, count);
  auto guarded = scf::IfOp::create(builder, loc, inside);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    PointBuilder(kernel, groups, position).build();
  }
  kernel.finish({kernel.ceilDiv(total, kBlockSize)});
}
