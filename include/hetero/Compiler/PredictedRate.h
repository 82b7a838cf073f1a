//===- PredictedRate.h - Requests that follow each other --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_PREDICTEDRATE_H
#define HETERO_COMPILER_PREDICTEDRATE_H

#include "hetero/Compiler/Compilation.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir {
namespace hetero {

/// How long something works on one request.
struct PredictedLoad {
  enum Kind {
    /// "gpu:0"
    Device,
    /// "cpu:0 -> gpu:0"
    Link,
    /// "copies to gpu:1", "copies from gpu:1": the engine of a gpu for several
    /// links, which placement does not count
    Engine
  };

  std::string name;
  Kind kind;
  double seconds;
  /// Of an engine: the names of the links.
  std::vector<std::string> links = {};
};

/// What placement takes a pipeline of requests for.
struct PredictedRate {
  /// Of what has something to do.
  std::vector<PredictedLoad> loads;
  /// One by the largest load; 0 if there is none.
  double perSecond = 0;
  /// How many requests have to be under way for that rate, as far as the memory
  /// that the topology gives to devices admits them.
  int32_t inFlight = 1;
};

/// Places the program anew, under any objective. Fails where it cannot be
/// placed, without a report.
FailureOr<PredictedRate> predictRate(Compilation &compilation);

/// Adds to the requests of heteroReport()'s JSON what was predicted and, from
/// the trace of the run, which part of the time each device and link worked.
/// Nothing if they are no such JSON.
std::optional<std::string> addPrediction(llvm::StringRef report,
                                         const PredictedRate &rate,
                                         llvm::StringRef trace);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_PREDICTEDRATE_H
