//===- MeasuredRun.h - What a run took, by its parts ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of the runtime, joined with what the compiler knows of the
// program. Nothing refers to the program's IR, so that runs of several programs
// can be kept. All times are seconds.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_TUNING_MEASUREDRUN_H
#define HETERO_LIB_COMPILER_TUNING_MEASUREDRUN_H

#include "hetero/Compiler/Tuning/MeasuredRegions.h"
#include "hetero/Support/Fits/RooflineFit.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::hetero {

/// An operation of a region that was measured.
struct MeasuredOperation {
  /// As a profile names it.
  std::string conditions;
  /// Its name, and where it stands in the source.
  std::string op, place;
  /// What placement counted for one execution, and its part in that of the
  /// region.
  double predicted, share;
  /// As RegionOperation has it.
  std::optional<RooflineWork> work;
};

/// A region, or a part of one that was measured by itself.
struct MeasuredRegion {
  std::string device;
  /// One execution, and how many there are in a call.
  double seconds, executions;
  std::vector<MeasuredOperation> operations;
};

/// The copies of one value over one link.
struct MeasuredCopies {
  std::string value, from, to;
  int64_t bytes;
  /// One copy, what placement counted for it, and how many there are in a call.
  double seconds, predicted, executions;
};

struct MeasuredRun {
  std::vector<MeasuredRegion> regions;
  std::vector<MeasuredCopies> copies;
  /// What the topology says of devices, and of links by their ends.
  std::map<std::string, Roofline> devices;
  std::map<std::pair<std::string, std::string>, Roofline> links;
};

/// Reads the JSON of heteroReport() of so many calls. Nothing when it is not
/// such JSON.
std::optional<MeasuredRun> readMeasuredRun(llvm::StringRef report,
                                           const ProgramParts &parts,
                                           int64_t calls);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_TUNING_MEASUREDRUN_H
