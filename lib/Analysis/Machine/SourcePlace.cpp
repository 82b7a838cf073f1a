//===- SourcePlace.cpp - A line of a source -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/SourcePlace.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::hetero;

/// Takes `:12` off the end.
static std::optional<unsigned> takeNumber(StringRef &text) {
  auto [rest, digits] = text.rsplit(':');
  unsigned number;
  if (rest.empty() || digits.getAsInteger(10, number))
    return std::nullopt;
  text = rest;
  return number;
}

std::optional<SourcePlace> SourcePlace::create(StringRef text) {
  SourcePlace place;
  std::optional<unsigned> last = takeNumber(text);
  if (!last)
    return std::nullopt;
  place.line = *last;
  if (std::optional<unsigned> line = takeNumber(text)) {
    place.line = *line;
    place.column = *last;
  }
  place.file = text.str();
  return place;
}

bool SourcePlace::matches(Location loc) const {
  WalkResult result = loc->walk([&](Location part) {
    auto range = dyn_cast<FileLineColRange>(part);
    if (!range || range.getStartLine() != line ||
        (column && range.getStartColumn() != *column))
      return WalkResult::advance();
    StringRef path = range.getFilename().getValue();
    bool isThere = path == file || (path.ends_with(file) &&
                                    path.drop_back(file.size()).ends_with("/"));
    return isThere ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
