//===- Profile.h - Measured times of operations -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile says how long operations take on devices, and so replaces what the
// topology's roofline and the device's kind say. docs/Design/Placement.md
// describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_PROFILE_H
#define HETERO_ANALYSIS_MACHINE_PROFILE_H

#include "hetero/Analysis/Machine/Rules.h"

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

/// The measurements of a file; counts which of them were asked for.
class Profile {
public:
  explicit Profile(std::vector<Measurement> measurements)
      : measurements(std::move(measurements)), used(this->measurements.size()) {
  }

  /// The first measurement of the operation on the device, if there is one: by
  /// the code generator of this name, "mlir" being that of the device's kind;
  /// without a name by that one or by "auto", as placement counts.
  std::optional<int64_t> lookup(Operation *op, DeviceAttr device,
                                StringRef codegen = "");
  /// Warns about those that no lookup has found.
  void reportIdle() const;

private:
  std::vector<Measurement> measurements;
  llvm::BitVector used;
  /// Measurements whose pattern the operation's name matches.
  llvm::DenseMap<OperationName, SmallVector<unsigned>> candidates;
};

/// Parses a profile. Errors are emitted at their line and column.
FailureOr<Profile> parseProfile(StringRef text, StringRef fileName,
                                MLIRContext *context);

/// Loads the profile of an option, unless that is empty; `loc` is for a file
/// that cannot be read.
LogicalResult loadProfileOption(StringRef fileName, Location loc,
                                std::optional<Profile> &profile);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_PROFILE_H
