//===- PredictedMakespan.cpp - How long one call should take --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Nodes/PredictedMakespan.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

/// A time in "... makespan_ps=1027522, moved=0 ...", in seconds.
static std::optional<double> readTime(StringRef remark, StringRef name) {
  constexpr double kPicosecond = 1e-12;
  size_t begin = remark.find((name + "=").str());
  int64_t picoseconds;
  if (begin == StringRef::npos ||
      remark.drop_front(begin + name.size() + 1)
          .take_while([](char c) { return c >= '0' && c <= '9'; })
          .getAsInteger(10, picoseconds))
    return std::nullopt;
  return picoseconds * kPicosecond;
}

/// What hetero-schedule says of its schedule; nothing where the user listens to
/// remarks, who would get them twice.
PredictedMakespan mlir::hetero::predictMakespan(Compilation &compilation) {
  MLIRContext &context = *compilation.getSource().getContext();
  PredictedMakespan predicted;
  if (context.getRemarkEngine())
    return predicted;
  remark::RemarkCategories categories;
  categories.analysis = "hetero-schedule";
  (void)remark::enableOptimizationRemarks(
      context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
      categories, /*printAsEmitRemarks=*/true);
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      std::string text = diagnostic.str();
      if (auto seconds = readTime(text, "makespan_ps")) {
        predicted.seconds = seconds;
        predicted.bound = readTime(text, "bound_ps");
      }
      return success();
    });
    (void)compilation.runUntil(Phase::Scheduled, /*isQuiet=*/false);
  }
  context.setRemarkEngine(nullptr);
  return predicted;
}
