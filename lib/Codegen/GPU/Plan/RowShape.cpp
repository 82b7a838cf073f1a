//===- RowShape.cpp - How threads share rows ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row stays in the registers of as few threads as hold it, so that lanes
// exchange few values; several threads have more elements each only where there
// are rows enough to keep a device busy.
//
//===----------------------------------------------------------------------===//

#include "RowShape.h"

#include "KernelLimits.h"
#include "LoopSteps.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

using namespace mlir;
using namespace mlir::hetero;

/// Registers of 32 bits for the elements of a thread.
static constexpr int64_t kHeldWords = 32;

/// Of the widest operand, which bounds the registers.
static constexpr int64_t kMostBytesPerChunk = 64;

static constexpr int64_t kUsualThreads = 128;

/// So many threads keep a device busy.
static constexpr int64_t kManyThreads = 131072;

int64_t mlir::hetero::getStoredBytes(Type type) {
  return getElementBytes(getElementTypeOrSelf(type));
}

SmallVector<std::pair<unsigned, OpOperand *>>
mlir::hetero::listFullAccesses(RowChain &chain) {
  SmallVector<std::pair<unsigned, OpOperand *>> accesses;
  for (const RowLoad &load : chain.loads)
    if (load.isFull)
      accesses.emplace_back(load.member, load.operand);
  for (auto [index, member] : llvm::enumerate(chain.members))
    for (auto [result, isStored] : llvm::enumerate(member.isStored))
      if (isStored && !member.hasRowResult())
        accesses.emplace_back(index, member.op.getDpsInitOperand(result));
  return accesses;
}

/// True if rows of the operand certainly do not start at multiples of `bytes`.
static bool isMisaligned(RowMember &member, OpOperand &operand, int64_t bytes,
                         ArrayRef<unsigned> columns) {
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return true;
  AffineMap map = member.op.getMatchingIndexingMap(&operand);
  for (auto [result, stride, size] :
       llvm::zip_equal(map.getResults(), strides, type.getShape())) {
    bool isColumn = llvm::any_of(
        llvm::enumerate(member.loops), [&, result = result](auto loop) {
          return loop.value() && llvm::is_contained(columns, *loop.value()) &&
                 result.isFunctionOfDim(loop.index());
        });
    if (!isColumn && size != 1 && !ShapedType::isDynamic(stride) &&
        stride * getStoredBytes(type) % bytes != 0)
      return true;
  }
  return false;
}

/// Elements per access: 16 bytes of the narrowest operand, or as many as rows
/// are multiples of.
static int64_t chooseVector(RowChain &chain, std::optional<int64_t> columns) {
  int64_t narrowest = 8, widest = 1;
  auto accesses = listFullAccesses(chain);
  // Sums of what is computed from indices access nothing.
  if (accesses.empty())
    return 1;
  for (auto [member, operand] : accesses) {
    narrowest = std::min(narrowest, getStoredBytes(operand->get().getType()));
    widest = std::max(widest, getStoredBytes(operand->get().getType()));
  }
  int64_t vector =
      std::min(kVectorBytes / narrowest, kMostBytesPerChunk / widest);
  auto fits = [&](int64_t length) {
    return (!columns || *columns % length == 0) &&
           llvm::none_of(accesses, [&](auto access) {
             int64_t bytes = getStoredBytes(access.second->get().getType());
             return isMisaligned(chain.members[access.first], *access.second,
                                 std::min(kVectorBytes, length * bytes),
                                 chain.columns);
           });
  };
  while (vector > 1 && !fits(vector))
    vector /= 2;
  return vector;
}

namespace {
/// When values of one column are in registers, by the number of the member.
class LiveWords {
public:
  explicit LiveWords(RowChain &chain);
  int64_t findMost(int64_t end) const;

private:
  struct Range {
    int64_t words, first, last;
  };
  void use(const RowSource &source, Type type, int64_t first, int64_t last) {
    auto it = ranges.try_emplace(
        {source.kind, source.index, source.result},
        Range{int64_t(llvm::divideCeil(getStoredBytes(type), 4)), first, last});
    it.first->second.last = last;
  }

  llvm::MapVector<std::tuple<int, unsigned, unsigned>, Range> ranges;
};
} // namespace

LiveWords::LiveWords(RowChain &chain) {
  int64_t end = chain.members.size();
  for (auto [index, member] : llvm::enumerate(chain.members)) {
    int64_t time = index;
    for (auto [source, value] :
         llvm::zip_equal(member.sources, member.op->getOperands())) {
      // What is the same in all rows is not waited for by itself.
      bool isLoaded = source.kind == RowSource::Loaded &&
                      chain.loads[source.index].isFull &&
                      chain.loads[source.index].movesAlongRows;
      if (isLoaded || (source.kind == RowSource::Computed &&
                       !chain.members[source.index].hasRowResult()))
        use(source, value.getType(), time, time);
    }
    for (auto [result, init] : llvm::enumerate(member.op.getDpsInits()))
      if (!member.hasRowResult())
        use({RowSource::Computed, unsigned(index), unsigned(result)},
            init.getType(), time + 1, member.isStored[result] ? end : time);
  }
}

int64_t LiveWords::findMost(int64_t end) const {
  int64_t most = 1;
  for (int64_t time = 0; time <= end; ++time) {
    int64_t words = 0;
    for (const auto &[key, range] : ranges)
      words += range.first <= time && time <= range.last ? range.words : 0;
    most = std::max(most, words);
  }
  return most;
}

RowShape mlir::hetero::chooseRowShape(RowChain &chain) {
  RowShape shape;
  SmallVector<unsigned> rowLoops;
  for (ArrayRef<unsigned> group : chain.rows)
    llvm::append_range(rowLoops, group);
  linalg::LinalgOp anchor = chain.members[chain.anchor].op;
  std::optional<int64_t> rows = countStatically(anchor, rowLoops);
  std::optional<int64_t> columns = countStatically(anchor, chain.columns);
  shape.vector = chooseVector(chain, columns);
  int64_t words = LiveWords(chain).findMost(chain.members.size());
  int64_t most =
      llvm::bit_floor<uint64_t>(std::max<int64_t>(kHeldWords / words, 1));
  shape.vector = std::min(shape.vector, most);
  shape.slots = most / shape.vector;
  shape.threads = columns ? 1 : kUsualThreads;
  auto countChunks = [&]() -> int64_t {
    return llvm::divideCeil(*columns, shape.vector);
  };
  auto getSlots = [&]() -> int64_t {
    return llvm::divideCeil(countChunks(), shape.threads);
  };
  // Half of them leave registers to compute with, and room for more warps.
  int64_t usualSlots = std::max<int64_t>(shape.slots / 2, 1);
  while (columns && getSlots() > usualSlots &&
         shape.threads < kMostBlockThreads)
    shape.threads *= 2;
  while (columns && rows && *rows * shape.threads < kManyThreads &&
         getSlots() > 1 && shape.threads < kMostBlockThreads)
    shape.threads *= 2;
  shape.isHeld = !columns || getSlots() <= shape.slots;
  if (columns && shape.isHeld)
    shape.slots = std::max<int64_t>(getSlots(), 1);
  shape.rowsPerBlock = std::max<int64_t>(kUsualThreads / shape.threads, 1);
  while (rows && shape.rowsPerBlock * shape.threads > kWarpSize &&
         shape.rowsPerBlock > 1 && *rows * shape.threads < kManyThreads)
    shape.rowsPerBlock /= 2;
  return shape;
}
