//===- StreamClocks.cpp - What is known to be done ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamClocks.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::hetero;

void StreamClocks::join(unsigned stream, unsigned other) {
  for (auto [mine, theirs] : llvm::zip(known[stream], known[other]))
    mine = std::max(mine, theirs);
}

StreamEvent StreamClocks::issue(unsigned stream, Operation *op) {
  join(stream, kHost);
  issued[stream].push_back(op);
  return {stream, unsigned(issued[stream].size())};
}

void StreamClocks::order(unsigned stream, unsigned after) {
  join(stream, kHost);
  join(stream, after);
  known[stream][after] = issued[after].size();
}
