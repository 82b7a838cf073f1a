//===- PageNodes.cpp - Finds nodes of a page ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageNodes.h"

#include "hetero/Transforms/Placement/ValueNames.h"

using namespace mlir;
using namespace mlir::hetero;

PageNodes::PageNodes(ArrayRef<Operation *> operations)
    : operations(operations) {
  for (auto [node, op] : llvm::enumerate(operations)) {
    if (!op)
      continue;
    byLocation[LocationAttr(op->getLoc())].push_back(node);
    for (Value result : op->getResults())
      if (isa<TensorType>(result.getType()))
        byValue.try_emplace(getValueName(result), node);
  }
}

int64_t PageNodes::find(Location loc) const {
  auto it = byLocation.find(LocationAttr(loc));
  return it == byLocation.end() ? -1 : int64_t(it->second.front());
}

/// Passes may have made another operation of it, at the same place.
int64_t PageNodes::find(const PageOperation &operation) const {
  auto it = byLocation.find(LocationAttr(operation.loc));
  if (it == byLocation.end())
    return -1;
  for (unsigned node : it->second)
    if (operations[node]->getName().getStringRef() == operation.op)
      return node;
  return it->second.front();
}

int64_t PageNodes::findValue(StringRef name) const {
  auto it = byValue.find(name);
  return it == byValue.end() ? -1 : int64_t(it->second);
}
