//===- SourcePaths.cpp - Names that the source gave -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourcePaths.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Calls `visit` with the parts of a location, outer ones first, until it
/// returns false.
static void visitLocations(Location loc,
                           llvm::function_ref<bool(Location)> visit) {
  SmallVector<Location, 4> worklist = {loc};
  while (!worklist.empty()) {
    Location part = worklist.pop_back_val();
    if (!visit(part))
      return;
    if (auto name = dyn_cast<NameLoc>(part)) {
      worklist.push_back(name.getChildLoc());
    } else if (auto fused = dyn_cast<FusedLoc>(part)) {
      for (Location inner : llvm::reverse(fused.getLocations()))
        worklist.push_back(inner);
    } else if (auto call = dyn_cast<CallSiteLoc>(part)) {
      worklist.append({call.getCaller(), call.getCallee()});
    }
  }
}

SmallVector<StringRef> mlir::hetero::getSourceNames(Location loc) {
  SmallVector<StringRef> names;
  visitLocations(loc, [&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      if (!llvm::is_contained(names, name.getName().getValue()))
        names.push_back(name.getName());
    return true;
  });
  return names;
}

FileLineColLoc mlir::hetero::getFilePosition(Location loc) {
  FileLineColLoc found;
  visitLocations(loc, [&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return !found;
  });
  return found;
}

/// Front ends begin the names of their kinds with a capital, and scopes rarely
/// do; what follows may begin with a slash of its own.
static bool isKind(StringRef first, StringRef rest) {
  return !first.empty() &&
         (llvm::isUpper(first.front()) || rest.front() == '/');
}

SourcePath::SourcePath(StringRef name) {
  auto [first, rest] = name.split('/');
  if (!rest.empty() && isKind(first, rest))
    name = rest;
  char separator = name.contains('/') ? '/' : '.';
  // Numbers have dots as well, and so have the names of files.
  SmallVector<StringRef> parts;
  name.split(parts, separator, /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (parts.empty())
    return;
  last = parts.pop_back_val();
  scopes = std::move(parts);
}
