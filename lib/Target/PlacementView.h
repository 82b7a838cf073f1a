//===- PlacementView.h - A placed program to look at ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the views of a placement show: the operations on tensors, what passes
// between them, and the copies, as texts and numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_PLACEMENTVIEW_H
#define HETERO_TARGET_PLACEMENTVIEW_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// An operation, or an argument of a function or a block.
struct ViewNode {
  unsigned function;
  std::string name, location;
  /// The name that the source gave it (a NameLoc), or empty.
  std::string source;
  /// Names or places of all that it was made from, as the runtime reports them.
  std::vector<std::string> sources;
  /// Position among the view's devices.
  unsigned device;
  /// Whether the host runs it, as it does for devices that have its memory.
  bool runsOnHost = false;
  /// Empty where there are none.
  std::string origin, explanation;
  /// One execution in the cost model, in picoseconds; none for what has no cost
  /// of its own.
  std::optional<int64_t> time;
  bool isOperation = true;
};

/// One copy of a value.
struct ViewCopy {
  unsigned function;
  std::string value;
  unsigned from, to;
  /// None if the shape is dynamic.
  std::optional<int64_t> bytes;
  /// One execution in the cost model, in picoseconds.
  int64_t time = 0;
};

/// A node or a copy.
struct ViewEnd {
  bool isCopy;
  unsigned index;

  bool operator==(const ViewEnd &other) const {
    return isCopy == other.isCopy && index == other.index;
  }
};

/// What one end makes, the other needs.
struct ViewEdge {
  ViewEnd from, to;
};

struct PlacementView {
  /// What the placement costs; empty where that is not known.
  std::string summary;
  std::vector<std::string> functions;
  /// Those of the topology, then others that the program names.
  std::vector<std::string> devices;
  std::vector<ViewNode> nodes;
  std::vector<ViewCopy> copies;
  std::vector<ViewEdge> edges;

  /// A light colour for a device, as #rrggbb.
  static StringRef getColor(unsigned device);
  std::string describeBytes(const ViewCopy &copy) const;
};

/// The view of a module after place, with the copies that materialize would
/// make, or of one with copies. The module is changed on the way. An error if
/// it is in another phase. Times are by the profile, an option of hetero-place
/// that may be empty, too.
FailureOr<PlacementView> buildPlacementView(ModuleOp module,
                                            StringRef profile = "");

} // namespace mlir::hetero

#endif // HETERO_TARGET_PLACEMENTVIEW_H
