//===- TensorCoreKernel.cpp - Matrix products on tensor cores -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of warps computes a tile of the result, in f32, or i32 for integers:
//
//   copy the first tiles of both operands to the first stages
//   for each tile along the depth, and each tap:
//     wait for its stage; meet at a barrier
//     start the copy of a later tile to the stage that was read last
//     ldmatrix; mma.sync, or loads and fma
//   for each row of warps:
//     put its results in shared memory, so that a thread gets neighbours
//     add them to the old values and store them, 16 bytes at a time
//
// Where several blocks share the steps, each stores its sums in a workspace
// instead, and a second kernel adds those of a result, always in one order.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreKernel.h"

#include "ProductResults.h"
#include "TensorCoreTile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

/// The threads of a warp where each multiplies.
static constexpr int64_t kThreadRows = 4, kThreadColumns = 8;

static constexpr int64_t kMostStages = 4;

/// Rows of the workspace begin at multiples of a chunk of any result.
static constexpr int64_t kPartColumns = 8;

/// Keeps the rows of a result in shared memory on different banks.
static constexpr int64_t kPadding = 8;

namespace {
class TensorCoreBuilder : IndexMath {
public:
  /// Sums go to `workspace`, a pointer, where there is one.
  TensorCoreBuilder(KernelBuilder &kernel, const TensorCorePlan &plan,
                    Value filler, linalg::LinalgOp epilogue, Value workspace)
      : IndexMath(kernel), op(kernel.getOp()), workspace(workspace), plan(plan),
        lhs(kernel, plan, plan.lhs, plan.tileRows),
        rhs(kernel, plan, plan.rhs, plan.tileColumns),
        results(kernel, plan, filler, epilogue), point(kernel.getOrigin()),
        stageBytes(lhs.getBytes() + rhs.getBytes()),
        stages(std::min(kMostStages, kSharedBytes / stageBytes)) {}

  void build();

private:
  /// The place of the next copy.
  struct Cursor {
    Value tap, depth;
  };

  /// A warp's part of the tile.
  int64_t warpRows() const { return plan.tileRows / plan.warpRows; }
  int64_t warpColumns() const { return plan.tileColumns / plan.warpColumns; }
  int64_t threadRows() const { return warpRows() / kThreadRows; }
  int64_t threadColumns() const { return warpColumns() / kThreadColumns; }
  int64_t countSums() const { return warpRows() * warpColumns() / 32; }
  int64_t pitch() const { return plan.tileColumns + kPadding; }

