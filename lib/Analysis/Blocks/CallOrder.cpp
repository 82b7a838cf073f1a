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

/// What reaches the first function of the order that is left, among those that
/// are left, is also reached by it.
mlir::hetero::CallCycles mlir::hetero::findCallCycles(
    llvm::ArrayRef<unsigned> order,
    llvm::function_ref<std::optional<unsigned>(unsigned, unsigned)> getCallee) {
  constexpr unsigned kNone = ~0u;
  CallCycles cycles;
  cycles.sets.assign(order.size(), kNone);
  cycles.isRecursive.assign(order.size(), false);
  SmallVector<SmallVector<unsigned, 2>> callers(order.size());
  for (unsigned function : order)
    for (unsigned call = 0; auto callee = getCallee(function, call); ++call)
      callers[*callee].push_back(function);
  for (unsigned first : order) {
    if (cycles.sets[first] != kNone)
      continue;
    cycles.sets[first] = first;
    SmallVector<unsigned> stack{first};
    while (!stack.empty()) {
      for (unsigned caller : callers[stack.pop_back_val()])
        if (cycles.sets[caller] == kNone) {
          cycles.sets[caller] = first;
          stack.push_back(caller);
        }
    }
  }
  for (unsigned function : order)
    for (unsigned caller : callers[function])
      if (cycles.sets[caller] == cycles.sets[function])
        cycles.isRecursive[function] = true;
  return cycles;
}
