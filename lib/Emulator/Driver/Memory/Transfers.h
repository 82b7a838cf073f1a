//===- Transfers.h - Copies and fills, planned ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_TRANSFERS_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_TRANSFERS_H

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Types.h"

namespace hetero::emulator {

/// What is copied: bytes in one piece, or rows of them.
struct Extent {
  uint64_t width, rows = 1;

  uint64_t bytes() const { return width * rows; }
};

/// An end of a copy: memory of a device, or of the host (device null), with the
/// distance of rows.
struct End {
  Device *device;
  uint64_t address, pitch = 0;

  /// From the first byte to the last.
  uint64_t reach(Extent extent) const {
    return (extent.rows - 1) * pitch + extent.width;
  }
  uint8_t *host(Extent extent) const {
    return device ? device->memory.translate(address, reach(extent))
                  : reinterpret_cast<uint8_t *>(address);
  }
  /// False for what is nowhere, and for sizes that do not fit into a number.
  /// Memory of a graph is there later, unless `isNow`.
  bool isValid(Extent extent, bool isNow = false) const;
  /// False also for memory that is mapped for reading only.
  bool isWritable(Extent extent, bool isNow = false) const;
  /// Of a graph that has not allocated it, or has freed it.
  bool isAbsentOfGraph(Extent extent) const;
};

/// The fault of a copy or a fill that is made to fail.
void failTransfer(Context &context, const char *what, uint64_t bytes,
                  const std::string &why);

/// That of one that finds no memory when it runs.
void failOutside(Context &context, const char *what, uint64_t bytes);

/// A part of a copy that is one piece of work.
struct CopyPart {
  End to, from;
  Extent extent;
};

/// The parts of a copy of boxes, none if nothing is copied.
cuda::Result planCopy(const Copy3D &box, std::vector<CopyPart> &parts);
/// As a node of a graph.
IssueWork issueOf(std::vector<CopyPart> parts);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_TRANSFERS_H
