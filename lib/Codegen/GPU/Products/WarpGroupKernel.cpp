//===- WarpGroupKernel.cpp - Matrix products by warpgroups ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of two warpgroups, and of a warp that brings them their operands,
// computes a tile of the result in f32:
//
//   the last warp, one lane of it:
//     for each stage along the depth:
//       wait until both warpgroups have read what is there
//       copy a box of each operand there (cp.async.bulk.tensor), swizzled
//   each warpgroup, of its 64 rows:
//     for each stage along the depth:
//       wait until the boxes are there
//       wgmma.mma_async of 64 x columns x 64
//       what the stage before held has been read: say so
//     put its sums in shared memory, so that a thread gets neighbours
//     add them to the old values and store them, 16 bytes at a time
//
// Elements of boxes beyond the tensors are zero, and no thread computes an
// address of an operand.
//
//===----------------------------------------------------------------------===//

#include "WarpGroupKernel.h"

#include "ProductResults.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr int64_t kStages = 4, kWarpgroups = 2, kGroupThreads = 128;
static constexpr int64_t kConsumers = kWarpgroups * kGroupThreads;

/// Rows of a warpgroup, and the depth of one instruction.
static constexpr int64_t kGroupRows = 64, kStepDepth = 16;

/// A row of a box in shared memory, of 64 elements, whose chunks are swizzled;
/// eight of them repeat the pattern.
static constexpr int64_t kSpan = 128, kSpanElements = 64, kPattern = 8 * kSpan;

/// Keeps the rows of a result in shared memory on different banks.
static constexpr int64_t kRowPadding = 8;

static constexpr int64_t kBarrierBytes = 8;

namespace {
/// An operand's boxes: along the depth one with all lines, else one per 64
/// lines.
struct GroupTile {
  const TensorCoreOperand *side;
  int64_t lines;
  Value map;

  int64_t boxes() const { return side->alongDepth ? 1 : lines / kSpanElements; }
  int64_t boxRows() const { return side->alongDepth ? lines : kGroupTileDepth; }
  int64_t boxBytes() const { return boxRows() * kSpan; }
  int64_t bytes() const { return boxes() * boxBytes(); }
  /// From one instruction's depth to the next.
  int64_t stepBytes() const {
    return side->alongDepth ? kStepDepth * 2 : kStepDepth * kSpan;
  }
  /// The descriptor without the address: how far it is to the next box, to the
  /// next eight rows, and the swizzle of 128 bytes.
  int64_t descriptor() const {
    uint64_t swizzle = UINT64_C(1) << 62;
    uint64_t leading = side->alongDepth ? 16 : boxBytes();
    return static_cast<int64_t>(swizzle | uint64_t(kPattern) >> 4 << 32 |
                                leading >> 4 << 16);
  }
};

/// A stage, and how often all have been used before, modulo two: both of i32.
struct Cursor {
  Value stage, parity;
};

class WarpGroupBuilder : IndexMath {
public:
  WarpGroupBuilder(KernelBuilder &kernel, const WarpGroupPlan &plan,
                   Value filler, linalg::LinalgOp epilogue)
      : IndexMath(kernel), op(kernel.getOp()), plan(plan),
        results(kernel, plan.product, filler, epilogue),
        lhs{&plan.product.lhs, kGroupTileRows, Value()},
        rhs{&plan.product.rhs, plan.tileColumns, Value()},
        point(kernel.getOrigin()) {}

  void build();

private:
  int64_t stageBytes() const { return lhs.bytes() + rhs.bytes(); }
  int64_t pitch() const { return plan.tileColumns + kRowPadding; }
  int64_t numSums() const { return plan.tileColumns / 2; }

  void addMap(GroupTile &tile);
  OpFoldResult placeBlock();
  void initializeBarriers();
  Value barrier(Value stage, bool isFull);
  void wait(Value barrier, Value parity);
  void arrive(Value barrier);
  Cursor advance(Cursor cursor);
  void produce();
  void copyTile(const GroupTile &tile, Value shared, Value barrier,
                Value firstLine, Value depth);
  SmallVector<Value> accumulate();
  Value multiplyStage(Value sums, Value stage);
  Value describe(const GroupTile &tile, Value shared, int64_t step);
  void stage(ArrayRef<Value> sums, Value shared);
  void storeStaged(Value own);
  SmallVector<Value> loadSums(Value source, int64_t count);
  void consume();
  void meet(Value id, int64_t threads);
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value toI32(Value index) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(),
                                                    index);
  }

  linalg::LinalgOp op;
  const WarpGroupPlan &plan;
  ProductResults results;
  GroupTile lhs, rhs;
  SmallVector<Value> point;
  Value shared, thread, group, firstRow, firstColumn, steps;
};
} // namespace

