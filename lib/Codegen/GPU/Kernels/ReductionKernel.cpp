//===- ReductionKernel.cpp - Reductions by the threads of a block ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where there are few results and many elements for each, one thread per result
// would leave the device idle. Here the threads of a block share a reduction,
// in one of two ways (ReductionPlan.h):
//
//  * Along the reduction: a block works on one result. Each thread reduces
//  every
//    n-th element, each warp its threads' parts in a tree of shuffles, and the
//    first warp the warps' parts, which are one value per warp in shared
//    memory.
//  * Along the results: each lane works on a result of its own, and the warps
//    share the reduction. The first warp combines the warps' parts.
//
// Where there are few results of many elements, several blocks share one, and
// their parts are reduced by the kernel of another operation:
//
//   %s = reduce(%x)      becomes   %parts(result, part) = reduce(part of %x)
//                                  %s = reduce(%parts)
//
// This changes the order of the reduction, so it is used for combiners that
// have a neutral element only (arith's reductions).
//
//===----------------------------------------------------------------------===//

#include "ReductionKernel.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/GPU/Plan/LoopSteps.h"
#include "Codegen/GPU/Plan/ReductionPlan.h"
#include "Codegen/Match/Sums.h"
#include "KernelName.h"
#include "KernelOperands.h"
#include "LaneReduction.h"
#include "LongSums.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isBlockReduction(linalg::LinalgOp op) {
  return storesOncePerPoint(op) && planReduction(op).has_value();
}

namespace {
class ReductionBuilder {
public:
  /// Parts go to `workspace`, a pointer, where there are several.
  ReductionBuilder(KernelBuilder &kernel, ReductionPlan plan, Value workspace)
      : kernel(kernel), op(kernel.getOp()), builder(kernel.getBuilder()),
        loc(kernel.getLoc()), plan(std::move(plan)),
        type(this->plan.combiner->getResult(0).getType()),
        point(kernel.getOrigin()), workspace(workspace) {}

  void build() {
    kernel.setBlockSize(plan.warps * kWarpSize);
    Value thread = kernel.threadId();
    Value warpSize = kernel.constant(kWarpSize);
    lane = arith::RemUIOp::create(builder, loc, thread, warpSize);
    warp = arith::DivUIOp::create(builder, loc, thread, warpSize);
    if (plan.lanesAlongResults)
      buildAlongResults();
    else
      buildAlongReduction(thread);
  }

private:
  //===--------------------------------------------------------------------===//
  // Along the reduction
  //===--------------------------------------------------------------------===//

  void buildAlongReduction(Value thread) {
    block = kernel.blockId(gpu::Dimension::x);
    Value first = thread, result = block;
    int64_t width = plan.warps * kWarpSize;
    if (workspace) {
      Value parts = kernel.constant(plan.parts);
      result = arith::DivUIOp::create(builder, loc, block, parts);
      Value number = arith::RemUIOp::create(builder, loc, block, parts);
      first = arith::AddIOp::create(
          builder, loc, thread,
          arith::MulIOp::create(builder, loc, number, kernel.constant(width)));
    }
    kernel.moveTo(result, plan.parallel, point);
    Value part = reduceElements(first, countElements(), width * plan.parts);
    part = reduceLanes(builder, loc, plan.combiner, part, kWarpSize);
    if (plan.warps > 1) {
      Value parts = kernel.addSharedMemory({plan.warps}, type);
      onlyIf(isZero(lane), [&] { store(part, parts, warp); });
      gpu::BarrierOp::create(builder, loc);
      onlyIf(isZero(warp), [&] {
        storeFromLaneZero(reduceLanes(builder, loc, plan.combiner,
                                      loadPart(parts),
                                      llvm::PowerOf2Ceil(plan.warps)));
      });
    } else {
      storeFromLaneZero(part);
    }
    OpFoldResult results = kernel.countIterations(flatten(plan.parallel));
    kernel.finish({kernel.multiply(results, builder.getIndexAttr(plan.parts))},
                  /*keepsOperation=*/bool(workspace));
  }

  /// The part of the warp whose number is the lane's; where there is none, the
  /// neutral element.
  Value loadPart(Value parts) {
    Value exists = lessThan(lane, kernel.constant(plan.warps));
    return valueIf(exists, [&] {
      return memref::LoadOp::create(builder, loc, parts, lane).getResult();
    });
  }

