//===- RowKernel.cpp - Chains of work on rows in one kernel ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax of rows that fit in registers:
//
//   x = the thread's elements of the row, 16 bytes at a time
//   m = the maximum of x, among lanes by shuffles, among warps through shared
//       memory
//   e = exp(x - m)
//   s = the sum of e, likewise
//   store e / s, 16 bytes at a time
//
// Values are computed where they are needed first and stay in registers. Of
// longer rows each reduction is a loop of its own, which computes the values
// again from the inputs; so does the last loop, which stores. That is also done
// where rows turn out not to start at multiples of 16 bytes, element by
// element.
//
//===----------------------------------------------------------------------===//

#include "RowKernel.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/GPU/Plan/LoopSteps.h"
#include "Codegen/GPU/Plan/ReductionPlan.h"
#include "Codegen/GPU/Plan/RowShape.h"
#include "Codegen/Match/Sums.h"
#include "IndexMath.h"
#include "KernelOperands.h"
#include "KernelVectors.h"
#include "LaneReduction.h"
#include "LongSums.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Sums of a thread that do not wait for each other.
static constexpr int64_t kAccumulators = 4;

/// Elements of a thread that are under way together in rows that are not held.
static constexpr int64_t kElementsInFlight = 16;

namespace {
/// Columns of a row that a thread works on together: slots of `vector` elements
/// next to each other.
struct Tile {
  Tile(int64_t vector, int64_t slots, Value first)
      : vector(vector), slots(slots), first(first) {}

  int64_t vector, slots;
  /// The first slot's position in the row, in vectors.
  Value first;
  /// Per slot: whether it is in the row; null if it always is.
  SmallVector<Value> inside;
  /// By load and slot, and by member and slot the results.
  llvm::DenseMap<std::pair<unsigned, int64_t>, SmallVector<Value>> loaded;
  llvm::DenseMap<std::pair<unsigned, int64_t>, SmallVector<SmallVector<Value>>>
      computed;
};

class RowBuilder : IndexMath {
public:
  RowBuilder(KernelBuilder &kernel, RowChain &chain)
      : IndexMath(kernel), chain(chain), shape(chooseRowShape(chain)),
        point(kernel.getOrigin()) {}

  void build();

private:
  void importAll();
  void locate();
  Value areRowsAligned();
  bool isAlwaysInside(const Tile &tile, int64_t slot);

  void buildRow(int64_t vector, bool isHeld);
  void loadRows();
  void
  forEachTile(int64_t vector, ValueRange accumulators,
              llvm::function_ref<SmallVector<Value>(Tile &, ValueRange)> body,
              SmallVectorImpl<Value> &results);
  Value getPosition(const Tile &tile, int64_t slot);
  SmallVector<Value> getLoops(unsigned member);
  SmallVector<Value> getIndices(unsigned member, int64_t element);
  void moveTo(const Tile &tile, int64_t slot);
  void loadAll(Tile &tile, unsigned member);
  ArrayRef<Value> load(Tile &tile, unsigned index, int64_t slot);
  ArrayRef<SmallVector<Value>> compute(Tile &tile, unsigned member,
                                       int64_t slot);
  SmallVector<Value> getArguments(Tile &tile, unsigned member, int64_t slot,
                                  int64_t element);
  Value getRowArgument(unsigned member, OpOperand &operand);
  SmallVector<Value> reduceTile(Tile &tile, unsigned member,
                                ValueRange accumulators);
  Value reduceColumns(int64_t vector, unsigned member);
  Value reduceThreads(unsigned member, Value sum);
  Value finish(unsigned member, Value total);
  Value exchange(unsigned member, Value part);
  void storeTile(Tile &tile);
  void storeRows();
  bool storesTiles();
  SmallVector<Value> valuesIf(Value condition, int64_t count, Type type,
                              llvm::function_ref<SmallVector<Value>()> build);

