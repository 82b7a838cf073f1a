//===- PredictedMakespan.h - How long one call should take ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_NODES_PREDICTEDMAKESPAN_H
#define HETERO_COMPILER_NODES_PREDICTEDMAKESPAN_H

#include "hetero/Compiler/Compilation.h"

#include <optional>

namespace mlir::hetero {

/// How long one call takes in the cost model, over all devices of all nodes.
struct PredictedMakespan {
  /// By the schedule that the program is compiled with.
  std::optional<double> seconds;
  /// No schedule of this program takes less.
  std::optional<double> bound;
};

/// Compiles the program up to its schedule, once more. Nothing is reported.
PredictedMakespan predictMakespan(Compilation &compilation);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_NODES_PREDICTEDMAKESPAN_H
