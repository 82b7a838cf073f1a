//===- PageNodes.h - Finds nodes of a page ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_PAGENODES_H
#define HETERO_TARGET_PAGENODES_H

#include "hetero/Target/HtmlView.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::hetero {

/// The nodes that locations, and names of values in reports, belong to. Among
/// several the first.
class PageNodes {
public:
  /// The operation of each node, null for carried values.
  explicit PageNodes(ArrayRef<Operation *> operations);

  /// -1 where there is none.
  int64_t find(Location loc) const;
  int64_t find(const PageOperation &operation) const;
  int64_t findValue(StringRef name) const;

private:
  llvm::DenseMap<Attribute, SmallVector<unsigned, 1>> byLocation;
  llvm::StringMap<unsigned> byValue;
  ArrayRef<Operation *> operations;
};

} // namespace mlir::hetero

#endif // HETERO_TARGET_PAGENODES_H
