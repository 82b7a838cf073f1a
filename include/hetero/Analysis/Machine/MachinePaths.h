//===- MachinePaths.h - Links between devices, and paths --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which link a copy between two devices takes first, by number. Of a thousand
// nodes only few pairs are asked for, so that nothing here has an entry for
// each pair of devices, unless there are few.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_MACHINEPATHS_H
#define HETERO_ANALYSIS_MACHINE_MACHINEPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <mutex>
#include <optional>

namespace mlir::hetero {

/// Number of a device within a topology. The host's is `Topology::kHost`.
using DeviceIndex = unsigned;

/// Sum that saturates at INT64_MAX.
int64_t addTimes(int64_t a, int64_t b);

/// Picoseconds for `amount` at `rate` per second, rounded up.
int64_t getRateTime(int64_t amount, int64_t rate);

/// What a copy over a link costs.
struct LinkRate {
  /// Bytes per second.
  int64_t bandwidth;
  /// Picoseconds.
  int64_t latency;
  bool isUnified;

  int64_t getTime(int64_t bytes) const {
    return isUnified ? 0 : addTimes(latency, getRateTime(bytes, bandwidth));
  }
};

/// The links of a machine. A copy goes over the link that joins its ends, else
/// along the path that is fastest for a megabyte, which settles the route of
/// all sizes: routes must not depend on the value.
class MachinePaths {
public:
  /// What a copy does first on its way.
  struct Hop {
    DeviceIndex next = 0;
    /// Null if there is no way.
    const LinkRate *link = nullptr;
  };

  explicit MachinePaths(unsigned numDevices)
      : numDevices(numDevices), into(numDevices), outOf(numDevices),
        isJoined(numDevices, false) {}

  void addLink(DeviceIndex from, DeviceIndex to, LinkRate rate);
  /// A link of this rate from each of these to each other one of them, but
  /// where another link joins two.
  void setNetwork(llvm::ArrayRef<DeviceIndex> ends, LinkRate rate);
  /// After the last link.
  void finish();

  /// The link that joins two different devices, or null.
  const LinkRate *getLink(DeviceIndex from, DeviceIndex to) const;
  /// True if the network joins them, and no other link.
  bool isNetwork(DeviceIndex from, DeviceIndex to) const {
    return getLink(from, to) == &network;
  }
  Hop getHop(DeviceIndex from, DeviceIndex to) const {
    return table.empty() ? findHop(from, to) : table[from * numDevices + to];
  }

private:
  /// How a device gets to another one, or to the network.
  struct Step {
    int64_t time;
    DeviceIndex next;
  };
  /// By device, those that have a way.
  using Tree = llvm::DenseMap<DeviceIndex, Step>;
  /// The end of the network that is the closest to a device.
  struct Exit {
    int64_t time;
    DeviceIndex end, next;
  };
  using Neighbours = llvm::SmallVector<DeviceIndex, 4>;

  Hop findHop(DeviceIndex from, DeviceIndex to) const;
  Hop findHopOverNetwork(DeviceIndex from, DeviceIndex to, int64_t limit) const;
  Tree makeTree(DeviceIndex to) const;
  std::optional<Step> findStep(DeviceIndex from, DeviceIndex to) const;
  llvm::SmallVector<Exit, 0> findExits(llvm::ArrayRef<Neighbours> neighbours,
                                       bool isTowards) const;

  unsigned numDevices;
  llvm::DenseMap<std::pair<DeviceIndex, DeviceIndex>, LinkRate> links;
  /// By device: where its links come from, and where they go.
  llvm::SmallVector<Neighbours, 0> into, outOf;
  LinkRate network = {};
  /// By device: an end of the network.
  llvm::SmallVector<bool, 0> isJoined;
  /// By device, if there is a network: towards it, and from it.
  llvm::SmallVector<Exit, 0> exits, entries;
  /// By pair, if there are few devices.
  llvm::SmallVector<Hop, 0> table;
  /// By destination, the ways without the network that were asked for.
  mutable llvm::DenseMap<DeviceIndex, Tree> trees;
  mutable std::mutex mutex;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_MACHINEPATHS_H
