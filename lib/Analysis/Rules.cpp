//===- Rules.cpp - Rules that annotate operations -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Rules.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the regular expression matches a name of the location as a whole.
static bool matchesName(const llvm::Regex &regex, Location loc) {
  return loc
      ->walk([&](Location part) {
        auto named = dyn_cast<NameLoc>(part);
        return named && regex.match(named.getName()) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasElementType(TypeRange types, Type element) {
  return llvm::any_of(types, [&](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && tensor.getElementType() == element;
  });
}

bool Rule::matches(Operation *candidate, StringRef functionName) const {
  if (op && !op->match(candidate->getName().getStringRef()))
    return false;
  if (function && !function->match(functionName))
    return false;
  if (name && !matchesName(*name, candidate->getLoc()))
    return false;
  if (dtype) {
    bool resultsDecide =
        llvm::any_of(candidate->getResultTypes(),
                     [](Type type) { return isa<TensorType>(type); });
    if (!hasElementType(resultsDecide ? TypeRange(candidate->getResultTypes())
                                      : TypeRange(candidate->getOperandTypes()),
                        dtype))
      return false;
  }
  if (minFlops == 0 && minBytes == 0)
    return true;
  PlacementCost cost = hetero::getPlacementCost(candidate);
  return double(cost.flops) >= minFlops && double(cost.bytes) >= minBytes;
}