  OpFoldResult placeBlock();
  void placeThread();
  Value countSteps();
  Cursor findFirst();
  void copyTiles(Value stage, Cursor cursor);
  Cursor advance(Cursor cursor);
  Cursor copyFirstTiles(Value steps);
  Value getStage(Value bytes) { return sharedAddress(shared, bytes); }
  SmallVector<Value> accumulate();
  SmallVector<Value> multiplyTiles(Value stage, ValueRange accumulators);
  void multiplyMatrices(ArrayRef<Value> a, ArrayRef<Value> b,
                        MutableArrayRef<Value> sums);
  void multiplyElements(Value left, Value right, MutableArrayRef<Value> sums);
  void storeResults(ArrayRef<Value> sums);
  void stageMatrices(ArrayRef<Value> sums);
  void stageElements(ArrayRef<Value> sums);
  void stageNeighbours(Value place, int64_t row, int64_t column,
                       ArrayRef<Value> sums);
  void storeStaged(Value warpRow);
  SmallVector<Value> loadSums(Value source, int64_t count);
  void storePart(Value row, Value column, Value source);
  Type sumType() {
    return plan.isInteger() ? Type(builder.getI32Type())
                            : Type(builder.getF32Type());
  }
  Value createI32(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  linalg::LinalgOp op;
  Value workspace;
  const TensorCorePlan &plan;
  TensorCoreTile lhs, rhs;
  ProductResults results;
  /// The batch.
  SmallVector<Value> point;
  int64_t stageBytes, stages;
  Value shared, thread, lane, warpRow, warpColumn, firstRow, firstColumn;
  Value tapCount, depthCount;
  /// The block's part of the steps, and its number among parts and batches.
  Value split, part;
};
} // namespace

void TensorCoreBuilder::build() {
  kernel.setBlockSize(plan.getThreads());
  if (std::optional<int64_t> blocks = plan.getResidentBlocks())
    kernel.setResidentBlocks(*blocks);
  shared = kernel.addSharedBytes(stages * stageBytes);
  OpFoldResult blocks = placeBlock();
  placeThread();
  if (!workspace)
    results.place(point);
  storeResults(accumulate());
  kernel.finish({blocks}, /*keepsOperation=*/bool(workspace));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Blocks next to each other share rows; returns their number.
OpFoldResult TensorCoreBuilder::placeBlock() {
  OpFoldResult rowTiles =
      kernel.ceilDiv(kernel.countIterations(plan.rows), plan.tileRows);
  OpFoldResult columnTiles =
      kernel.ceilDiv(kernel.countIterations(plan.columns), plan.tileColumns);
  SmallVector<Value> sizes{constant(plan.splits)};
  for (unsigned loop : plan.batch)
    sizes.push_back(kernel.getLoopSize(loop));
  sizes.push_back(kernel.importIndex(rowTiles));
  sizes.push_back(kernel.importIndex(columnTiles));
  Value block = kernel.blockId(gpu::Dimension::x);
  OpFoldResult tiles = kernel.multiply(rowTiles, columnTiles);
  if (workspace)
    part = divide(block, *getConstantIntValue(tiles));
  else
    sizes.erase(sizes.begin());
  SmallVector<Value> places = kernel.delinearize(block, sizes);
  firstColumn = multiply(places.pop_back_val(), plan.tileColumns);
  firstRow = multiply(places.pop_back_val(), plan.tileRows);
  if (workspace)
    split = places.front();
  for (auto [loop, place] : llvm::zip_equal(
           plan.batch, ArrayRef(places).take_back(plan.batch.size())))
    point[loop] = place;
  return kernel.multiply(
      kernel.multiply(tiles, kernel.countIterations(plan.batch)),
      builder.getIndexAttr(plan.splits));
}

void TensorCoreBuilder::placeThread() {
  thread = kernel.threadId();
  lane = rest(thread, 32);
  Value warp = divide(thread, 32);
  warpRow = divide(warp, plan.warpColumns);
  warpColumn = rest(warp, plan.warpColumns);
  lhs.placeCopies(thread, firstRow, point);
  rhs.placeCopies(thread, firstColumn, point);
  Value line = multiply(warpRow, warpRows());
  Value column = multiply(warpColumn, warpColumns());
  if (plan.usesThreads) {
    lhs.placeThreadReads(divide(lane, kThreadColumns), kThreadRows, line);
    rhs.placeThreadReads(rest(lane, kThreadColumns), kThreadColumns, column);
    return;
  }
  lhs.placeReads(lane, line, warpRows());
  rhs.placeReads(lane, column, warpColumns());
}

/// The number of steps of the block.
Value TensorCoreBuilder::countSteps() {
  OpFoldResult depth = kernel.countIterations(plan.depth);
  OpFoldResult taps = builder.getIndexAttr(1);
  for (ArrayRef<unsigned> group : plan.taps)
    taps = kernel.multiply(taps, kernel.countIterations(group));
  tapCount = kernel.importIndex(taps);
  depthCount = kernel.importIndex(depth);
  OpFoldResult steps =
      kernel.multiply(taps, kernel.ceilDiv(depth, plan.getTileDepth()));
  if (!workspace)
    return kernel.importIndex(steps);
  // Sizes are known where blocks share steps.
  int64_t all = *getConstantIntValue(steps);
  int64_t own = llvm::divideCeil(all, plan.splits);
  Value left = subtract(constant(all), multiply(split, own));
  return fold<arith::MinSIOp>(left, constant(own));
}

/// Where the block's steps begin.
TensorCoreBuilder::Cursor TensorCoreBuilder::findFirst() {
  if (!workspace)
    return {constant(0), constant(0)};
  int64_t taps = *getConstantIntValue(OpFoldResult(tapCount));
  int64_t perTap = llvm::divideCeil(
      *getConstantIntValue(OpFoldResult(depthCount)), plan.getTileDepth());
  Value first = multiply(split, llvm::divideCeil(taps * perTap, plan.splits));
  return {divide(first, perTap),
          multiply(rest(first, perTap), plan.getTileDepth())};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Starts the copies of one step; after the last one, all elements are zero.
void TensorCoreBuilder::copyTiles(Value stage, Cursor cursor) {
  SmallVector<Value> sizes;
  for (ArrayRef<unsigned> group : plan.taps)
    sizes.push_back(kernel.importIndex(kernel.countIterations(group)));
  SmallVector<Value> tap = kernel.delinearize(cursor.tap, sizes);
  Value depth = cursor.depth;
  if (!plan.taps.empty())
    depth = select(less(cursor.tap, tapCount), depth, depthCount);
  lhs.copy(getStage(stage), tap, depth);
  rhs.copy(getStage(add(stage, lhs.getBytes())), tap, depth);
}

TensorCoreBuilder::Cursor TensorCoreBuilder::advance(Cursor cursor) {
  Cursor next{cursor.tap, add(cursor.depth, plan.getTileDepth())};
  if (plan.taps.empty())
    return next;
  Value wraps = atMost(depthCount, next.depth);
  next.tap = select(wraps, add(next.tap, 1), next.tap);
  next.depth = select(wraps, constant(0), next.depth);
  return next;
}

/// Fills all stages but the last one.
TensorCoreBuilder::Cursor TensorCoreBuilder::copyFirstTiles(Value steps) {
  Cursor cursor = findFirst();
  for (int64_t stage = 0; stage < stages - 1; ++stage) {
    // An operand without elements is not to be touched.
    onlyIf(less(constant(0), steps),
           [&] { copyTiles(constant(stage * stageBytes), cursor); });
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    cursor = advance(cursor);
  }
  return cursor;
}

SmallVector<Value> TensorCoreBuilder::accumulate() {
  Value steps = countSteps();
  Cursor cursor = copyFirstTiles(steps);
  int64_t count = countSums();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType()));
  SmallVector<Value> carried(count, zero);
  carried.append({constant(0), constant((stages - 1) * stageBytes), cursor.tap,
                  cursor.depth});
  auto loop = scf::ForOp::create(builder, loc, constant(0), steps, constant(1),
                                 carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange sums = loop.getRegionIterArgs().take_front(count);
  ValueRange state = loop.getRegionIterArgs().drop_front(count);
  cursor = {state[2], state[3]};
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, stages - 2);
  gpu::BarrierOp::create(builder, loc);
  copyTiles(state[1], cursor);
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  SmallVector<Value> next = multiplyTiles(state[0], sums);
  // The stage that was read is the next one to be written.
  Value readNext = add(state[0], stageBytes);
  Value wraps = equal(readNext, constant(stages * stageBytes));
  cursor = advance(cursor);
  next.append({select(wraps, constant(0), readNext), state[0], cursor.tap,
               cursor.depth});
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults().take_front(count));
}

