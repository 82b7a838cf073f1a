//===- MemoryUse.h - Bytes that live on each device -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes a placement keeps alive at once on each device, before
// anything is allocated. In program order, a value takes its bytes
//
// - where it is made, from there to its last use there or the first copy;
// - where it is copied to, from the first use there to the last;
// - as long as a loop, branch or call takes that uses it, if it is from
// outside.
//
// Constants and state are resident, arguments the caller's for the whole
// function, what a loop carries is one buffer, views take nothing, and a
// destination whose last use this is becomes the result. What a call needs
// comes on top of what lives around it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYUSE_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYUSE_H

#include "Analysis/Placement/Price/Replicas.h"
#include "MemoryModel.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {

/// The use of one placement, all nodes of which are decided. The model and the
/// assignment outlive this.
class MemoryUse {
public:
  /// Bytes that live at once, and the node that runs then; kNone in a function
  /// without nodes.
  struct Peak {
    int64_t bytes = 0;
    NodeIndex node = kNone;
    unsigned function = 0;
  };
  /// A value that takes its bytes, or else state.
  struct Holder {
    int64_t bytes;
    ValueIndex value = kNone;
    const ResidentState *state = nullptr;
  };
  /// A value that takes its bytes on a device.
  struct Stay {
    ValueIndex value;
    DeviceIndex device;
    Span span;
  };

  MemoryUse(const MemoryModel &model, const Assignment &assignment);

  const MemoryModel &getModel() const { return model; }
  const Assignment &getAssignment() const { return assignment; }

  const Peak &getPeak(DeviceIndex device) const { return peaks[device]; }
  /// Bytes beyond the capacity of a device, and of all devices.
  int64_t getExcess(DeviceIndex device) const;
  int64_t getExcess() const;
  /// What lives at the peak, largest first.
  SmallVector<Holder> getLargest(DeviceIndex device, unsigned count) const;

private:
  /// A value on a device that it is on, or may be.
  struct Place {
    DeviceIndex device;
    Span span;
  };

  /// Stays where it is until the value gets another device.
  Span &getSpan(ValueIndex value, DeviceIndex device);
  void addUse(NodeIndex node, ValueIndex value, Span span);
  bool addStreamedUse(const PlacementRead &read);
  void addUses();
  void addDefinition(ValueIndex value);
  void share(ValueIndex value);
  void addCarried(NodeIndex carrier, Span span);
  void overwrite(ValueIndex value);
  using SeenConstants = llvm::DenseSet<std::pair<Attribute, DeviceIndex>>;
  void setApart(ValueIndex value, SeenConstants &seen);
  const ProgramOrder::Function &getFunction(ValueIndex value) const;
  void collectStays();
  void findPeaks();

  const MemoryModel &model;
  const Assignment &assignment;
  const PlacementGraph &graph;
  ReplicaCounts replicas;
  /// By value, then by device, of which few have it.
  SmallVector<SmallVector<Place, 1>, 0> spans;
  /// What comes and goes, and what is there from the start to the end of the
  /// program (constants) or of a function (arguments).
  SmallVector<Stay, 0> stays, fixed;
  SmallVector<Peak, 4> peaks;
};

/// True if some placement might need more memory than a device has.
bool mayExceedMemory(const PlacementGraph &graph);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYUSE_H
