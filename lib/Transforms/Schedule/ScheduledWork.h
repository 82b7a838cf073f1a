//===- ScheduledWork.h - What an order is looked for of ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations as what takes time on engines: streams of devices, hosts of nodes,
// and links of the network between these.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_SCHEDULEDWORK_H
#define HETERO_TRANSFORMS_SCHEDULE_SCHEDULEDWORK_H

#include "hetero/Analysis/Machine/MachineEngines.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include <tuple>

namespace mlir::hetero {

/// The longest time of one operation, so that sums do not overflow.
inline constexpr int64_t kMostWorkTime = int64_t(1) << 40;

/// A stream of kernels or the host of a node, what of it, and the host that a
/// link over the network leads to.
using EngineKey = std::tuple<Attribute, EngineRole, Attribute>;

/// Something that takes time: an operation, or those of a host region.
struct Work {
  SmallVector<Operation *, 1> ops;
  SmallVector<EngineKey, 2> engines;
  /// The host that does nothing else meanwhile; null for what devices do.
  Attribute host = {};
  int64_t time = 0;
  SmallVector<unsigned, 4> needs = {};
  int64_t start = 0;
};

/// The device of a buffer, or the host of its node.
DeviceAttr getBufferPlace(Value buffer);

/// Knows what operations take.
class WorkMaker {
public:
  WorkMaker(const Topology &topology, TensorSizes &sizes)
      : topology(topology), sizes(sizes) {}

  Work make(Operation *op);
  /// All that is done in a host region, its marks included.
  Work makeRegion(ArrayRef<Operation *> ops);

private:
  DeviceIndex getIndex(DeviceAttr device) const;
  SmallVector<EngineKey, 2> getEngines(Operation *op) const;
  int64_t getTime(Operation *op);

  const Topology &topology;
  TensorSizes &sizes;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_SCHEDULEDWORK_H
