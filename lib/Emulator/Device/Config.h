//===- Config.h - How the emulator is set up --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_CONFIG_H
#define HETERO_LIB_EMULATOR_DEVICE_CONFIG_H

#include "Emulator/Device/Faults.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace hetero::emulator {

/// What the virtual clock takes a device for, in units per second, bytes per
/// second and picoseconds. The defaults are those of the default topology
/// (docs/Topology.md).
struct DeviceRates {
  uint64_t flops = 10'000'000'000'000;
  uint64_t bandwidth = 500'000'000'000; ///< Of its memory.
  uint64_t launch = 5'000'000;          ///< Before each kernel.
  uint64_t link = 12'000'000'000;       ///< Bytes per second to others.
  uint64_t latency = 10'000'000;        ///< Of a copy to or from others.
};

/// What HETERO_EMULATOR says: "devices=2,memory=1GiB,cc=9.0,threads=4,log=F".
struct Config {
  int devices = 2;
  uint64_t memory = uint64_t(1) << 30; ///< Bytes of each device.
  /// Compute capabilities, major and minor number; the last one holds for the
  /// rest of the devices.
  std::vector<std::pair<int, int>> capabilities = {{9, 0}};
  int threads = 0; ///< That run kernels; 0: one per core.
  /// Launches of at least as many threads run warps as one.
  uint64_t leastForWarps = 4096;
  uint64_t limit = 0;          ///< Instructions of a thread; 0: any number.
  std::string cache;           ///< Folder of compiled code; empty: none.
  std::string log;             ///< File of the driver log, or empty.
  std::string leaks;           ///< File of what is alive at exit, or empty.
  std::vector<FailPoint> fail; ///< Calls that fail.
  bool checksRaces = false;
  bool checksShared = false;        ///< Races of a block's threads.
  bool checksUninitialized = false; ///< Of global and shared memory.
  bool randomSchedule = false;
  uint64_t seed = 0; ///< Of the random schedule.
  bool virtualClock = false;
  std::vector<DeviceRates> deviceRates; ///< The last one holds for the rest.
  uint64_t call = 100'000;              ///< Picoseconds of the host for a call.
  std::string timeline; ///< File of the clock's report, or empty.

  std::pair<int, int> capability(int device) const {
    return capabilities[std::min<size_t>(device, capabilities.size() - 1)];
  }
  const DeviceRates &rates(int device) const {
    static const DeviceRates standard;
    if (deviceRates.empty())
      return standard;
    return deviceRates[std::min<size_t>(device, deviceRates.size() - 1)];
  }
};

/// Returns false with the reason, lower case and with a remedy, in `error`.
bool parseConfig(std::string_view text, Config &config, std::string &error);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_CONFIG_H