SmallVector<Value> TensorCoreBuilder::multiplyTiles(Value stage,
                                                    ValueRange accumulators) {
  SmallVector<Value> sums(accumulators);
  Value left = getStage(stage), right = getStage(add(stage, lhs.getBytes()));
  if (plan.usesThreads) {
    multiplyElements(left, right, sums);
    return sums;
  }
  int64_t parts = plan.getTileDepth() / plan.getMatrixDepth();
  for (int64_t part = 0; part < parts; ++part) {
    SmallVector<SmallVector<Value>> rows = lhs.read(left, part);
    SmallVector<SmallVector<Value>> columns = rhs.read(right, part);
    int64_t first = 0;
    for (ArrayRef<Value> row : rows)
      for (ArrayRef<Value> column : columns)
        for (int64_t half = 0; half < 2; ++half, first += 4)
          multiplyMatrices(row, {column[half], column[half + 2]},
                           MutableArrayRef(sums).slice(first, 4));
  }
  return sums;
}

/// A thread multiplies each of its rows with each of its columns.
void TensorCoreBuilder::multiplyElements(Value left, Value right,
                                         MutableArrayRef<Value> sums) {
  for (int64_t quarter = 0; quarter < plan.getTileDepth() / 4; ++quarter) {
    auto rows = lhs.readLines(left, quarter, threadRows());
    auto columns = rhs.readLines(right, quarter, threadColumns());
    for (int64_t depth = 0; depth < 4; ++depth)
      for (int64_t i = 0; i < threadRows(); ++i)
        for (int64_t j = 0; j < threadColumns(); ++j) {
          Value &sum = sums[i * threadColumns() + j];
          sum = LLVM::FMAOp::create(builder, loc, rows[depth][i],
                                    columns[depth][j], sum);
        }
  }
}

