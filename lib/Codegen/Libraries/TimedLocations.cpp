//===- TimedLocations.cpp - Times that locations carry --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile names operations as the user wrote them, and a candidate for a call
// is found when each of them has become a linalg.generic. The location is what
// stays:
//
//   loc(fused<{hetero.times = {mlir = 12000000, onednn = 9000000}}[...])
//
//===----------------------------------------------------------------------===//

#include "TimedLocations.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::hetero;

/// The times that one location itself has, or null.
static DictionaryAttr getOwnTimes(LocationAttr loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto metadata = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                        : DictionaryAttr();
  return metadata ? metadata.getAs<DictionaryAttr>(kTimesAttrName)
                  : DictionaryAttr();
}

Location mlir::hetero::withMeasuredTimes(Location loc, DictionaryAttr times) {
  MLIRContext *context = loc.getContext();
  NamedAttribute entry(StringAttr::get(context, kTimesAttrName), times);
  return FusedLoc::get({loc}, DictionaryAttr::get(context, {entry}), context);
}

DictionaryAttr mlir::hetero::getMeasuredTimes(Location loc) {
  DictionaryAttr times;
  loc->walk([&](Location inner) {
    times = getOwnTimes(inner);
    return times ? WalkResult::interrupt() : WalkResult::advance();
  });
  return times;
}

void mlir::hetero::dropMeasuredTimes(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc loc) -> std::optional<Attribute> {
    if (getOwnTimes(loc))
      return loc.getLocations().front();
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
}
