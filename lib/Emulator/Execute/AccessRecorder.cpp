//===- AccessRecorder.cpp - Which memory a kernel has accessed ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/AccessRecorder.h"

#include <algorithm>

using namespace hetero::emulator;

void hetero::emulator::normalize(std::vector<Span> &spans) {
  std::sort(spans.begin(), spans.end(),
            [](Span a, Span b) { return a.begin < b.begin; });
  size_t last = 0;
  for (size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin <= spans[last].end)
      spans[last].end = std::max(spans[last].end, spans[i].end);
    else
      spans[++last] = spans[i];
  }
  if (!spans.empty())
    spans.resize(last + 1);
}

void AccessRecorder::add(uint32_t slot, uint64_t address, uint32_t size,
                         bool isWrite) {
  Span &span = open[isWrite][slot % kNumSlots];
  uint64_t end = address + size;
  if (address <= span.end && end >= span.begin && span.end != 0) {
    span = {std::min(span.begin, address), std::max(span.end, end)};
    return;
  }
  std::vector<Span> &list = closed[isWrite];
  if (span.end != 0)
    list.push_back(span);
  span = {address, end};
  if (list.size() < limit)
    return;
  normalize(list);
  limit = std::max(limit, 2 * list.size());
}

void AccessRecorder::moveTo(std::vector<Span> &reads,
                            std::vector<Span> &writes) {
  for (int isWrite = 0; isWrite < 2; ++isWrite) {
    std::vector<Span> &list = closed[isWrite], &to = isWrite ? writes : reads;
    for (Span &span : open[isWrite]) {
      if (span.end != 0)
        list.push_back(span);
      span = {};
    }
    normalize(list);
    to.insert(to.end(), list.begin(), list.end());
    list.clear();
  }
}