/// Adds the product of 16 rows and 8 columns to the lane's four sums.
void TensorCoreBuilder::multiplyMatrices(ArrayRef<Value> a, ArrayRef<Value> b,
                                         MutableArrayRef<Value> sums) {
  NVVM::MMATypes left = plan.lhs.element, right = plan.rhs.element;
  auto toOperands = [&](ArrayRef<Value> registers) {
    SmallVector<Value> operands(registers);
    Type pair = VectorType::get(2, builder.getF16Type());
    if (left == NVVM::MMATypes::f16)
      for (Value &operand : operands)
        operand = LLVM::BitcastOp::create(builder, loc, pair, operand);
    return operands;
  };
  SmallVector<Type> types(4, sumType());
  Type type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (plan.isInteger())
    overflow = NVVM::MMAIntOverflow::wrapped;
  auto product = NVVM::MmaOp::create(
      builder, loc, type, toOperands(a), toOperands(b), sums,
      ArrayRef<int64_t>{16, 8, plan.getMatrixDepth()}, std::nullopt, overflow,
      std::array<NVVM::MMATypes, 2>{left, right},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (int64_t i = 0; i < 4; ++i)
    sums[i] = LLVM::ExtractValueOp::create(builder, loc, product, i);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void TensorCoreBuilder::storeResults(ArrayRef<Value> sums) {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0);
  repeat(constant(plan.warpRows), [&](Value row) {
    gpu::BarrierOp::create(builder, loc);
    onlyIf(equal(warpRow, row), [&] {
      if (plan.usesThreads)
        stageElements(sums);
      else
        stageMatrices(sums);
    });
    gpu::BarrierOp::create(builder, loc);
    storeStaged(row);
  });
}

/// Stores neighbours in a row at `row` and `column` from `place` on.
void TensorCoreBuilder::stageNeighbours(Value place, int64_t row,
                                        int64_t column, ArrayRef<Value> sums) {
  Value target = getStage(add(place, (row * pitch() + column) * 4));
  if (sums.size() == 1) {
    LLVM::StoreOp::create(builder, loc, sums[0], target, 4);
    return;
  }
  auto type = VectorType::get(sums.size(), sumType());
  Value values = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, sum] : llvm::enumerate(sums))
    values =
        LLVM::InsertElementOp::create(builder, loc, values, sum, createI32(i));
  LLVM::StoreOp::create(builder, loc, values, target, 4 * sums.size());
}

/// A lane has two columns of a line of each matrix, and the same of another
/// matrix below.
void TensorCoreBuilder::stageMatrices(ArrayRef<Value> sums) {
  int64_t columnBlocks = warpColumns() / 8;
  Value row = multiply(divide(lane, 4), lhs.getLineStep());
  Value column = add(multiply(warpColumn, warpColumns()),
                     multiply(rest(lane, 4), 2 * rhs.getLineStep()));
  Value place = multiply(add(multiply(row, pitch()), column), 4);
  for (int64_t first = 0, end = sums.size() / 2; first < end; ++first) {
    int64_t block = first / 2;
    int64_t rows = lhs.getFirstLine(block / columnBlocks * 2 + first % 2);
    int64_t columns = rhs.getFirstLine(block % columnBlocks);
    ArrayRef<Value> pair = sums.slice(2 * first, 2);
    if (rhs.getLineStep() == 1) {
      stageNeighbours(place, rows, columns, pair);
      continue;
    }
    stageNeighbours(place, rows, columns, pair[0]);
    stageNeighbours(place, rows, columns + rhs.getLineStep(), pair[1]);
  }
}

