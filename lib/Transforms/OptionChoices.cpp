//===- OptionChoices.cpp - Options that choose by name --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/OptionChoices.h"

using namespace mlir;
using namespace mlir::hetero;

template <> ArrayRef<Choice<PlacementStrategy>> mlir::hetero::getChoices() {
  static const Choice<PlacementStrategy> choices[] = {
      {PlacementStrategy::Optimal, "optimal",
       "where compute and transfer times add up to the least"},
      {PlacementStrategy::Greedy, "greedy",
       "where the fewest bytes have to be copied"},
      {PlacementStrategy::AnnotatedOnly, "annotated-only", "on the host"}};
  return choices;
}

template <> ArrayRef<Choice<PlacementObjective>> mlir::hetero::getChoices() {
  static const Choice<PlacementObjective> choices[] = {
      {PlacementObjective::Sum, "sum",
       "all compute and transfer times together"},
      {PlacementObjective::Latency, "latency",
       "the time of one request, when devices and links work at the same time"},
      {PlacementObjective::Throughput, "throughput",
       "the time of the busiest device or link, when requests follow each "
       "other"}};
  return choices;
}

template <> ArrayRef<Choice<ConflictMode>> mlir::hetero::getChoices() {
  static const Choice<ConflictMode> choices[] = {
      {ConflictMode::Copy, "copy", "it is made once and copied"},
      {ConflictMode::Replicate, "replicate",
       "what makes it is repeated on each device"},
      {ConflictMode::Warn, "warn", "as copy, and each use is reported"},
      {ConflictMode::Error, "error", "each use is reported"}};
  return choices;
}

template <> ArrayRef<Choice<CopySite>> mlir::hetero::getChoices() {
  static const Choice<CopySite> choices[] = {
      {CopySite::Eager, "eager", "right after what makes the value"},
      {CopySite::Late, "late", "before the first use"},
      {CopySite::Auto, "auto", "where they run the least often, there early"}};
  return choices;
}
