//===- LoadBound.h - What no division of work is below -------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That no solution has all loads at most `target` is proved in steps which
// arithmetic can check:
//
// - Weights of devices. Each item adds, whatever its device, at least its least
//   weighted time to the weighted sum of the loads, which is at most the target
//   times the sum of the weights. The difference is the slack.
// - Items that cannot be apart become one: wherever they were, a device or a
//   link would have more than the target, or the weighted sum would grow by
//   more than the slack.
// - In the end the slack is negative, or an item has no device that it does not
//   fill, or of many items some device would have too many.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LOADBOUND_H
#define HETERO_SUPPORT_SOLVERS_LOADBOUND_H

#include "hetero/Support/Solvers/LoadProblem.h"

namespace mlir::hetero {

struct LoadProof {
  enum class End : uint8_t { None, Work, Item, Pigeonhole };
  /// The reader and the producer of the net are not apart.
  struct Merge {
    unsigned net, reader;
  };
  struct Round {
    llvm::SmallVector<int64_t> weights;
    llvm::SmallVector<Merge, 0> merges;
  };

  /// Some load is larger.
  int64_t target = -1;
  llvm::SmallVector<Round, 0> rounds = {};
  End end = End::None;
  /// For Work.
  llvm::SmallVector<int64_t> weights = {};
  /// For Item and Pigeonhole, and the only devices that these may be on.
  llvm::SmallVector<unsigned, 0> items = {};
  llvm::SmallVector<unsigned> devices = {};
};

/// A proof of the largest target that is found below `cost`, which some
/// solution has, and above `known`; without one the end is None and the target
/// -1: that nothing is below 0 needs no proof.
LoadProof boundLoads(const LoadProblem &problem, int64_t cost,
                     int64_t known = -1);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LOADBOUND_H