void TensorCoreBuilder::stageElements(ArrayRef<Value> sums) {
  Value row = multiply(divide(lane, kThreadColumns), lhs.getThreadStep());
  Value column = add(multiply(warpColumn, warpColumns()),
                     multiply(rest(lane, kThreadColumns), rhs.getThreadStep()));
  Value place = multiply(add(multiply(row, pitch()), column), 4);
  // Columns that a thread has next to each other.
  int64_t width = rhs.getThreadStep();
  for (int64_t i = 0; i < threadRows(); ++i)
    for (int64_t j = 0; j < threadColumns(); j += width)
      stageNeighbours(place, lhs.getThreadLine(i, kThreadRows),
                      rhs.getThreadLine(j, kThreadColumns),
                      sums.slice(i * threadColumns() + j, width));
}

/// Neighbouring threads take neighbouring chunks of a row.
void TensorCoreBuilder::storeStaged(Value warpRow) {
  int64_t width = workspace ? 4 : results.getChunk();
  int64_t chunksPerRow = plan.tileColumns / width;
  int64_t rowsPerStep = plan.getThreads() / chunksPerRow;
  Value chunk = multiply(rest(thread, chunksPerRow), width);
  Value column = add(firstColumn, chunk);
  repeat(constant(warpRows() / rowsPerStep), [&](Value step) {
    Value staged =
        add(divide(thread, chunksPerRow), multiply(step, rowsPerStep));
    Value row = add(firstRow, add(multiply(warpRow, warpRows()), staged));
    Value place = multiply(add(multiply(staged, pitch()), chunk), 4);
    if (workspace)
      return storePart(row, column, place);
    results.store(row, column, [&](Value first, int64_t count) {
      return loadSums(add(place, multiply(first, 4)), count);
    });
  });
}

/// So many sums in shared memory, one or a multiple of four.
SmallVector<Value> TensorCoreBuilder::loadSums(Value source, int64_t count) {
  if (count == 1)
    return {LLVM::LoadOp::create(builder, loc, sumType(), getStage(source))
                .getResult()};
  SmallVector<Value> sums;
  auto vector = VectorType::get(4, sumType());
  for (int64_t first = 0; first < count; first += 4) {
    Value values = LLVM::LoadOp::create(
        builder, loc, vector, getStage(add(source, first * 4)), kVectorBytes);
    for (int64_t i = 0; i < 4; ++i)
      sums.push_back(
          LLVM::ExtractElementOp::create(builder, loc, values, createI32(i)));
  }
  return sums;
}

/// Stores four sums in the workspace, whose rows have room for all of them.
void TensorCoreBuilder::storePart(Value row, Value column, Value source) {
  int64_t rows = *getConstantIntValue(kernel.countIterations(plan.rows));
  int64_t columns = *getConstantIntValue(kernel.countIterations(plan.columns));
  Value exists =
      both(less(row, constant(rows)), less(column, constant(columns)));
  onlyIf(exists, [&] {
    Value line = add(multiply(part, rows), row);
    Value place = add(multiply(line, getPartPitch(columns)), column);
    Value offset =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), place);
    Value target =
        LLVM::GEPOp::create(builder, loc, workspace.getType(), sumType(),
                            workspace, ArrayRef<LLVM::GEPArg>{offset});
    Value values =
        LLVM::LoadOp::create(builder, loc, VectorType::get(4, sumType()),
                             getStage(source), kVectorBytes);
    LLVM::StoreOp::create(builder, loc, values, target, kVectorBytes);
  });
}

void mlir::hetero::buildTensorCoreKernel(KernelBuilder &kernel,
                                         const TensorCorePlan &plan,
                                         Value filler,
                                         linalg::LinalgOp epilogue) {
  TensorCoreBuilder(kernel, plan, filler, epilogue, /*workspace=*/Value())
      .build();
}

int64_t mlir::hetero::getPartPitch(int64_t columns) {
  return llvm::alignTo(columns, kPartColumns);
}

void mlir::hetero::buildPartsKernel(KernelBuilder &kernel,
                                    const TensorCorePlan &plan,
                                    Value workspace) {
  TensorCoreBuilder(kernel, plan, /*filler=*/Value(), /*epilogue=*/nullptr,
                    workspace)
      .build();
}
