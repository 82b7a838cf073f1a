//===- SettledCopies.h - Whether copies are as they should be ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies that materialize puts behind definitions leave nothing to optimize.
// Where it made no others, and met none, hetero-optimize-copies need not look.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_SETTLEDCOPIES_H
#define HETERO_ANALYSIS_SETTLEDCOPIES_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// An analysis of a module, for the pass behind the one that made its copies.
struct SettledCopies {
  /// Nobody knows.
  explicit SettledCopies(Operation *) {}

  /// True if no copy of the module can be spared, moved or made narrower,
  /// wherever copies are wanted but right before their uses: each is behind its
  /// source, the only one to its device, and used; nothing takes slices.
  bool areSettled = false;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_SETTLEDCOPIES_H
