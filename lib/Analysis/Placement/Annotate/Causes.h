//===- Causes.h - Notes that say why a value is there -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors about annotations that contradict each other name both ends, and what
// led from one to the other.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CAUSES_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CAUSES_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::hetero {

/// Notes from the value back to the operation or argument that decides where it
/// is: through the loops, branches and calls that pass it, and through what
/// cost put there. `other` is where the value should be, kNone for anywhere
/// else.
void attachCauses(InFlightDiagnostic &error, const Assignment &assignment,
                  ValueIndex value, DeviceIndex other = kNone);

/// Notes why an operation is where it is, and not on `other`: one for itself
/// and, where cost decided, one for each neighbour on the way to what has no
/// choice. None for what is no operation.
void attachCause(InFlightDiagnostic &error, const Assignment &assignment,
                 NodeIndex node, StringRef what, DeviceIndex other = kNone);

/// One step from a node to why it stands, or is asked to stand, where it does.
struct CauseLink {
  /// A node, or kNone for the use or definition of a value that is not open to
  /// choice.
  NodeIndex node;
  ValueIndex value;
  /// The block of a use that is no node's.
  BlockIndex block;
  /// The one before makes what this one reads.
  bool isUser;
};

/// A note for each link of a chain, for both ends of a long one. A node without
/// a device is open.
void attachChain(InFlightDiagnostic &error, const Assignment &assignment,
                 ArrayRef<CauseLink> links, DeviceIndex device);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CAUSES_H
