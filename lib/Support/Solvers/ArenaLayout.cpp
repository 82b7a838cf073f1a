//===- ArenaLayout.cpp - Offsets of buffers in one arena ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy placement by size, and by the product of size and lifetime, follow
// Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
// Inference", 2020; the improvement is a local search over the order.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/ArenaLayout.h"
#include "hetero/Support/Assert.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>
#include <set>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// More buffers than these are placed only in the order of their lives.
static constexpr size_t kMaxForSearch = 2000;
/// Orders that the local search tries from each start, and pairs of buffers
/// that it may compare for that.
static constexpr int64_t kMaxRounds = 200, kMaxWork = 20'000'000;

static int64_t addSaturating(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

static int64_t roundUp(int64_t bytes, int64_t alignment) {
  int64_t padded = addSaturating(bytes, alignment - 1);
  return padded == INT64_MAX ? padded : padded / alignment * alignment;
}

bool mlir::hetero::liveAtOnce(const BufferLifetime &a,
                              const BufferLifetime &b) {
  const auto &[first, second] =
      b.begin < a.begin ? std::tie(b, a) : std::tie(a, b);
  return first.begin < second.end && second.begin < first.getEnd(second.stream);
}

LivePeak mlir::hetero::findLivePeak(ArrayRef<BufferLifetime> buffers,
                                    int64_t alignment) {
  // What dies at a step makes room for what is born there.
  SmallVector<std::tuple<int64_t, bool, int64_t>, 0> events;
  for (const BufferLifetime &buffer : buffers) {
    int64_t bytes = roundUp(buffer.bytes, alignment);
    events.push_back({buffer.begin, true, bytes});
    events.push_back({buffer.end, false, bytes});
  }
  llvm::sort(events);
  LivePeak peak;
  // Wide enough for as many sizes as there are.
  unsigned __int128 live = 0;
  for (auto [step, isBirth, bytes] : events) {
    live = isBirth ? live + bytes : live - bytes;
    int64_t now = live > INT64_MAX ? INT64_MAX : static_cast<int64_t>(live);
    if (now > peak.bytes)
      peak = {now, step};
  }
  return peak;
}

namespace {
/// Lays out one set of buffers.
class LayoutSearch {
public:
  LayoutSearch(ArrayRef<BufferLifetime> buffers, int64_t alignment);

  ArenaLayout run();

private:
  using Order = SmallVector<unsigned, 0>;

  bool overlap(unsigned a, unsigned b) const {
    return liveAtOnce(buffers[a], buffers[b]);
  }
  template <typename Key> Order orderBy(Key key) const;
  ArenaLayout placeByLife() const;
  int64_t findBestFit(unsigned buffer, ArrayRef<unsigned> placed,
                      ArrayRef<int64_t> offsets) const;
  ArenaLayout place(ArrayRef<unsigned> order) const;
  Order raise(const Order &order, const ArenaLayout &layout) const;
  void keepBetter(ArenaLayout layout);

  SmallVector<BufferLifetime, 0> buffers;
  int64_t least;
  ArenaLayout best;
};
} // namespace

LayoutSearch::LayoutSearch(ArrayRef<BufferLifetime> given, int64_t alignment)
    : buffers(given), least(findLivePeak(given, alignment).bytes) {
  for (BufferLifetime &buffer : buffers)
    buffer.bytes = roundUp(buffer.bytes, alignment);
}

/// Buffers by descending key, by number where it is equal.
template <typename Key>
LayoutSearch::Order LayoutSearch::orderBy(Key key) const {
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order,
                    [&](unsigned a, unsigned b) { return key(a) > key(b); });
  return order;
}

