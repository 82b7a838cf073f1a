//===- MeasuredProfile.h - A profile from measured regions ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime measures regions, a profile has operations: each operation of a
// region gets the share of the measured time that it has of the region's time
// in the cost model.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_MEASUREDPROFILE_H
#define HETERO_COMPILER_MEASUREDPROFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::hetero {

/// An operation of a region, as a profile describes it.
struct RegionOperation {
  /// "op: ..., name: ..., operands: [...], device: ...".
  std::string conditions;
  /// Of the region's time.
  double share;
  /// Where it stands in the source, and its name.
  Location loc;
  std::string op;
};

struct RegionDescription {
  std::string name;
  std::vector<RegionOperation> operations;
  /// Of one execution, in the cost model.
  double seconds = 0;
};

/// The regions of a partitioned module whose operations take time.
std::vector<RegionDescription> describeRegions(ModuleOp module);

/// The position of the region that a host region or a kernel of a report or a
/// trace belongs to; -1 for none.
int64_t findRegion(llvm::ArrayRef<RegionDescription> regions,
                   llvm::StringRef name, bool isKernel);

/// Prints the profile that the JSON of heteroReport() makes with the regions.
/// Returns false when it is not such JSON.
bool printMeasuredProfile(llvm::StringRef report,
                          llvm::ArrayRef<RegionDescription> regions,
                          llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_MEASUREDPROFILE_H
