//===- TensorCoreKernel.cpp - Matrix products on tensor cores -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of four warps computes a tile of the result, in f32:
//
//   copy the first tiles of both operands to the first stages
//   for each tile along the depth, and each tap:
//     wait for its stage; meet at a barrier
//     start the copy of a later tile to the stage that was read last
//     ldmatrix; mma.sync m16n8k16
//   for each row of warps:
//     put its results in shared memory, so that a thread gets neighbours
//     add them to the old values and store them, 16 bytes at a time
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows and columns of warps, and their threads.
static constexpr int64_t kWarpsPerEdge = 2, kThreads = 128;

/// What a kernel may have without asking for more.
static constexpr int64_t kSharedBytes = 48 << 10;

static constexpr int64_t kMostStages = 4;

/// Keeps the rows of a result in shared memory on different banks.
static constexpr int64_t kPadding = 8;

namespace {
class TensorCoreBuilder : IndexMath {
public:
  TensorCoreBuilder(KernelBuilder &kernel, const TensorCorePlan &plan,
                    Value filler, linalg::LinalgOp epilogue)
      : IndexMath(kernel), op(kernel.getOp()), filler(filler),
        epilogue(epilogue), plan(plan),
        lhs(kernel, plan, plan.lhs, plan.tileRows, kThreads),
        rhs(kernel, plan, plan.rhs, plan.tileColumns, kThreads),
        init(*op.getDpsInitOperand(0)), point(kernel.getOrigin()),
        stageBytes(lhs.getBytes() + rhs.getBytes()),
        stages(std::min(kMostStages, kSharedBytes / stageBytes)) {}

  void build();

private:
  /// The place of the next copy.
  struct Cursor {
    Value tap, depth;
  };

  int64_t warpRows() const { return plan.tileRows / kWarpsPerEdge; }
  int64_t warpColumns() const { return plan.tileColumns / kWarpsPerEdge; }
  int64_t pitch() const { return plan.tileColumns + kPadding; }

