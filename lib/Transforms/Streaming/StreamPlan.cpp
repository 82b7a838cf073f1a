//===- StreamPlan.cpp - Which constants to keep and which to stream -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader of streamed constants takes slots that the reader before does not
// use, so that its copies need not wait for that one:
//
//   reader   0   1   2   3   4
//   slot 0   a       c       e         // c is copied while 1 reads b
//   slot 1       b       d
//
// What is best to keep depends on what the slots leave, and their sizes on what
// is kept. So each size of a constant is tried for the largest slot: what is
// larger stays, and a knapsack of what the slots leave then holds those of the
// others whose copies take the longest. Of constants that are alike those are
// kept that have the others evenly between them, since kernels that read what
// is there give the copies time.
//
//===----------------------------------------------------------------------===//

#include "StreamPlan.h"

#include "hetero/Support/Solvers/Knapsack.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// Sizes of slots that are tried at most, and knapsacks for each.
static constexpr size_t kMostSizes = 32;
static constexpr unsigned kMostRounds = 4;

static int64_t sum(ArrayRef<int64_t> numbers) {
  int64_t total = 0;
  for (int64_t number : numbers)
    total = addTimes(total, number);
  return total;
}

int64_t FunctionSlots::getBytes() const { return sum(sizes); }

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

namespace {
/// Gives the readers of one function their slots.
class SlotFinder {
public:
  SlotFinder(const ConstantUses &uses, ArrayRef<bool> isStreamed,
             Buffering buffering)
      : uses(uses), isStreamed(isStreamed), buffering(buffering) {}

  FunctionSlots run(const FunctionReaders &function);

private:
  static constexpr unsigned kEmpty = ~0u;
  struct Slot {
    unsigned constant = kEmpty;
    int64_t bytes = 0;
    /// The number of the last reader that uses it, from 1 on.
    unsigned lastUse = 0;
  };

  SmallVector<unsigned, 2> getStreamed(const ConstantReader &reader) const;
  unsigned choose(unsigned reader, int64_t bytes) const;

  const ConstantUses &uses;
  ArrayRef<bool> isStreamed;
  Buffering buffering;
  SmallVector<Slot> slots;
};
} // namespace

/// Those that need slots, the largest first.
SmallVector<unsigned, 2>
SlotFinder::getStreamed(const ConstantReader &reader) const {
  SmallVector<unsigned, 2> streamed;
  if (!isa<memref::CopyOp>(reader.op))
    llvm::copy_if(reader.constants, std::back_inserter(streamed),
                  [&](unsigned number) { return isStreamed[number]; });
  llvm::stable_sort(streamed, [&](unsigned a, unsigned b) {
    return uses.constants[a].bytes > uses.constants[b].bytes;
  });
  return streamed;
}

/// A slot that this reader does not use, nor the one before if there are
/// others; then the one that grows the least, and that is longest out of use.
unsigned SlotFinder::choose(unsigned reader, int64_t bytes) const {
  auto getRank = [&](unsigned index) {
    const Slot &slot = slots[index];
    bool isBusy = slot.lastUse != 0 && slot.lastUse + 1 >= reader;
    return std::tuple(slot.lastUse == reader, isBusy,
                      std::max<int64_t>(bytes - slot.bytes, 0), slot.lastUse);
  };
  unsigned best = 0;
  for (unsigned index = 1; index < slots.size(); ++index)
    if (getRank(index) < getRank(best))
      best = index;
  return best;
}