void WarpGroupBuilder::build() {
  kernel.setBlockSize(kConsumers + 32);
  shared = kernel.addDynamicSharedBytes(
      kStages * (stageBytes() + 2 * kBarrierBytes), kPattern);
  addMap(lhs);
  addMap(rhs);
  thread = kernel.threadId();
  group = divide(thread, kGroupThreads);
  OpFoldResult blocks = placeBlock();
  steps = kernel.importIndex(kernel.ceilDiv(
      kernel.countIterations(plan.product.depth), kGroupTileDepth));
  results.place(point);
  initializeBarriers();
  onlyIf(
      less(thread, constant(kConsumers)), [&] { consume(); },
      [&] { produce(); });
  kernel.finish({blocks});
}

void WarpGroupBuilder::addMap(GroupTile &tile) {
  TensorDims dims =
      getTensorDims(kernel.getHostBuilder(), op, plan, *tile.side);
  SmallVector<int32_t> box(dims.sizes.size(), 1);
  box[0] = kSpanElements;
  box[1] = static_cast<int32_t>(tile.boxRows());
  tile.map = kernel.addTensorMap(*tile.side->operand, dims.sizes, dims.strides,
                                 box, kSpan);
}

/// Blocks next to each other share rows; returns their number.
OpFoldResult WarpGroupBuilder::placeBlock() {
  const TensorCorePlan &product = plan.product;
  OpFoldResult rowTiles =
      kernel.ceilDiv(kernel.countIterations(product.rows), kGroupTileRows);
  OpFoldResult columnTiles =
      kernel.ceilDiv(kernel.countIterations(product.columns), plan.tileColumns);
  SmallVector<Value> sizes;
  for (unsigned loop : product.batch)
    sizes.push_back(kernel.getLoopSize(loop));
  sizes.push_back(kernel.importIndex(rowTiles));
  sizes.push_back(kernel.importIndex(columnTiles));
  SmallVector<Value> parts =
      kernel.delinearize(kernel.blockId(gpu::Dimension::x), sizes);
  for (auto [loop, part] : llvm::zip(product.batch, parts))
    point[loop] = part;
  firstRow = multiply(parts[parts.size() - 2], kGroupTileRows);
  firstColumn = multiply(parts.back(), plan.tileColumns);
  return kernel.multiply(kernel.multiply(rowTiles, columnTiles),
                         kernel.countIterations(product.batch));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// That of a stage whose boxes are there, or have been read.
Value WarpGroupBuilder::barrier(Value stage, bool isFull) {
  int64_t first = kStages * (stageBytes() + (isFull ? 0 : kBarrierBytes));
  return sharedAddress(shared, add(multiply(stage, kBarrierBytes), first));
}

/// One thread arrives with the boxes' bytes, and a lane of each warp that has
/// read them.
void WarpGroupBuilder::initializeBarriers() {
  onlyIf(equal(thread, constant(0)), [&] {
    for (int64_t stage = 0; stage < kStages; ++stage) {
      NVVM::MBarrierInitOp::create(builder, loc, barrier(constant(stage), true),
                                   i32(1),
                                   /*predicate=*/Value());
      NVVM::MBarrierInitOp::create(builder, loc,
                                   barrier(constant(stage), false),
                                   i32(kConsumers / 32), /*predicate=*/Value());
    }
    NVVM::FenceMbarrierInitOp::create(builder, loc);
  });
  gpu::BarrierOp::create(builder, loc);
}

void WarpGroupBuilder::wait(Value barrier, Value parity) {
  // How long a thread may sleep, in nanoseconds; it goes on when it can.
  constexpr int64_t kPatience = 10000000;
  NVVM::MBarrierTryWaitParityOp::create(builder, loc, barrier, parity,
                                        i32(kPatience));
}

void WarpGroupBuilder::arrive(Value barrier) {
  NVVM::MBarrierArriveOp::create(builder, loc, builder.getI64Type(), barrier,
                                 /*count=*/Value());
}

Cursor WarpGroupBuilder::advance(Cursor cursor) {
  Value next = add(cursor.stage, 1);
  Value wraps = equal(next, constant(kStages));
  Value other = exclusiveOr(cursor.parity, i32(1));
  return {select(wraps, constant(0), next),
          select(wraps, other, cursor.parity)};
}

//===----------------------------------------------------------------------===//
// The copies
//===----------------------------------------------------------------------===//

void WarpGroupBuilder::copyTile(const GroupTile &tile, Value to, Value barrier,
                                Value firstLine, Value depth) {
  auto cluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  for (int64_t box = 0; box < tile.boxes(); ++box) {
    Value line = add(firstLine, box * kSpanElements);
    SmallVector<Value> at = {toI32(depth), toI32(line)};
    if (!tile.side->alongDepth)
      std::swap(at[0], at[1]);
    for (unsigned loop : plan.batch)
      at.push_back(toI32(point[loop]));
    Value target = LLVM::AddrSpaceCastOp::create(
        builder, loc, cluster,
        sharedAddress(to, constant(box * tile.boxBytes())));
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        builder, loc, target, tile.map, at, barrier,
        /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
        /*group=*/nullptr, /*predicate=*/Value());
  }
}

