//===- Config.h - How the emulator is set up --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_CONFIG_H
#define HETERO_LIB_EMULATOR_CONFIG_H

#include "Faults.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hetero::emulator {

/// What HETERO_EMULATOR says: "devices=2,memory=1GiB,cc=9.0,threads=4,log=F".
struct Config {
  int devices = 2;
  uint64_t memory = uint64_t(1) << 30; ///< Bytes of each device.
  int major = 9, minor = 0;            ///< Compute capability.
  int threads = 0;                     ///< That run kernels; 0: one per core.
  std::string log;                     ///< File of the driver log, or empty.
  std::string leaks;           ///< File of what is alive at exit, or empty.
  std::vector<FailPoint> fail; ///< Calls that fail.
};

/// Returns false with the reason, lower case and with a remedy, in `error`.
bool parseConfig(std::string_view text, Config &config, std::string &error);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_CONFIG_H