FunctionSlots SlotFinder::run(const FunctionReaders &function) {
  FunctionSlots result{function.function, {}, {}};
  size_t most = 0;
  for (const ConstantReader &reader : function.readers)
    most = std::max(most, getStreamed(reader).size());
  slots.assign(most * unsigned(buffering), Slot());
  Block *block = nullptr;
  unsigned count = 0;
  for (const ConstantReader &reader : function.readers) {
    SmallVector<unsigned, 2> streamed = getStreamed(reader);
    if (streamed.empty())
      continue;
    ++count;
    // Another block may have run any number of times.
    if (reader.op->getBlock() != block)
      for (Slot &slot : slots)
        slot.constant = kEmpty;
    block = reader.op->getBlock();
    auto use = [&](unsigned index, unsigned number, bool isCopied) {
      slots[index].lastUse = count;
      result.reads.push_back({reader.op, number, index, isCopied});
    };
    SmallVector<unsigned, 2> missing;
    for (unsigned number : streamed) {
      auto *slot = llvm::find_if(
          slots, [&](const Slot &slot) { return slot.constant == number; });
      if (slot == slots.end())
        missing.push_back(number);
      else
        use(slot - slots.begin(), number, /*isCopied=*/false);
    }
    for (unsigned number : missing) {
      int64_t bytes = uses.constants[number].bytes;
      unsigned index = choose(count, bytes);
      slots[index].constant = number;
      slots[index].bytes = std::max(slots[index].bytes, bytes);
      use(index, number, /*isCopied=*/true);
    }
  }
  for (const Slot &slot : slots)
    if (slot.bytes != 0)
      result.sizes.push_back(slot.bytes);
    else
      assert(llvm::none_of(result.reads, [&](const StreamedRead &read) {
        return read.slot >= result.sizes.size();
      }));
  return result;
}