/// As an allocator would that splits and joins free blocks: each buffer, when
/// it is born, gets the smallest free block that it fits in, or grows the end.
ArenaLayout LayoutSearch::placeByLife() const {
  ArenaLayout layout;
  layout.offsets.assign(buffers.size(), 0);
  SmallVector<std::tuple<int64_t, bool, unsigned>, 0> events;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    if (buffer.bytes == 0 || buffer.begin >= buffer.end)
      continue;
    events.push_back({buffer.begin, true, index});
    events.push_back({buffer.getLastEnd(), false, index});
  }
  llvm::sort(events);
  std::map<int64_t, int64_t> blocks; // Free ones: offset to size.
  std::set<std::pair<int64_t, int64_t>> bySize;
  auto add = [&](int64_t offset, int64_t bytes) {
    blocks[offset] = bytes;
    bySize.insert({bytes, offset});
  };
  auto remove = [&](std::map<int64_t, int64_t>::iterator it) {
    bySize.erase({it->second, it->first});
    return blocks.erase(it);
  };
  auto release = [&](int64_t offset, int64_t bytes) {
    auto next = blocks.lower_bound(offset);
    if (next != blocks.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = remove(next);
    }
    if (next != blocks.begin() &&
        std::prev(next)->first + std::prev(next)->second == offset) {
      offset = std::prev(next)->first;
      bytes += std::prev(next)->second;
      remove(std::prev(next));
    }
    add(offset, bytes);
  };
  for (auto [step, isBirth, index] : events) {
    int64_t bytes = buffers[index].bytes;
    if (!isBirth) {
      release(layout.offsets[index], bytes);
      continue;
    }
    if (auto fit = bySize.lower_bound({bytes, 0}); fit != bySize.end()) {
      auto [size, offset] = *fit;
      remove(blocks.find(offset));
      layout.offsets[index] = offset;
      if (size > bytes)
        add(offset + bytes, size - bytes);
      continue;
    }
    // A free block at the end grows.
    int64_t offset = layout.bytes;
    if (!blocks.empty() &&
        std::prev(blocks.end())->first + std::prev(blocks.end())->second ==
            layout.bytes) {
      offset = std::prev(blocks.end())->first;
      remove(std::prev(blocks.end()));
    }
    layout.offsets[index] = offset;
    layout.bytes = offset + bytes;
  }
  return layout;
}

/// The smallest gap that is large enough among those that are alive with the
/// buffer, or the end of the last of them.
int64_t LayoutSearch::findBestFit(unsigned buffer, ArrayRef<unsigned> placed,
                                  ArrayRef<int64_t> offsets) const {
  int64_t bytes = buffers[buffer].bytes, end = 0;
  int64_t bestOffset = -1, bestGap = INT64_MAX;
  for (unsigned other : placed) { // By offset.
    if (!overlap(buffer, other))
      continue;
    int64_t gap = offsets[other] - end;
    if (gap >= bytes && gap < bestGap) {
      bestGap = gap;
      bestOffset = end;
    }
    end = std::max(end, offsets[other] + buffers[other].bytes);
  }
  return bestOffset < 0 ? end : bestOffset;
}

ArenaLayout LayoutSearch::place(ArrayRef<unsigned> order) const {
  ArenaLayout layout;
  layout.offsets.assign(buffers.size(), 0);
  SmallVector<unsigned, 0> placed;
  for (unsigned buffer : order) {
    if (buffers[buffer].bytes == 0)
      continue;
    int64_t offset = findBestFit(buffer, placed, layout.offsets);
    layout.offsets[buffer] = offset;
    layout.bytes = std::max(layout.bytes, offset + buffers[buffer].bytes);
    auto next = llvm::partition_point(placed, [&](unsigned other) {
      return layout.offsets[other] <= offset;
    });
    placed.insert(next, buffer);
  }
  return layout;
}

/// The order with those first that stick out of what lives at once.
LayoutSearch::Order LayoutSearch::raise(const Order &order,
                                        const ArenaLayout &layout) const {
  Order result = order;
  std::stable_partition(result.begin(), result.end(), [&](unsigned buffer) {
    return layout.offsets[buffer] + buffers[buffer].bytes > least;
  });
  return result;
}

void LayoutSearch::keepBetter(ArenaLayout layout) {
  HETERO_ASSERT(layout.bytes >= least, "an arena holds what lives at once");
  if (best.offsets.empty() || layout.bytes < best.bytes)
    best = std::move(layout);
}

ArenaLayout LayoutSearch::run() {
  if (least == INT64_MAX) {
    best.offsets.assign(buffers.size(), 0);
    best.bytes = INT64_MAX;
    return best;
  }
  keepBetter(placeByLife());
  if (best.bytes == least || buffers.size() > kMaxForSearch)
    return best;
  auto size = [&](unsigned i) { return buffers[i].bytes; };
  auto life = [&](unsigned i) { return buffers[i].end - buffers[i].begin; };
  auto area = [&](unsigned i) { return double(size(i)) * double(life(i)); };
  auto birth = [&](unsigned i) { return -buffers[i].begin; };
  int64_t work = int64_t(buffers.size()) * int64_t(buffers.size());
  int64_t rounds = std::clamp<int64_t>(kMaxWork / work, 1, kMaxRounds);
  for (Order order :
       {orderBy(size), orderBy(area), orderBy(life), orderBy(birth)}) {
    for (int64_t round = 0; round < rounds; ++round) {
      ArenaLayout layout = place(order);
      Order next = raise(order, layout);
      keepBetter(std::move(layout));
      if (best.bytes == least)
        return best;
      if (next == order)
        break;
      order = std::move(next);
    }
  }
  return best;
}

ArenaLayout mlir::hetero::layOutArena(ArrayRef<BufferLifetime> buffers,
                                      int64_t alignment) {
  return LayoutSearch(buffers, alignment).run();
}