  void storeFromLaneZero(Value value) {
    onlyIf(isZero(lane), [&] { storeResult(value); });
  }

  //===--------------------------------------------------------------------===//
  // Along the results
  //===--------------------------------------------------------------------===//

  void buildAlongResults() {
    OpFoldResult results = kernel.countIterations(flatten(plan.parallel));
    Value position = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, kernel.blockId(gpu::Dimension::x),
                              kernel.constant(kWarpSize)),
        lane);
    kernel.moveTo(position, plan.parallel, point);
    // Lanes past the end have no element to reduce, but wait with the others.
    Value inside = lessThan(position, kernel.importIndex(results));
    Value count = arith::SelectOp::create(builder, loc, inside, countElements(),
                                          kernel.constant(0));
    Value part = reduceElements(warp, count, plan.warps);
    Value parts = kernel.addSharedMemory({plan.warps, kWarpSize}, type);
    store(part, parts, {warp, lane});
    gpu::BarrierOp::create(builder, loc);
    Value stores = arith::AndIOp::create(builder, loc, isZero(warp), inside);
    onlyIf(stores, [&] { storeResult(combineWarps(part, parts)); });
    kernel.finish({kernel.ceilDiv(results, kWarpSize)});
  }

  /// Adds the other warps' parts of the lane's result to the first one's.
  Value combineWarps(Value first, Value parts) {
    LongSums sums(builder, loc, {isFloatSum(op, 0)});
    auto add = [&](Value number, ArrayRef<Value> old) {
      return sums.addBlock(old, [&](ArrayRef<Value> block) {
        Value next = memref::LoadOp::create(builder, loc, parts,
                                            ValueRange{number, lane});
        return SmallVector<Value>{combine(block.front(), next)};
      });
    };
    return sums
        .narrow(createLoop(builder, loc, kernel.constant(1),
                           kernel.constant(plan.warps), 1, sums.widen(first),
                           add))
        .front();
  }

  //===--------------------------------------------------------------------===//
  // Both
  //===--------------------------------------------------------------------===//

  static SmallVector<unsigned> flatten(ArrayRef<SmallVector<unsigned>> groups) {
    SmallVector<unsigned> loops;
    for (ArrayRef<unsigned> group : groups)
      llvm::append_range(loops, group);
    return loops;
  }

  Value countElements() {
    return kernel.importIndex(kernel.countIterations(flatten(plan.reductions)));
  }

  /// Reduces the elements `first`, `first` + `step`, ... of the `count`.
  Value reduceElements(Value first, Value count, int64_t step) {
    auto add = [&](Value element, ArrayRef<Value> old) {
      kernel.moveTo(element, plan.reductions, point);
      SmallVector<Value> arguments;
      for (OpOperand *input : op.getDpsInputOperands())
        arguments.push_back(loadOperand(kernel, *input, point));
      llvm::append_range(arguments, old);
      return cloneBody(kernel, arguments, point);
    };
    SmallVector<Value> sum = {createNeutral()};
    if (!isLong(step))
      return createLoop(builder, loc, first, count, step, sum, add).front();
    LongSums sums(builder, loc, {true});
    sum = sums.addBlocks(first, count, step, kSumSteps, sums.widen(sum), add);
    return sums.narrow(sum).front();
  }

  /// True if a thread that reduces every `step`-th element has a long sum.
  bool isLong(int64_t step) {
    std::optional<int64_t> elements =
        countStatically(op, flatten(plan.reductions));
    return isFloatSum(op, 0) && (!elements || *elements > step * kSumSteps);
  }

  Value createNeutral() {
    return arith::ConstantOp::create(builder, loc, plan.neutral);
  }

  Value combine(Value a, Value b) {
    return combineValues(builder, plan.combiner, a, b);
  }

  void storeResult(Value value) {
    if (workspace) {
      Value place =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), block);
      Value address =
          LLVM::GEPOp::create(builder, loc, workspace.getType(), type,
                              workspace, ArrayRef<LLVM::GEPArg>{place});
      LLVM::StoreOp::create(builder, loc, value, address);
      return;
    }
    OpOperand &init = *op.getDpsInitOperand(0);
    Value old = loadOperand(kernel, init, point);
    storeOperand(kernel, init, point, combine(old, value));
  }

  void store(Value value, Value memory, ValueRange position) {
    memref::StoreOp::create(builder, loc, value, memory, position);
  }

  Value lessThan(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }

  Value isZero(Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 kernel.constant(0));
  }

  void onlyIf(Value condition, llvm::function_ref<void()> build) {
    auto guarded = scf::IfOp::create(builder, loc, condition);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    build();
  }

  /// What `build` returns where the condition holds, else the neutral element.
  Value valueIf(Value condition, llvm::function_ref<Value()> build) {
    auto guarded = scf::IfOp::create(builder, loc, type, condition,
                                     /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    scf::YieldOp::create(builder, loc, build());
    builder.setInsertionPointToStart(guarded.elseBlock());
    scf::YieldOp::create(builder, loc, createNeutral());
    return guarded.getResult(0);
  }

  KernelBuilder &kernel;
  linalg::LinalgOp op;
  OpBuilder &builder;
  Location loc;
  ReductionPlan plan;
  /// The type of the accumulator.
  Type type;
  /// The current point.
  SmallVector<Value> point;
  /// The thread's place.
  Value block, lane, warp;
  Value workspace;
};
} // namespace

