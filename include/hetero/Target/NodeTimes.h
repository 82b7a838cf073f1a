//===- NodeTimes.h - Measured times of source nodes ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a fused loop or kernel does for several operations of the source is one
// piece with one time, whose names are all of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_NODETIMES_H
#define HETERO_TARGET_NODETIMES_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::hetero {

/// What one call took on one device for the same operations of the source.
struct NodeTime {
  /// The runtime's name; "cpu:0" for all that runs on the host.
  std::string device;
  /// Empty where nothing says whose work it is.
  std::vector<std::string> nodes;
  /// The host region or kernel, where there are no nodes.
  std::string work;
  double seconds = 0;
  /// Executions of pieces in the call.
  double executions = 0;
};

} // namespace mlir::hetero

#endif // HETERO_TARGET_NODETIMES_H
