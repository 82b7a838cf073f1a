//===- SourceNames.cpp - Names in locations -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceNames.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::forEachName(Location loc,
                               llvm::function_ref<void(StringRef)> visit) {
  SmallVector<Location, 4> pending = {loc};
  while (!pending.empty()) {
    Location part = pending.pop_back_val();
    if (auto named = dyn_cast<NameLoc>(part)) {
      visit(named.getName().getValue());
      pending.push_back(named.getChildLoc());
    } else if (auto fused = dyn_cast<FusedLoc>(part)) {
      llvm::append_range(pending, fused.getLocations());
    } else if (auto call = dyn_cast<CallSiteLoc>(part)) {
      pending.append({call.getCallee(), call.getCaller()});
    }
  }
}

StringRef mlir::hetero::getSource(StringRef name) {
  auto [source, rest] = name.split('/');
  return rest.empty() ? StringRef() : source;
}