void mlir::hetero::buildReductionKernel(KernelBuilder &kernel) {
  ReductionPlan plan = *planReduction(kernel.getOp());
  plan.parts = 1;
  ReductionBuilder(kernel, plan, /*workspace=*/Value()).build();
}

bool mlir::hetero::isSplitReduction(linalg::LinalgOp op) {
  std::optional<ReductionPlan> plan = planReduction(op);
  return plan && plan->parts > 1 &&
         !plan->combiner->getResult(0).getType().isIndex() &&
         !plan->combiner->getResult(0).getType().isInteger(1);
}

/// Reduces the parts of results: the loops of the reduction's results, and one
/// along the parts.
static linalg::LinalgOp createSecond(OpBuilder &host, linalg::LinalgOp op,
                                     const ReductionPlan &plan) {
  MLIRContext *context = op.getContext();
  OpOperand &init = *op.getDpsInitOperand(0);
  auto result = cast<MemRefType>(init.get().getType());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes;
  // In the order of the blocks.
  SmallVector<unsigned> order, parallel;
  op.getParallelDims(parallel);
  for (unsigned loop : parallel)
    if (ranges[loop] == 1)
      order.push_back(loop);
  for (ArrayRef<unsigned> group : plan.parallel)
    llvm::append_range(order, group);
  SmallVector<AffineExpr> dims(ranges.size(),
                               getAffineConstantExpr(0, context));
  for (auto [dim, loop] : llvm::enumerate(order)) {
    dims[loop] = getAffineDimExpr(dim, context);
    sizes.push_back(ranges[loop]);
  }
  sizes.push_back(plan.parts);
  Type partType = plan.combiner->getResult(0).getType();
  auto type = MemRefType::get(sizes, partType, MemRefLayoutAttrInterface(),
                              result.getMemorySpace());
  Value workspace = memref::AllocOp::create(host, op.getLoc(), type);
  AffineMap maps[] = {AffineMap::getMultiDimIdentityMap(sizes.size(), context),
                      op.getMatchingIndexingMap(&init).replaceDimsAndSymbols(
                          dims, {}, sizes.size(), 0)};
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto second = linalg::GenericOp::create(
      host, op.getLoc(), workspace, init.get(), maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        auto convert = [&](Value value, Type to) {
          return isa<FloatType>(to) ? convertFloat(builder, loc, value, to)
                                    : value;
        };
        Value sum = combineValues(builder, plan.combiner,
                                  convert(values[1], partType), values[0]);
        linalg::YieldOp::create(builder, loc,
                                convert(sum, result.getElementType()));
      });
  second->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return second;
}

FailureOr<linalg::LinalgOp>
mlir::hetero::splitReduction(gpu::GPUModuleOp kernels, linalg::LinalgOp op) {
  ReductionPlan plan = *planReduction(op);
  OpBuilder host(op);
  linalg::LinalgOp second = createSecond(host, op, plan);
  Value workspace = second.getDpsInputs().front();
  memref::DeallocOp::create(host, op.getLoc(), workspace);
  // The first kernel is launched before the second operation.
  op->moveBefore(second);
  KernelBuilder kernel(kernels, op, getKernelName(kernels, op) + "_parts");
  if (failed(kernel.importOperands()))
    return failure();
  Value pointer = kernel.importPointer(workspace);
  ReductionBuilder(kernel, plan, pointer).build();
  op->erase();
  return second;
}
