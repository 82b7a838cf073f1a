//===- LoadProblem.cpp - Work divided among devices -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LoadProblem.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::hetero;

bool LoadProblem::hasChoice(unsigned item) const {
  return llvm::count_if(
             llvm::ArrayRef(times).slice(size_t(item) * numDevices, numDevices),
             [](int64_t time) { return time != kNoTime; }) > 1;
}

NetsOfItems::NetsOfItems(const LoadProblem &problem)
    : begin(problem.getNumItems() + 1, 0) {
  auto forEachEnd = [&](auto visit) {
    for (unsigned net = 0; net < problem.nets.size(); ++net) {
      if (problem.nets[net].producer != kNoItem)
        visit(problem.nets[net].producer, net);
      for (unsigned reader : problem.nets[net].readers)
        visit(reader, net);
    }
  };
  forEachEnd([&](unsigned item, unsigned) { ++begin[item + 1]; });
  for (unsigned item = 0; item + 1 < begin.size(); ++item)
    begin[item + 1] += begin[item];
  nets.resize(begin.back());
  llvm::SmallVector<unsigned, 0> next(begin);
  forEachEnd([&](unsigned item, unsigned net) { nets[next[item]++] = net; });
}