  OpFoldResult placeBlock();
  void placeThread();
  Value countSteps();
  void copyTiles(Value stage, Cursor cursor);
  Cursor advance(Cursor cursor);
  Cursor copyFirstTiles(Value steps);
  Value getStage(Value bytes) { return sharedAddress(shared, bytes); }
  SmallVector<Value> accumulate();
  SmallVector<Value> multiplyTiles(Value stage, ValueRange accumulators);
  void multiplyMatrices(ArrayRef<Value> a, ArrayRef<Value> b,
                        MutableArrayRef<Value> results);
  void storeResults(ArrayRef<Value> results);
  void stageResults(ArrayRef<Value> results);
  void storeStaged(Value warpRow);
  int64_t getChunk();
  void moveTo(Value position, ArrayRef<unsigned> loops);
  void storeChunk(Value source, Value column);
  SmallVector<Value> loadSums(Value source);
  SmallVector<Value> loadFor(OpOperand &operand, int64_t count,
                             ArrayRef<Value> loops, bool moves);
  void storeSums(ValueRange sums);
  void runEpilogue(MutableArrayRef<Value> results);
  unsigned getEpilogueLoop();
  SmallVector<Value> getEpiloguePoint();
  bool isRead(OpOperand &operand);
  bool movesAlong(OpOperand &operand, unsigned loop);
  Value isVectorizable();
  Value combine(Value old, Value sum);
  Value createI32(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  linalg::LinalgOp op;
  /// What old results are, if it is known; what works on the new ones, or null.
  Value filler;
  linalg::LinalgOp epilogue;
  const TensorCorePlan &plan;
  TensorCoreTile lhs, rhs;
  OpOperand &init;
  /// The current point.
  SmallVector<Value> point;
  int64_t stageBytes, stages;
  Value shared, thread, lane, warpRow, warpColumn, firstRow, firstColumn;
  Value rowCount, columnCount, tapCount, depthCount;
  /// True if results are stored 16 bytes at a time; null if never.
  Value storesVectors;
};
} // namespace

void TensorCoreBuilder::build() {
  kernel.setBlockSize(kThreads);
  shared = kernel.addSharedBytes(stages * stageBytes);
  OpFoldResult blocks = placeBlock();
  placeThread();
  storesVectors = isVectorizable();
  storeResults(accumulate());
  kernel.finish({blocks});
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Blocks next to each other share rows; returns their number.
OpFoldResult TensorCoreBuilder::placeBlock() {
  OpFoldResult rows = kernel.countIterations(plan.rows);
  OpFoldResult columns = kernel.countIterations(plan.columns);
  OpFoldResult rowTiles = kernel.ceilDiv(rows, plan.tileRows);
  OpFoldResult columnTiles = kernel.ceilDiv(columns, plan.tileColumns);
  rowCount = kernel.importIndex(rows);
  columnCount = kernel.importIndex(columns);
  SmallVector<Value> sizes;
  for (unsigned loop : plan.batch)
    sizes.push_back(kernel.getLoopSize(loop));
  sizes.push_back(kernel.importIndex(rowTiles));
  sizes.push_back(kernel.importIndex(columnTiles));
  SmallVector<Value> parts =
      kernel.delinearize(kernel.blockId(gpu::Dimension::x), sizes);
  for (auto [loop, part] : llvm::zip(plan.batch, parts))
    point[loop] = part;
  firstRow = multiply(parts[parts.size() - 2], plan.tileRows);
  firstColumn = multiply(parts.back(), plan.tileColumns);
  return kernel.multiply(kernel.multiply(rowTiles, columnTiles),
                         kernel.countIterations(plan.batch));
}

void TensorCoreBuilder::placeThread() {
  thread = kernel.threadId();
  lane = rest(thread, 32);
  Value warp = divide(thread, 32);
  warpRow = divide(warp, kWarpsPerEdge);
  warpColumn = rest(warp, kWarpsPerEdge);
  lhs.placeCopies(thread, firstRow, point);
  rhs.placeCopies(thread, firstColumn, point);
  lhs.placeReads(lane, multiply(warpRow, warpRows()), warpRows());
  rhs.placeReads(lane, multiply(warpColumn, warpColumns()), warpColumns());
}

Value TensorCoreBuilder::countSteps() {
  OpFoldResult depth = kernel.countIterations(plan.depth);
  OpFoldResult taps = builder.getIndexAttr(1);
  for (ArrayRef<unsigned> group : plan.taps)
    taps = kernel.multiply(taps, kernel.countIterations(group));
  tapCount = kernel.importIndex(taps);
  depthCount = kernel.importIndex(depth);
  return kernel.importIndex(
      kernel.multiply(taps, kernel.ceilDiv(depth, kTileDepth)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Starts the copies of one step; behind the last one, all elements are zero.
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
  Cursor next{cursor.tap, add(cursor.depth, kTileDepth)};
  if (plan.taps.empty())
    return next;
  Value wraps = atMost(depthCount, next.depth);
  next.tap = select(wraps, add(next.tap, 1), next.tap);
  next.depth = select(wraps, constant(0), next.depth);
  return next;
}

/// Fills all stages but the last one.
TensorCoreBuilder::Cursor TensorCoreBuilder::copyFirstTiles(Value steps) {
  Cursor cursor{constant(0), constant(0)};
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
  int64_t count = warpRows() / 16 * (warpColumns() / 8) * 4;
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0));
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
  SmallVector<Value> results(accumulators);
  int64_t rowBlocks = warpRows() / 16, columnBlocks = warpColumns() / 16;
  Value left = getStage(stage), right = getStage(add(stage, lhs.getBytes()));
  for (int64_t part = 0; part < kTileDepth / kMatrixDepth; ++part) {
    SmallVector<SmallVector<Value>> rows, columns;
    for (int64_t i = 0; i < rowBlocks; ++i)
      rows.push_back(lhs.read(left, i, part));
    for (int64_t j = 0; j < columnBlocks; ++j)
      columns.push_back(rhs.read(right, j, part));
    for (int64_t i = 0; i < rowBlocks; ++i)
      for (int64_t j = 0; j < columnBlocks; ++j)
        for (int64_t half = 0; half < 2; ++half) {
          int64_t first = ((i * columnBlocks + j) * 2 + half) * 4;
          Value b[] = {columns[j][half], columns[j][half + 2]};
          multiplyMatrices(rows[i], b,
                           MutableArrayRef(results).slice(first, 4));
        }
  }
  return results;
}

/// Adds the product of 16x16 and 16x8 elements to the lane's four results.
void TensorCoreBuilder::multiplyMatrices(ArrayRef<Value> a, ArrayRef<Value> b,
                                         MutableArrayRef<Value> results) {
  bool isHalf = getElementTypeOrSelf(op->getOperand(0).getType()).isF16();
  auto toOperands = [&](ArrayRef<Value> registers) {
    SmallVector<Value> operands(registers);
    Type pair = VectorType::get(2, builder.getF16Type());
    if (isHalf)
      for (Value &operand : operands)
        operand = LLVM::BitcastOp::create(builder, loc, pair, operand);
    return operands;
  };
  Type f32 = builder.getF32Type();
  Type type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               {f32, f32, f32, f32});
  NVVM::MMATypes element = isHalf ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  auto product = NVVM::MmaOp::create(
      builder, loc, type, toOperands(a), toOperands(b), results,
      ArrayRef<int64_t>{16, 8, kMatrixDepth}, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{element, element},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (int64_t i = 0; i < 4; ++i)
    results[i] = LLVM::ExtractValueOp::create(builder, loc, product, i);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void TensorCoreBuilder::storeResults(ArrayRef<Value> results) {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0);
  repeat(constant(kWarpsPerEdge), [&](Value row) {
    gpu::BarrierOp::create(builder, loc);
    onlyIf(equal(warpRow, row), [&] { stageResults(results); });
    gpu::BarrierOp::create(builder, loc);
    storeStaged(row);
  });
}

/// A lane has two neighbours in a row of each matrix, and two 8 rows below.
void TensorCoreBuilder::stageResults(ArrayRef<Value> results) {
  int64_t columnBlocks = warpColumns() / 8;
  Value row = divide(lane, 4);
  Value column =
      add(multiply(warpColumn, warpColumns()), multiply(rest(lane, 4), 2));
  Value place = multiply(add(multiply(row, pitch()), column), 4);
  auto pair = VectorType::get(2, builder.getF32Type());
  for (int64_t first = 0, end = results.size() / 2; first < end; ++first) {
    int64_t block = first / 2, half = first % 2;
    int64_t rows = block / columnBlocks * 16 + half * 8;
    int64_t columns = block % columnBlocks * 8;
    Value values = LLVM::PoisonOp::create(builder, loc, pair);
    for (int64_t i = 0; i < 2; ++i)
      values = LLVM::InsertElementOp::create(
          builder, loc, values, results[2 * first + i], createI32(i));
    Value target = getStage(add(place, (rows * pitch() + columns) * 4));
    LLVM::StoreOp::create(builder, loc, values, target, 8);
  }
}

/// As many results as are 16 bytes.
int64_t TensorCoreBuilder::getChunk() {
  Type type = getElementTypeOrSelf(init.get().getType());
  return kVectorBytes * 8 / type.getIntOrFloatBitWidth();
}

/// Neighbouring threads take neighbouring chunks of a row.
void TensorCoreBuilder::storeStaged(Value warpRow) {
  int64_t chunksPerRow = plan.tileColumns / getChunk();
  int64_t rowsPerStep = kThreads / chunksPerRow;
  Value chunk = multiply(rest(thread, chunksPerRow), getChunk());
  Value column = add(firstColumn, chunk);
  repeat(constant(warpRows() / rowsPerStep), [&](Value step) {
    Value staged =
        add(divide(thread, chunksPerRow), multiply(step, rowsPerStep));
    Value row = add(firstRow, add(multiply(warpRow, warpRows()), staged));
    onlyIf(less(row, rowCount), [&] {
      moveTo(row, plan.rows);
      Value place = add(multiply(staged, pitch()), chunk);
      storeChunk(multiply(place, 4), column);
    });
  });
}

/// Moves the point along loops, each by itself.
void TensorCoreBuilder::moveTo(Value position, ArrayRef<unsigned> loops) {
  LoopGroups groups;
  for (unsigned loop : loops)
    groups.push_back({loop});
  kernel.moveTo(position, groups, point);
}

/// The epilogue's loop along a row of results.
unsigned TensorCoreBuilder::getEpilogueLoop() {
  AffineMap map = op.getMatchingIndexingMap(&init);
  AffineExpr column =
      getAffineDimExpr(plan.columns.back(), builder.getContext());
  return *map.getResultPosition(column);
}

/// The point of the epilogue's loops, which are the dimensions of the result.
SmallVector<Value> TensorCoreBuilder::getEpiloguePoint() {
  SmallVector<Value> result;
  for (AffineExpr dim : op.getMatchingIndexingMap(&init).getResults())
    result.push_back(point[cast<AffineDimExpr>(dim).getPosition()]);
  return result;
}

/// True where the results along a row may be stored as vectors; null if not.
Value TensorCoreBuilder::isVectorizable() {
  if (plan.columns.size() != 1 || !isContiguousAlong(op, init, plan.columns[0]))
    return nullptr;
  Value rests = kernel.misalignment(init, plan.columns[0]);
  if (!epilogue)
    return isAligned(rests);
  unsigned loop = getEpilogueLoop();
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    if (!isRead(*input) || !movesAlong(*input, loop))
      continue;
    if (!isContiguousAlong(epilogue, *input, loop))
      return nullptr;
    rests = fold<arith::OrIOp>(rests, kernel.misalignment(*input, loop));
  }
  return isAligned(rests);
}

/// True for the epilogue's operands other than the product's result.
bool TensorCoreBuilder::isRead(OpOperand &operand) {
  return operand.get() != init.get();
}

bool TensorCoreBuilder::movesAlong(OpOperand &operand, unsigned loop) {
  return isa<MemRefType>(operand.get().getType()) &&
         epilogue.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
}

/// Stores the sums at `source` in shared memory from `column` on.
void TensorCoreBuilder::storeChunk(Value source, Value column) {
  auto storeEach = [&] {
    repeat(constant(getChunk()), [&](Value i) {
      Value position = add(column, i);
      onlyIf(less(position, columnCount), [&] {
        moveTo(position, plan.columns);
        Value place = getStage(add(source, multiply(i, 4)));
        storeSums(
            LLVM::LoadOp::create(builder, loc, builder.getF32Type(), place)
                .getResult());
      });
    });
  };
  if (!storesVectors)
    return storeEach();
  Value fits = atMost(add(column, getChunk()), columnCount);
  auto storeAll = [&] {
    moveTo(column, plan.columns);
    storeSums(loadSums(source));
  };
  onlyIf(both(storesVectors, fits), storeAll, storeEach);
}

/// The operand's elements for `count` results from the current point on, or the
/// one that they share.
SmallVector<Value> TensorCoreBuilder::loadFor(OpOperand &operand, int64_t count,
                                              ArrayRef<Value> loops,
                                              bool moves) {
  if (count > 1 && moves)
    return kernel.loadElements(operand, loops, count);
  return SmallVector<Value>(count, kernel.loadOperand(operand, loops));
}

/// Stores one result, or a chunk, at the current point.
void TensorCoreBuilder::storeSums(ValueRange sums) {
  int64_t count = sums.size();
  SmallVector<Value> results;
  SmallVector<Value> olds = filler ? SmallVector<Value>(count, filler)
                                   : loadFor(init, count, point, true);
  for (auto [old, sum] : llvm::zip_equal(olds, sums))
    results.push_back(combine(old, sum));
  if (epilogue)
    runEpilogue(results);
  if (count > 1)
    return kernel.storeElements(init, point, results);
  kernel.storeOperand(init, point, results[0]);
}

void TensorCoreBuilder::runEpilogue(MutableArrayRef<Value> results) {
  SmallVector<Value> loops = getEpiloguePoint();
  unsigned loop = getEpilogueLoop();
  SmallVector<SmallVector<Value>> inputs;
  for (OpOperand &operand : epilogue->getOpOperands())
    inputs.push_back(isRead(operand) ? loadFor(operand, results.size(), loops,
                                               movesAlong(operand, loop))
                                     : SmallVector<Value>(results));
  for (auto [i, result] : llvm::enumerate(results)) {
    SmallVector<Value> arguments, own(loops);
    for (ArrayRef<Value> values : inputs)
      arguments.push_back(values[i]);
    own[loop] = add(loops[loop], i);
    result = kernel.cloneBodyOf(epilogue, arguments, own)[0];
  }
}

/// A chunk of sums in shared memory.
SmallVector<Value> TensorCoreBuilder::loadSums(Value source) {
  SmallVector<Value> sums;
  auto vector = VectorType::get(4, builder.getF32Type());
  for (int64_t first = 0; first < getChunk(); first += 4) {
    Value values = LLVM::LoadOp::create(
        builder, loc, vector, getStage(add(source, first * 4)), kVectorBytes);
    for (int64_t i = 0; i < 4; ++i)
      sums.push_back(
          LLVM::ExtractElementOp::create(builder, loc, values, createI32(i)));
  }
  return sums;
}

/// Adds in f32 and rounds once.
Value TensorCoreBuilder::combine(Value old, Value sum) {
  Type type = old.getType(), f32 = builder.getF32Type();
  if (type != f32)
    old = arith::ExtFOp::create(builder, loc, f32, old);
  Value result = arith::AddFOp::create(builder, loc, old, sum);
  if (type != f32)
    result = arith::TruncFOp::create(builder, loc, type, result);
  return result;
}

LogicalResult mlir::hetero::buildTensorCoreKernel(KernelBuilder &kernel,
                                                  const TensorCorePlan &plan,
                                                  Value filler,
                                                  linalg::LinalgOp epilogue) {
  TensorCoreBuilder(kernel, plan, filler, epilogue).build();
  return success();
}
