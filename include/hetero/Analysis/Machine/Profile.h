//===- Profile.h - Measured times of operations -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile says how long operations take on devices, and so replaces what the
// topology's roofline and the device's kind say; and what the links really do.
// docs/Design/Placement.md describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_PROFILE_H
#define HETERO_ANALYSIS_MACHINE_PROFILE_H

#include "hetero/Analysis/Machine/Rules.h"
#include "hetero/Analysis/Machine/Topology.h"

namespace mlir::hetero {

/// One measurement: every condition that is present must hold.
struct Measurement {
  explicit Measurement(Location loc) : loc(loc) {}

  /// Where it stands in the file.
  Location loc;
  std::optional<llvm::GlobPattern> op;
  /// Matches a name in the operation's location.
  std::optional<NamePattern> name;
  /// Types of the first tensors among the operands.
  SmallVector<RankedTensorType> operands;
  DeviceAttr device;
  /// Who made the code that was measured; empty: that of the device's kind.
  std::string codegen;
  /// Picoseconds of one execution.
  int64_t time = 0;
};

/// What a device takes for operations that were not measured themselves: the
/// launch, and the longer of computing and moving bytes. In picoseconds.
struct FittedRoofline {
  DeviceAttr device;
  /// Of which operations; any without.
  std::optional<llvm::GlobPattern> op;
  double launch = 0, perFlop = 0, perByte = 0;
};

/// What a link was measured to do.
struct MeasuredLink {
  DeviceAttr from, to;
  /// Picoseconds.
  int64_t latency = 0;
  /// Bytes per second.
  int64_t bandwidth = 0;
};

/// What a profile's file has.
struct ProfileContents {
  std::vector<Measurement> measurements;
  std::vector<FittedRoofline> rooflines;
  std::vector<MeasuredLink> links;
};

/// The measurements of a file; counts which of them were asked for.
class Profile {
public:
  explicit Profile(ProfileContents contents)
      : measurements(std::move(contents.measurements)),
        rooflines(std::move(contents.rooflines)),
        links(std::move(contents.links)), used(this->measurements.size()) {}

  /// The first measurement of the operation on the device, if there is one: by
  /// the code generator of this name, "mlir" being that of the device's kind;
  /// without a name by that one or by "auto", as placement counts.
  std::optional<int64_t> lookup(Operation *op, DeviceAttr device,
                                StringRef codegen = "");
  /// What the first roofline of the device says of an operation that costs
  /// this; nothing without one, and for what takes no time.
  std::optional<int64_t> estimate(Operation *op, DeviceAttr device,
                                  PlacementCost cost) const;
  /// The topology with what its links were measured to do.
  Topology applyLinks(const Topology &topology) const;
  /// Warns about those that no lookup has found, of devices without a roofline.
  void reportIdle() const;

private:
  std::vector<Measurement> measurements;
  std::vector<FittedRoofline> rooflines;
  std::vector<MeasuredLink> links;
  llvm::BitVector used;
  /// Measurements whose pattern the operation's name matches.
  llvm::DenseMap<OperationName, SmallVector<unsigned>> candidates;
};

/// Parses a profile. Errors are emitted at their line and column.
FailureOr<Profile> parseProfile(StringRef text, StringRef fileName,
                                MLIRContext *context);

/// The module's topology, as Topology::get(), with what the profile, which may
/// be null, knows of its links.
Topology getTopology(ModuleOp module, const Profile *profile,
                     DeviceAttr extra = {});

/// Loads the profile of an option, unless that is empty; an option of several
/// lines is the text of one. `loc` is for a file that cannot be read.
LogicalResult loadProfileOption(StringRef option, Location loc,
                                std::optional<Profile> &profile);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_PROFILE_H