void WarpGroupBuilder::produce() {
  onlyIf(equal(thread, constant(kConsumers)), [&] {
    for (const GroupTile *tile : {&lhs, &rhs})
      NVVM::PrefetchOp::create(builder, loc, /*cacheLevel=*/nullptr,
                               /*evictPriority=*/nullptr, tile->map,
                               /*predicate=*/Value(),
                               /*tensormap=*/builder.getUnitAttr(),
                               /*uniform=*/nullptr, /*in_param_space=*/nullptr);
    // The first time, nobody has to have read a stage.
    auto loop =
        scf::ForOp::create(builder, loc, constant(0), steps, constant(1),
                           ValueRange{constant(0), i32(1)});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Cursor cursor{loop.getRegionIterArg(0), loop.getRegionIterArg(1)};
    Value full = barrier(cursor.stage, true);
    wait(barrier(cursor.stage, false), cursor.parity);
    NVVM::MBarrierArriveExpectTxOp::create(
        builder, loc, Type(), full, i32(stageBytes()), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false,
        /*predicate=*/Value());
    Value depth = multiply(loop.getInductionVar(), kGroupTileDepth);
    Value to = sharedAddress(shared, multiply(cursor.stage, stageBytes()));
    copyTile(lhs, to, full, firstRow, depth);
    copyTile(rhs, sharedAddress(to, constant(lhs.bytes())), full, firstColumn,
             depth);
    Cursor next = advance(cursor);
    scf::YieldOp::create(builder, loc, ValueRange{next.stage, next.parity});
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The descriptor of the tile at an address, for one instruction.
Value WarpGroupBuilder::describe(const GroupTile &tile, Value address,
                                 int64_t step) {
  Type i64 = builder.getI64Type();
  Value start =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), address);
  Value wide = arith::ExtUIOp::create(builder, loc, i64, start);
  Value four = arith::ConstantIntOp::create(builder, loc, i64, 4);
  Value units = arith::ShRUIOp::create(builder, loc, wide, four);
  Value rest = arith::ConstantIntOp::create(
      builder, loc, i64, tile.descriptor() + step * (tile.stepBytes() >> 4));
  return arith::AddIOp::create(builder, loc, units, rest);
}

/// Begins the products of a stage; `sums` is a struct.
Value WarpGroupBuilder::multiplyStage(Value sums, Value stage) {
  MLIRContext *context = builder.getContext();
  bool isHalf = getElementTypeOrSelf(op->getOperand(0).getType()).isF16();
  auto element = isHalf ? NVVM::WGMMATypes::f16 : NVVM::WGMMATypes::bf16;
  Value base = sharedAddress(shared, multiply(stage, stageBytes()));
  // In either order 64 rows are as many bytes.
  Value rows = sharedAddress(base, multiply(group, kGroupRows * kSpan));
  Value columns = sharedAddress(base, constant(lhs.bytes()));
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  auto layout = [&](bool isRow) {
    return NVVM::MMALayoutAttr::get(context, isRow ? NVVM::MMALayout::row
                                                   : NVVM::MMALayout::col);
  };
  NVVM::WgmmaFenceAlignedOp::create(builder, loc);
  for (int64_t step = 0; step < kGroupTileDepth / kStepDepth; ++step)
    sums = NVVM::WgmmaMmaAsyncOp::create(
        builder, loc, sums.getType(), sums, describe(lhs, rows, step),
        describe(rhs, columns, step),
        NVVM::MMAShapeAttr::get(context, kGroupRows, plan.tileColumns,
                                kStepDepth),
        NVVM::WGMMATypesAttr::get(context, element),
        NVVM::WGMMATypesAttr::get(context, element),
        NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32),
        NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one), one,
        one, layout(lhs.side->alongDepth), layout(!rhs.side->alongDepth),
        /*satfinite=*/nullptr);
  NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
  return sums;
}