  RowChain &chain;
  RowShape shape;
  std::optional<int64_t> staticRows, staticColumns;
  Value rows, columns;
  /// The thread's row, or the last one; whether it is its own, null if always.
  Value row, isOwnRow;
  /// The thread among those of the row, and among those of the block.
  Value lane, thread;
  /// The current point of the anchor.
  SmallVector<Value> point;
  /// By load: those that are the same in all columns. By member: results that
  /// are.
  llvm::DenseMap<unsigned, Value> rowLoads;
  llvm::DenseMap<unsigned, SmallVector<Value>> rowResults;
  /// By member: what its result is filled with, and a value per warp.
  llvm::DenseMap<unsigned, Value> fillers, parts;
  /// The held row.
  Tile *held = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

void RowBuilder::importAll() {
  SmallVector<unsigned> rowLoops;
  for (ArrayRef<unsigned> group : chain.rows)
    llvm::append_range(rowLoops, group);
  linalg::LinalgOp anchor = chain.members[chain.anchor].op;
  staticRows = countStatically(anchor, rowLoops);
  staticColumns = countStatically(anchor, chain.columns);
  rows = kernel.importIndex(kernel.countIterations(rowLoops));
  columns = kernel.importIndex(kernel.countIterations(chain.columns));
  int64_t warps = shape.threads / kWarpSize;
  for (auto [index, member] : llvm::enumerate(chain.members)) {
    if (!member.combiner)
      continue;
    fillers[index] = kernel.importScalar(member.filler);
    if (warps > 1)
      parts[index] =
          kernel.addSharedMemory({warps * shape.rowsPerBlock},
                                 member.combiner->getResult(0).getType());
  }
}

/// Threads after the last row go along with those of the last, since all of a
/// warp exchange values.
void RowBuilder::locate() {
  thread = kernel.threadId();
  lane = rest(thread, shape.threads);
  row = add(multiply(kernel.blockId(gpu::Dimension::x), shape.rowsPerBlock),
            divide(thread, shape.threads));
  if (shape.rowsPerBlock != 1 &&
      !(staticRows && *staticRows % shape.rowsPerBlock == 0)) {
    isOwnRow = less(row, rows);
    row = fold<arith::MinUIOp>(row, subtract(rows, constant(1)));
  }
  kernel.moveTo(row, chain.rows, point);
}

Value RowBuilder::areRowsAligned() {
  Value rests;
  int64_t widest = 1;
  for (auto [index, operand] : listFullAccesses(chain)) {
    RowMember &member = chain.members[index];
    auto inner = llvm::find(member.loops, std::optional(chain.columns.back()));
    Value own = getMisalignment(
        kernel, *operand, static_cast<unsigned>(inner - member.loops.begin()));
    rests = rests ? fold<arith::OrIOp>(rests, own) : own;
    widest = std::max(widest, getStoredBytes(operand->get().getType()));
  }
  Value aligned =
      isAligned(rests, std::min(kVectorBytes, widest * shape.vector));
  return both(aligned, equal(rest(columns, shape.vector), constant(0)));
}

void RowBuilder::build() {
  kernel.setBlockSize(shape.threads * shape.rowsPerBlock);
  importAll();
  locate();
  Value isUsual;
  if (shape.vector > 1)
    isUsual = areRowsAligned();
  if (shape.isHeld && !staticColumns) {
    int64_t most = shape.threads * shape.slots * shape.vector;
    Value fits = atMost(columns, constant(most));
    isUsual = isUsual ? both(isUsual, fits) : fits;
  }
  if (isUsual)
    onlyIf(
        isUsual, [&] { buildRow(shape.vector, shape.isHeld); },
        [&] { buildRow(1, false); });
  else
    buildRow(1, shape.isHeld);
  SmallVector<unsigned> rowLoops;
  for (ArrayRef<unsigned> group : chain.rows)
    llvm::append_range(rowLoops, group);
  kernel.finish(
      {kernel.ceilDiv(kernel.countIterations(rowLoops), shape.rowsPerBlock)});
}

void RowBuilder::buildRow(int64_t vector, bool isHeld) {
  rowLoads.clear();
  rowResults.clear();
  loadRows();
  Tile tile(vector, shape.slots, lane);
  held = isHeld ? &tile : nullptr;
  for (auto [index, member] : llvm::enumerate(chain.members)) {
    if (!member.hasRowResult())
      continue;
    if (!member.combiner) {
      SmallVector<Value> arguments;
      for (OpOperand &operand : member.op->getOpOperands())
        arguments.push_back(getRowArgument(index, operand));
      rowResults[index] =
          cloneBodyOf(kernel, member.op, arguments, getIndices(index, 0));
      continue;
    }
    rowResults[index] = {
        finish(index, reduceThreads(index, reduceColumns(vector, index)))};
  }
  storeRows();
  SmallVector<Value> none;
  if (storesTiles())
    forEachTile(
        vector, {},
        [&](Tile &part, ValueRange) {
          storeTile(part);
          return SmallVector<Value>();
        },
        none);
  held = nullptr;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// True if the slot's elements are in the row for all threads.
bool RowBuilder::isAlwaysInside(const Tile &tile, int64_t slot) {
  return held == &tile && !isOwnRow && staticColumns &&
         (slot + 1) * shape.threads * tile.vector <= *staticColumns;
}

Value RowBuilder::getPosition(const Tile &tile, int64_t slot) {
  return add(tile.first, slot * shape.threads);
}

/// Calls `body` with each tile of the row and the results of the one before.
void RowBuilder::forEachTile(
    int64_t vector, ValueRange accumulators,
    llvm::function_ref<SmallVector<Value>(Tile &, ValueRange)> body,
    SmallVectorImpl<Value> &results) {
  Value chunks = divide(columns, vector);
  Value limit = isOwnRow ? select(isOwnRow, chunks, constant(0)) : chunks;
  auto guard = [&](Tile &tile) {
    for (int64_t slot = tile.inside.size(); slot < tile.slots; ++slot)
      tile.inside.push_back(isAlwaysInside(tile, slot)
                                ? Value()
                                : less(getPosition(tile, slot), limit));
  };
  if (held) {
    guard(*held);
    results = body(*held, accumulators);
    return;
  }
  int64_t slots = std::max<int64_t>(
      std::min(kElementsInFlight, shape.slots * shape.vector) / vector, 1);
  auto loop = scf::ForOp::create(builder, loc, lane, limit,
                                 constant(slots * shape.threads), accumulators);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Tile tile(vector, slots, loop.getInductionVar());
  guard(tile);
  // The loop ends where the first slot does.
  tile.inside[0] = Value();
  SmallVector<Value> yielded = body(tile, loop.getRegionIterArgs());
  if (!accumulators.empty())
    scf::YieldOp::create(builder, loc, yielded);
  results.assign(loop.result_begin(), loop.result_end());
}

/// The current point as a point of the member.
SmallVector<Value> RowBuilder::getLoops(unsigned member) {
  SmallVector<Value> loops;
  for (std::optional<unsigned> loop : chain.members[member].loops)
    loops.push_back(loop ? point[*loop] : constant(0));
  return loops;
}

/// What the member's body sees of the current point, `element` columns on: each
/// loop by itself, although groups of them are walked as one.
SmallVector<Value> RowBuilder::getIndices(unsigned member, int64_t element) {
  if (!chain.members[member].op.hasIndexSemantics())
    return getLoops(member);
  SmallVector<Value> indices(point);
  auto split = [&](ArrayRef<unsigned> group, Value position) {
    SmallVector<Value> sizes;
    for (unsigned loop : group)
      sizes.push_back(kernel.getLoopSize(loop));
    for (auto [loop, index] :
         llvm::zip_equal(group, kernel.delinearize(position, sizes)))
      indices[loop] = index;
  };
  for (ArrayRef<unsigned> group : chain.rows)
    split(group, point[group.back()]);
  split(chain.columns, add(point[chain.columns.back()], element));
  SmallVector<Value> loops;
  for (std::optional<unsigned> loop : chain.members[member].loops)
    loops.push_back(loop ? indices[*loop] : constant(0));
  return loops;
}

void RowBuilder::moveTo(const Tile &tile, int64_t slot) {
  point[chain.columns.back()] = multiply(getPosition(tile, slot), tile.vector);
}

SmallVector<Value>
RowBuilder::valuesIf(Value condition, int64_t count, Type type,
                     llvm::function_ref<SmallVector<Value>()> build) {
  if (!condition)
    return build();
  SmallVector<Type> types(count, type);
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, build());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc,
                       SmallVector<Value>(count, createZero(kernel, type)));
  return branch.getResults();
}

/// The elements of a slot.
ArrayRef<Value> RowBuilder::load(Tile &tile, unsigned index, int64_t slot) {
  auto [it, isNew] = tile.loaded.try_emplace({index, slot});
  if (!isNew)
    return it->second;
  const RowLoad &load = chain.loads[index];
  Type type = getElementTypeOrSelf(load.operand->get().getType());
  moveTo(tile, slot);
  SmallVector<Value> loops = getLoops(load.member);
  it->second = valuesIf(tile.inside[slot], tile.vector, type, [&] {
    if (tile.vector == 1)
      return SmallVector<Value>{loadOperand(kernel, *load.operand, loops)};
    return loadElements(kernel, *load.operand, loops, tile.vector);
  });
  return it->second;
}

/// Starts all loads that a member needs, so that they are under way together.
/// What all rows share is near, and would only take registers.
void RowBuilder::loadAll(Tile &tile, unsigned member) {
  SmallVector<unsigned> work = {member};
  llvm::SmallDenseSet<unsigned> seen;
  while (!work.empty()) {
    unsigned next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (const RowSource &source : chain.members[next].sources) {
      if (source.kind == RowSource::Loaded &&
          chain.loads[source.index].isFull &&
          chain.loads[source.index].movesAlongRows)
        for (int64_t slot = 0; slot < tile.slots; ++slot)
          (void)load(tile, source.index, slot);
      if (source.kind == RowSource::Computed &&
          !chain.members[source.index].hasRowResult())
        work.push_back(source.index);
    }
  }
}

/// The results of an elementwise member for the elements of a slot.
ArrayRef<SmallVector<Value>> RowBuilder::compute(Tile &tile, unsigned member,
                                                 int64_t slot) {
  auto found = tile.computed.find({member, slot});
  if (found != tile.computed.end())
    return found->second;
  RowMember &own = chain.members[member];
  SmallVector<SmallVector<Value>> results(own.op.getNumDpsInits());
  for (int64_t element = 0; element < tile.vector; ++element) {
    SmallVector<Value> arguments = getArguments(tile, member, slot, element);
    moveTo(tile, slot);
    for (auto [values, value] :
         llvm::zip_equal(results, cloneBodyOf(kernel, own.op, arguments,
                                              getIndices(member, element))))
      values.push_back(value);
  }
  return tile.computed[{member, slot}] = std::move(results);
}

SmallVector<Value> RowBuilder::getArguments(Tile &tile, unsigned member,
                                            int64_t slot, int64_t element) {
  RowMember &own = chain.members[member];
  SmallVector<Value> arguments;
  for (auto [source, operand] :
       llvm::zip_equal(own.sources, own.op->getOpOperands())) {
    if (source.kind == RowSource::Loaded && chain.loads[source.index].isFull)
      arguments.push_back(load(tile, source.index, slot)[element]);
    else if (source.kind == RowSource::Computed &&
             !chain.members[source.index].hasRowResult())
      arguments.push_back(
          compute(tile, source.index, slot)[source.result][element]);
    else
      arguments.push_back(getRowArgument(member, operand));
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Loads what all columns share.
void RowBuilder::loadRows() {
  for (auto [index, load] : llvm::enumerate(chain.loads))
    if (!load.isFull)
      rowLoads[index] =
          loadOperand(kernel, *load.operand, getLoops(load.member));
}

/// An operand that is the same in all columns.
Value RowBuilder::getRowArgument(unsigned member, OpOperand &operand) {
  const RowSource &source =
      chain.members[member].sources[operand.getOperandNumber()];
  switch (source.kind) {
  case RowSource::Scalar:
    return loadOperand(kernel, operand, {});
  case RowSource::Loaded:
    return rowLoads.lookup(source.index);
  case RowSource::Computed:
    return rowResults.lookup(source.index)[source.result];
  case RowSource::Unused:
    return createZero(kernel, getBodyType(operand));
  }
  llvm_unreachable("all kinds are listed");
}

/// Adds the elements of a tile to the thread's sums.
SmallVector<Value> RowBuilder::reduceTile(Tile &tile, unsigned member,
                                          ValueRange accumulators) {
  loadAll(tile, member);
  RowMember &own = chain.members[member];
  SmallVector<Value> sums(accumulators);
  unsigned init = own.op.getDpsInitOperand(0)->getOperandNumber();
  for (int64_t slot = 0; slot < tile.slots; ++slot)
    for (int64_t element = 0; element < tile.vector; ++element) {
      Value &sum = sums[(slot * tile.vector + element) % kAccumulators];
      SmallVector<Value> arguments = getArguments(tile, member, slot, element);
      arguments[init] = sum;
      moveTo(tile, slot);
      Value next =
          cloneBodyOf(kernel, own.op, arguments, getIndices(member, element))
              .front();
      sum = tile.inside[slot] ? select(tile.inside[slot], next, sum) : next;
    }
  return sums;
}

/// The reduction of a thread's elements of the row. Each tile of a long sum is
/// a block.
Value RowBuilder::reduceColumns(int64_t vector, unsigned member) {
  RowMember &own = chain.members[member];
  SmallVector<Value> sums;
  SmallVector<Value> empty(
      kAccumulators,
      arith::ConstantOp::create(builder, loc, own.neutral).getResult());
  LongSums longSums(builder, loc, {!held && isFloatSum(own.op, 0)});
  forEachTile(
      vector, longSums.widen(empty.front()),
      [&](Tile &tile, ValueRange old) {
        auto add = [&](ArrayRef<Value> block) -> SmallVector<Value> {
          SmallVector<Value> parts = reduceTile(tile, member, empty);
          for (size_t distance = parts.size() / 2; distance > 0; distance /= 2)
            for (size_t i = 0; i < distance; ++i)
              parts[i] = combineValues(builder, own.combiner, parts[i],
                                       parts[i + distance]);
          return {combineValues(builder, own.combiner, block[0], parts[0])};
        };
        return longSums.addBlock(SmallVector<Value>(old), add);
      },
      sums);
  return longSums.narrow(sums).front();
}

/// The reduction of the row by all of its threads, of which each gets it.
Value RowBuilder::reduceThreads(unsigned member, Value sum) {
  Operation *combiner = chain.members[member].combiner;
  Value part = reduceLanes(builder, loc, combiner, sum,
                           std::min(shape.threads, kWarpSize));
  return shape.threads > kWarpSize ? exchange(member, part) : part;
}

/// Combines the row's total with what its result is filled with: the result.
Value RowBuilder::finish(unsigned member, Value total) {
  RowMember &own = chain.members[member];
  Value filler = fillers.lookup(member);
  Type stored = filler.getType();
  if (isa<FloatType>(stored))
    filler = convertFloat(builder, loc, filler, total.getType());
  Value result = combineValues(builder, own.combiner, filler, total);
  return isa<FloatType>(stored) ? convertFloat(builder, loc, result, stored)
                                : result;
}

/// Combines the warps' parts of each row.
Value RowBuilder::exchange(unsigned member, Value part) {
  int64_t warps = shape.threads / kWarpSize;
  Value memory = parts.lookup(member);
  onlyIf(equal(rest(thread, kWarpSize), constant(0)), [&] {
    memref::StoreOp::create(builder, loc, part, memory,
                            ValueRange{divide(thread, kWarpSize)});
  });
  gpu::BarrierOp::create(builder, loc);
  Value first = multiply(divide(thread, shape.threads), warps);
  Value place = add(first, rest(thread, warps));
  Value other = memref::LoadOp::create(builder, loc, memory, ValueRange{place});
  return reduceLanes(builder, loc, chain.members[member].combiner, other,
                     warps);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void RowBuilder::storeRows() {
  Value stores = equal(lane, constant(0));
  if (isOwnRow)
    stores = both(stores, isOwnRow);
  for (auto [index, member] : llvm::enumerate(chain.members)) {
    if (!member.hasRowResult() || !llvm::is_contained(member.isStored, true))
      continue;
    unsigned number = index;
    onlyIf(stores, [&] {
      RowMember &own = chain.members[number];
      for (auto [result, isStored] : llvm::enumerate(own.isStored))
        if (isStored)
          storeOperand(kernel, *own.op.getDpsInitOperand(result),
                       getLoops(number), rowResults[number][result]);
    });
  }
}

bool RowBuilder::storesTiles() {
  return llvm::any_of(chain.members, [](const RowMember &member) {
    return !member.hasRowResult() && llvm::is_contained(member.isStored, true);
  });
}

void RowBuilder::storeTile(Tile &tile) {
  SmallVector<unsigned> storing;
  for (auto [index, member] : llvm::enumerate(chain.members))
    if (!member.hasRowResult() && llvm::is_contained(member.isStored, true))
      storing.push_back(index);
  for (unsigned member : storing)
    loadAll(tile, member);
  for (int64_t slot = 0; slot < tile.slots; ++slot) {
    // All are computed before one is stored, which may be where another reads.
    for (unsigned member : storing)
      (void)compute(tile, member, slot);
    auto storeAll = [&] {
      moveTo(tile, slot);
      for (unsigned member : storing)
        for (auto [result, isStored] :
             llvm::enumerate(chain.members[member].isStored)) {
          if (!isStored)
            continue;
          OpOperand &init = *chain.members[member].op.getDpsInitOperand(result);
          ArrayRef<Value> values = compute(tile, member, slot)[result];
          if (tile.vector == 1)
            storeOperand(kernel, init, getLoops(member), values[0]);
          else
            storeElements(kernel, init, getLoops(member), values);
        }
    };
    if (tile.inside[slot])
      onlyIf(tile.inside[slot], storeAll);
    else
      storeAll();
  }
}

void mlir::hetero::buildRowKernel(KernelBuilder &kernel, RowChain &chain) {
  RowBuilder(kernel, chain).build();
}
