//===- MemoryHistory.cpp - Who touched which bytes ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryHistory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Some bytes
//===----------------------------------------------------------------------===//

std::optional<MemoryAccess>
AccessHistory::findConflict(const StreamClocks &clocks, unsigned stream,
                            bool writes) const {
  if (write && !clocks.isAfter(stream, *write))
    return MemoryAccess{*write, true};
  if (writes)
    for (StreamEvent read : reads)
      if (!clocks.isAfter(stream, read))
        return MemoryAccess{read, false};
  return std::nullopt;
}

void AccessHistory::note(StreamEvent event, bool writes, unsigned generation) {
  if (writes) {
    write = event;
    reads.clear();
    this->generation = generation;
    return;
  }
  llvm::erase_if(reads,
                 [&](StreamEvent read) { return read.stream == event.stream; });
  reads.push_back(event);
}

void AccessHistory::forget(StreamEvent event) {
  if (write && *write == event)
    write.reset();
  llvm::erase(reads, event);
}

//===----------------------------------------------------------------------===//
// All bytes
//===----------------------------------------------------------------------===//

void MemoryHistory::allocate(const void *root, unsigned generation) {
  memory.erase(memory.lower_bound({root, nullptr}),
               memory.upper_bound({root, reinterpret_cast<void *>(-1)}));
  generations[root] = generation;
}

/// Lets a cell begin at the place, if one is there.
void MemoryHistory::cut(Cells &cells, int64_t place) {
  auto next = cells.upper_bound(place);
  if (next == cells.begin())
    return;
  auto cell = std::prev(next);
  if (cell->first == place || cell->second.end <= place)
    return;
  cells.emplace_hint(next, place, cell->second);
  cell->second.end = place;
}

/// Lets cells cover the range exactly.
void MemoryHistory::cutOut(Cells &cells, const MemoryRange &range) {
  cut(cells, range.begin);
  cut(cells, range.end);
  AccessHistory fresh;
  fresh.generation = getGeneration(range.root);
  int64_t place = range.begin;
  for (auto it = cells.lower_bound(range.begin); place < range.end; ++it) {
    int64_t next =
        it == cells.end() ? range.end : std::min(it->first, range.end);
    if (place < next)
      it = cells.emplace_hint(it, place, Cell{next, fresh});
    place = it->second.end;
  }
}

void MemoryHistory::visit(const MemoryRange &range,
                          function_ref<void(AccessHistory &)> visitor) {
  Cells &cells = memory[{range.root, range.slot}];
  cutOut(cells, range);
  for (auto it = cells.lower_bound(range.begin);
       it != cells.end() && it->first < range.end; ++it)
    visitor(it->second.history);
}

void MemoryHistory::visitAll(const void *root,
                             function_ref<void(AccessHistory &)> visitor) {
  for (auto it = memory.lower_bound({root, nullptr});
       it != memory.end() && it->first.first == root; ++it)
    for (auto &[begin, cell] : it->second)
      visitor(cell.history);
}

void MemoryHistory::note(const MemoryRange &range, StreamEvent event,
                         bool writes, unsigned generation) {
  if (!writes)
    return visit(range, [&](AccessHistory &history) {
      history.note(event, writes, generation);
    });
  Cells &cells = memory[{range.root, range.slot}];
  cutOut(cells, range);
  cells.erase(cells.lower_bound(range.begin), cells.lower_bound(range.end));
  AccessHistory history;
  history.note(event, writes, generation);
  cells.emplace(range.begin, Cell{range.end, history});
}