/// The thread's sums of the whole depth.
SmallVector<Value> WarpGroupBuilder::accumulate() {
  Type f32 = builder.getF32Type();
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(numSums(), f32));
  Value zeros = LLVM::ZeroOp::create(builder, loc, type);
  Value isFirstLane = equal(rest(thread, 32), constant(0));
  Value last = constant(kStages - 1);
  auto loop = scf::ForOp::create(builder, loc, constant(0), steps, constant(1),
                                 ValueRange{zeros, constant(0), i32(0), last});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Cursor cursor{loop.getRegionIterArg(1), loop.getRegionIterArg(2)};
    wait(barrier(cursor.stage, true), cursor.parity);
    Value sums = multiplyStage(loop.getRegionIterArg(0), cursor.stage);
    // All but these products are done: those of the stage before.
    NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 1);
    Value isLater = less(constant(0), loop.getInductionVar());
    onlyIf(both(isFirstLane, isLater),
           [&] { arrive(barrier(loop.getRegionIterArg(3), false)); });
    Cursor next = advance(cursor);
    scf::YieldOp::create(
        builder, loc, ValueRange{sums, next.stage, next.parity, cursor.stage});
  }
  NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 0);
  SmallVector<Value> sums;
  for (int64_t i = 0; i < numSums(); ++i)
    sums.push_back(
        LLVM::ExtractValueOp::create(builder, loc, loop.getResult(0), i));
  return sums;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void WarpGroupBuilder::meet(Value id, int64_t threads) {
  NVVM::BarrierOp::create(builder, loc, TypeRange(), id, i32(threads),
                          /*reductionOp=*/nullptr,
                          /*reductionPredicate=*/Value());
}

/// A lane has two neighbours in a row of each eight columns, and two 8 rows
/// below.
void WarpGroupBuilder::stage(ArrayRef<Value> sums, Value to) {
  Value lane = rest(thread, 32), warp = rest(divide(thread, 32), 4);
  Value row = add(multiply(warp, 16), divide(lane, 4));
  Value place =
      multiply(add(multiply(row, pitch()), multiply(rest(lane, 4), 2)), 4);
  auto pair = VectorType::get(2, builder.getF32Type());
  for (int64_t first = 0, end = sums.size() / 2; first < end; ++first) {
    int64_t rows = first % 2 * 8, columns = first / 2 * 8;
    Value values = LLVM::PoisonOp::create(builder, loc, pair);
    for (int64_t i = 0; i < 2; ++i)
      values = LLVM::InsertElementOp::create(builder, loc, values,
                                             sums[2 * first + i], i32(i));
    Value target =
        sharedAddress(to, add(place, (rows * pitch() + columns) * 4));
    LLVM::StoreOp::create(builder, loc, values, target, 8);
  }
}

/// Neighbouring threads of a warpgroup take neighbouring chunks of a row.
void WarpGroupBuilder::storeStaged(Value own) {
  int64_t width = results.getChunk();
  int64_t chunksPerRow = plan.tileColumns / width;
  int64_t rowsPerStep = kGroupThreads / chunksPerRow;
  Value id = rest(thread, kGroupThreads);
  Value chunk = multiply(rest(id, chunksPerRow), width);
  Value groupRow = add(firstRow, multiply(group, kGroupRows));
  repeat(constant(kGroupRows / rowsPerStep), [&](Value step) {
    Value staged = add(divide(id, chunksPerRow), multiply(step, rowsPerStep));
    Value place = add(multiply(staged, pitch()), chunk);
    results.store(add(groupRow, staged), add(firstColumn, chunk),
                  [&](Value first, int64_t count) {
                    Value source = multiply(add(place, first), 4);
                    return loadSums(sharedAddress(own, source), count);
                  });
  });
}

/// So many sums in shared memory, one or a multiple of four.
SmallVector<Value> WarpGroupBuilder::loadSums(Value source, int64_t count) {
  Type f32 = builder.getF32Type();
  if (count == 1)
    return {LLVM::LoadOp::create(builder, loc, f32, source).getResult()};
  SmallVector<Value> sums;
  for (int64_t first = 0; first < count; first += 4) {
    Value values = LLVM::LoadOp::create(
        builder, loc, VectorType::get(4, f32),
        sharedAddress(source, constant(first * 4)), kVectorBytes);
    for (int64_t i = 0; i < 4; ++i)
      sums.push_back(
          LLVM::ExtractElementOp::create(builder, loc, values, i32(i)));
  }
  return sums;
}

void WarpGroupBuilder::consume() {
  SmallVector<Value> sums = accumulate();
  // Both warpgroups have read all stages: sums go there. Barrier 0 is that of
  // the block.
  meet(i32(1), kConsumers);
  Value own = sharedAddress(shared, multiply(group, kGroupRows * pitch() * 4));
  stage(sums, own);
  meet(toI32(add(group, 2)), kGroupThreads);
  storeStaged(own);
}

void mlir::hetero::buildWarpGroupKernel(KernelBuilder &kernel,
                                        const WarpGroupPlan &plan, Value filler,
                                        linalg::LinalgOp epilogue) {
  WarpGroupBuilder(kernel, plan, filler, epilogue).build();
}