std::pair<Operation *, int64_t>
mlir::hetero::findLargestReader(const ConstantUses &uses) {
  std::pair<Operation *, int64_t> largest(nullptr, 0);
  for (const FunctionReaders &function : uses.functions)
    for (const ConstantReader &reader : function.readers) {
      int64_t bytes = 0;
      for (unsigned number : reader.constants)
        if (uses.constants[number].mayStream && !isa<memref::CopyOp>(reader.op))
          bytes = addTimes(bytes, uses.constants[number].bytes);
      if (bytes > largest.second)
        largest = {reader.op, bytes};
    }
  return largest;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {
class StreamPlanner {
public:
  StreamPlanner(const ConstantUses &uses, const FunctionNeeds &needs,
                int64_t capacity, Buffering buffering)
      : uses(uses), needs(needs), capacity(capacity), buffering(buffering) {}

  std::optional<StreamPlan> run();
  StreamPlan lookAt(SmallVector<bool, 0> isStreamed) const;

private:
  SmallVector<int64_t> getSizes() const;
  SmallVector<bool, 0> fill(ArrayRef<bool> candidates, int64_t room) const;
  void offer(StreamPlan plan);
  void tryLargest(int64_t largest);
  SmallVector<bool, 0> spread(ArrayRef<bool> isStreamed) const;

  const ConstantUses &uses;
  const FunctionNeeds &needs;
  int64_t capacity;
  Buffering buffering;
  std::optional<StreamPlan> best;
};
} // namespace

/// What becomes of a choice.
StreamPlan StreamPlanner::lookAt(SmallVector<bool, 0> isStreamed) const {
  StreamPlan plan;
  plan.buffering = buffering;
  SlotFinder finder(uses, isStreamed, buffering);
  SmallVector<int64_t> slots;
  for (const FunctionReaders &function : uses.functions) {
    plan.functions.push_back(finder.run(function));
    slots.push_back(plan.functions.back().getBytes());
  }
  for (auto [constant, streams] : llvm::zip(uses.constants, isStreamed)) {
    if (streams)
      plan.copyTime = addTimes(plan.copyTime, constant.copyTime);
    else
      plan.keptBytes = addTimes(plan.keptBytes, constant.bytes);
  }
  plan.neededBytes = addTimes(plan.keptBytes, needs.getPeak(slots));
  plan.isStreamed = std::move(isStreamed);
  return plan;
}

/// Sizes of the constants that may be streamed, the largest first.
SmallVector<int64_t> StreamPlanner::getSizes() const {
  SmallVector<int64_t> sizes;
  for (const ConstantOnDevice &constant : uses.constants)
    if (constant.mayStream)
      sizes.push_back(constant.bytes);
  llvm::sort(sizes, std::greater<>());
  sizes.erase(llvm::unique(sizes), sizes.end());
  if (sizes.size() <= kMostSizes)
    return sizes;
  SmallVector<int64_t> some;
  for (size_t i = 0; i < kMostSizes; ++i)
    some.push_back(sizes[i * (sizes.size() - 1) / (kMostSizes - 1)]);
  return some;
}

/// Which of the candidates are streamed if so many bytes of them may stay.
SmallVector<bool, 0> StreamPlanner::fill(ArrayRef<bool> candidates,
                                         int64_t room) const {
  SmallVector<KnapsackItem, 0> items;
  for (auto [constant, isCandidate] : llvm::zip(uses.constants, candidates))
    items.push_back({constant.bytes, isCandidate ? constant.copyTime : 0});
  SmallVector<bool, 0> isStreamed = chooseItems(items, room).taken;
  for (auto [streams, isCandidate] : llvm::zip(isStreamed, candidates))
    streams = isCandidate && !streams;
  return isStreamed;
}

void StreamPlanner::offer(StreamPlan plan) {
  auto getRank = [](const StreamPlan &plan) {
    return std::pair(plan.copyTime, plan.neededBytes);
  };
  if (plan.neededBytes <= capacity && (!best || getRank(plan) < getRank(*best)))
    best = std::move(plan);
}

/// Streams no constant that is larger.
void StreamPlanner::tryLargest(int64_t largest) {
  SmallVector<bool, 0> candidates;
  for (const ConstantOnDevice &constant : uses.constants)
    candidates.push_back(constant.mayStream && constant.bytes <= largest);
  StreamPlan plan = lookAt(candidates);
  int64_t room = capacity - plan.neededBytes;
  offer(std::move(plan));
  // Fewer constants may need smaller slots, or other ones.
  for (unsigned round = 0; round < kMostRounds && room > 0; ++round) {
    plan = lookAt(fill(candidates, room));
    int64_t left = capacity - plan.neededBytes;
    offer(std::move(plan));
    if (left == 0)
      return;
    room += left;
  }
}

/// The same choice but for constants that are alike: as many of them, with the
/// others evenly between.
SmallVector<bool, 0> StreamPlanner::spread(ArrayRef<bool> isStreamed) const {
  // In the order in which they are read.
  llvm::SmallSetVector<unsigned, 16> order;
  for (const FunctionReaders &function : uses.functions)
    for (const ConstantReader &reader : function.readers)
      order.insert(reader.constants.begin(), reader.constants.end());
  llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<unsigned>> alike;
  for (unsigned number : order) {
    const ConstantOnDevice &constant = uses.constants[number];
    if (constant.mayStream)
      alike[{constant.bytes, constant.copyTime}].push_back(number);
  }
  SmallVector<bool, 0> result(isStreamed);
  for (auto &[key, numbers] : alike) {
    size_t count = llvm::count_if(
        numbers, [&](unsigned number) { return isStreamed[number]; });
    for (auto [index, number] : llvm::enumerate(numbers))
      result[number] = (index + 1) * count / numbers.size() !=
                       index * count / numbers.size();
  }
  return result;
}

std::optional<StreamPlan> StreamPlanner::run() {
  for (int64_t size : getSizes())
    tryLargest(size);
  if (!best)
    return std::nullopt;
  StreamPlan even = lookAt(spread(best->isStreamed));
  if (even.neededBytes <= capacity && even.copyTime <= best->copyTime)
    return even;
  return best;
}

std::optional<StreamPlan> mlir::hetero::planStreams(const ConstantUses &uses,
                                                    const FunctionNeeds &needs,
                                                    int64_t capacity) {
  for (Buffering buffering : {Buffering::Double, Buffering::Single})
    if (std::optional<StreamPlan> plan =
            StreamPlanner(uses, needs, capacity, buffering).run())
      return plan;
  return std::nullopt;
}

int64_t mlir::hetero::getLeastBytes(const ConstantUses &uses,
                                    const FunctionNeeds &needs) {
  SmallVector<bool, 0> all;
  for (const ConstantOnDevice &constant : uses.constants)
    all.push_back(constant.mayStream);
  return StreamPlanner(uses, needs, /*capacity=*/0, Buffering::Single)
      .lookAt(std::move(all))
      .neededBytes;
}
