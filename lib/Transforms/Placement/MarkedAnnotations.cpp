//===- MarkedAnnotations.cpp - Annotations that rewrites drop -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MarkedAnnotations.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// Where a location says which annotated operation it is of.
static constexpr StringRef kNumberName = "annotation";

/// A location with the number of an annotation.
static Location mark(Location loc, int64_t number) {
  Builder builder(loc.getContext());
  auto metadata = builder.getDictionaryAttr(
      builder.getNamedAttr(kNumberName, builder.getI64IntegerAttr(number)));
  return FusedLoc::get({loc}, metadata, loc.getContext());
}

/// The number of the annotation whose operation the location is of.
static std::optional<int64_t> getMark(Attribute loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto metadata = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                        : DictionaryAttr();
  auto number =
      metadata ? metadata.getAs<IntegerAttr>(kNumberName) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

void MarkedAnnotations::removeMarks() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc loc) -> std::optional<Attribute> {
    return getMark(loc) ? std::optional<Attribute>(loc.getLocations().front())
                        : std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

MarkedAnnotations::MarkedAnnotations(ModuleOp module) : module(module) {
  module.walk([&](Operation *op) {
    DeviceAttr device = getDevice(op);
    if (!device)
      return;
    Annotation annotation{device, op->getName(), op->getLoc(), {}};
    for (StringRef name : kAnnotationNames)
      if (Attribute value = op->getDiscardableAttr(name))
        annotation.attributes.push_back(
            {StringAttr::get(op->getContext(), name), value});
    op->setLoc(mark(op->getLoc(), annotations.size()));
    annotations.push_back(std::move(annotation));
  });
}

void MarkedAnnotations::findSuccessors() {
  module.walk([&](Operation *op) {
    Attribute(op->getLoc()).walk([&](LocationAttr loc) {
      std::optional<int64_t> number = getMark(loc);
      if (!number)
        return;
      Annotation &annotation = annotations[*number];
      if (getDevice(op))
        annotation.isKept = true;
      else if (isPlaceable(op))
        annotation.successors.push_back(op);
    });
  });
}

/// Annotates the successors that can run there. What is made anew wherever it
/// is needed stays so, if there is anything else.
bool MarkedAnnotations::carry(const Annotation &annotation,
                              std::string &reason) {
  bool isCarried = false;
  bool areAllRepeated =
      llvm::all_of(annotation.successors, hetero::isReplicable);
  for (Operation *op : annotation.successors) {
    if (getDevice(op) || (hetero::isReplicable(op) && !areAllRepeated))
      continue;
    std::string cause;
    if (failed(canRunOn(op, annotation.device.getKind(), cause))) {
      reason = cause;
      continue;
    }
    for (NamedAttribute attribute : annotation.attributes)
      op->setDiscardableAttr(attribute.getName(), attribute.getValue());
    isCarried = true;
  }
  return isCarried;
}

void MarkedAnnotations::restore(StringRef who) {
  if (annotations.empty())
    return;
  findSuccessors();
  for (const Annotation &annotation : annotations) {
    std::string reason;
    if (annotation.isKept)
      continue;
    if (carry(annotation, reason)) {
      ++numCarried;
      continue;
    }
    ++numDropped;
    emitWarning(annotation.loc)
        << who << " drops this '" << annotation.name << "' op, annotated with "
        << annotation.device.str()
        << (reason.empty()
                ? std::string()
                : ", and what comes in its place cannot run there: " + reason)
        << "; place what comes in its place with transform.hetero.place_on";
  }
  removeMarks();
}
