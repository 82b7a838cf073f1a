//===- MeasuredRegions.h - What the runtime measures, in parts --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime measures regions, people and profiles have operations: what each
// region consists of, and what was predicted of it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_MEASUREDREGIONS_H
#define HETERO_COMPILER_TUNING_MEASUREDREGIONS_H

#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir::hetero {
class Profile;

/// An operation of a region, as a profile describes it.
struct RegionOperation {
  /// "op: ..., name: ..., operands: [...], device: ...".
  std::string conditions;
  /// Of the region's time.
  double share;
  /// Where it stands in the source, and its name.
  Location loc;
  std::string op;
  /// What heteroNode() calls it.
  std::vector<std::string> sources;
  /// What placement counts for one execution.
  double seconds;
  /// What it does; nothing where that depends on dynamic sizes, and of what the
  /// device's kind has not generated the code for.
  std::optional<PlacementCost> work;
};

struct RegionDescription {
  std::string name;
  /// Without unit and codegen.
  DeviceAttr device;
  /// Empty where control flow says how often they run.
  std::vector<RegionOperation> operations;
  /// Of one execution, in the cost model.
  double seconds = 0;
};

/// What the runtime measures of a program, and the machine that it was placed
/// on.
struct ProgramParts {
  Topology topology;
  std::vector<RegionDescription> regions;
};

/// The regions of a partitioned module whose operations take time, on its
/// machine as the profile, which may be null, knows it.
ProgramParts describeParts(ModuleOp module, Profile *profile);

/// The position of the region that a host region or a kernel of a report or a
/// trace belongs to; -1 for none.
int64_t findRegion(llvm::ArrayRef<RegionDescription> regions,
                   llvm::StringRef name, bool isKernel);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_MEASUREDREGIONS_H
