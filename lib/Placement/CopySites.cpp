//===- CopySites.cpp - Where copies of a value stand ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bottom-up over the part of the tree between the definition and its uses: a
// block with a use of its own needs a copy in it or above; else the copies of
// its subtrees may be cheaper than one here. The root holds the copy if that is
// no dearer.
//
//===----------------------------------------------------------------------===//

#include "CopySites.h"

#include "ExactTime.h"

#include <algorithm>

using namespace mlir::hetero;

void CopySiteChooser::addPath(unsigned definition, unsigned use) {
  for (unsigned block = use; numbers[block] == kNone;
       block = unsigned(blocks[block].parent)) {
    numbers[block] = 0;
    stops.push_back({block, false, 0, false, false});
    if (block == definition)
      break;
  }
}

/// The cheapest choice of every subtree, children before parents.
void CopySiteChooser::chooseBelow(int64_t time) {
  for (size_t i = stops.size(); i-- != 0;) {
    Stop &stop = stops[i];
    int64_t here = multiplyTime(time, blocks[stop.block].frequency);
    stop.copiesHere = stop.hasUse || here <= stop.below;
    if (i == 0)
      return;
    int64_t &above = stops[numbers[unsigned(blocks[stop.block].parent)]].below;
    above = addSaturating(above, stop.copiesHere ? here : stop.below);
  }
}

const std::vector<unsigned> &
CopySiteChooser::choose(unsigned definition, const std::vector<unsigned> &uses,
                        int64_t time, const std::vector<PartialUse> &partial) {
  chosen.clear();
  if (uses.empty() && partial.empty())
    return chosen;
  if (std::find(uses.begin(), uses.end(), definition) != uses.end()) {
    chosen.push_back(definition);
    return chosen;
  }
  stops.clear();
  addPath(definition, definition);
  for (unsigned use : uses)
    addPath(definition, use);
  for (const PartialUse &use : partial)
    addPath(definition, use.block);
  // Parents have smaller numbers.
  std::sort(stops.begin(), stops.end(),
            [](const Stop &a, const Stop &b) { return a.block < b.block; });
  for (unsigned i = 0; i < stops.size(); ++i)
    numbers[stops[i].block] = i;
  for (unsigned use : uses)
    stops[numbers[use]].hasUse = true;
  for (const PartialUse &use : partial) {
    int64_t &below = stops[numbers[use.block]].below;
    below = addSaturating(below, use.time);
  }
  chooseBelow(time);
  for (unsigned i = 0; i < stops.size(); ++i) {
    Stop &stop = stops[i];
    stop.isServed =
        i != 0 && stops[numbers[unsigned(blocks[stop.block].parent)]].isServed;
    if (stop.isServed || !stop.copiesHere)
      continue;
    stop.isServed = true;
    chosen.push_back(stop.block);
  }
  for (const Stop &stop : stops)
    numbers[stop.block] = kNone;
  return chosen;
}

bool CopySiteChooser::isServed(unsigned block) const {
  for (int64_t above = block; above >= 0; above = blocks[above].parent)
    if (std::find(chosen.begin(), chosen.end(), unsigned(above)) !=
        chosen.end())
      return true;
  return false;
}
