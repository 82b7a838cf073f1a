//===- CallOrder.cpp - Functions, callers before callees ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallOrder.h"

#include <algorithm>

using llvm::SmallVector;

/// Without recursion, so that long chains of calls fit on the stack.
SmallVector<unsigned> mlir::hetero::orderByCalls(
    llvm::ArrayRef<unsigned> starts,
    llvm::function_ref<std::optional<unsigned>(unsigned, unsigned)> getCallee) {
  SmallVector<unsigned> order;
  SmallVector<bool> seen(starts.size());
  SmallVector<std::pair<unsigned, unsigned>> stack;
  auto enter = [&](unsigned function) {
    if (!seen[function])
      stack.push_back({function, 0});
    seen[function] = true;
  };
  for (unsigned start : starts) {
    enter(start);
    while (!stack.empty()) {
      auto &[function, next] = stack.back();
      if (std::optional<unsigned> callee = getCallee(function, next)) {
        ++next;
        enter(*callee);
        continue;
      }
      order.push_back(function);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}
