//===- Capability.h - Limits of a compute capability ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_CAPABILITY_H
#define HETERO_LIB_EMULATOR_DEVICE_CAPABILITY_H

#include <cstdint>

namespace hetero::emulator {

/// A row of the table "Technical Specifications per Compute Capability" of the
/// CUDA programming guide.
struct Capability {
  int version;                       ///< 10 * major + minor.
  uint32_t blocks, warps, sharedKiB; ///< Of a multiprocessor.
  uint32_t blockSharedKiB;           ///< Of a block that opts in.
  uint32_t blockRegisters;
  uint32_t doubleRatio; ///< Throughput of f32 over that of f64.

  uint32_t sharedBytes() const { return sharedKiB * 1024; }
  uint32_t blockSharedBytes() const { return blockSharedKiB * 1024; }
  uint32_t threads() const { return warps * 32; }
  /// Shared memory that the system keeps of each block.
  uint32_t reservedShared() const { return version >= 80 ? 1024 : 0; }
  /// Blocks get shared memory in multiples of it.
  uint32_t sharedUnit() const { return version >= 80 ? 128 : 256; }
  /// Part of the L2 cache that windows can reserve, and bytes of a window.
  uint32_t persistingCache() const { return version >= 80 ? 3 << 20 : 0; }
  uint32_t accessWindow() const { return version >= 80 ? 134213632 : 0; }
  /// Domains of memory order.
  int syncDomains() const { return version >= 90 ? 4 : 1; }
};

/// Shared memory of a block that does not opt in for more.
constexpr uint32_t kDefaultBlockShared = 48 * 1024;
constexpr uint32_t kMostThreadsPerBlock = 1024;

/// The last row that is not above the capability.
const Capability &capabilityOf(int major, int minor);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_CAPABILITY_H
