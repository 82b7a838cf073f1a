//===- Timelines.h - A virtual clock for each host --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process may stand for several hosts, each with threads and devices of its
// own. Each has a timeline: what one host does moves the clock of no other, so
// that times do not depend on whose threads are faster.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_TIMELINES_H
#define HETERO_LIB_EMULATOR_DEVICE_TIMELINES_H

#include "Emulator/Device/Timeline.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hetero::emulator {

class Timelines {
public:
  explicit Timelines(const Config &config) : config(config) {}

  /// The host of the calling thread from now on; threads begin with host 0.
  static void enterHost(int host);
  /// That of the calling thread's host, made when it is first asked for.
  Timeline &current();
  /// All times and operations of all hosts as JSON.
  std::string report();
  /// Of all hosts: forgets the operations; time begins anew. All of them have
  /// run.
  void restart();

private:
  const Config config;
  std::mutex mutex;
  /// By the number of the host; they live as long as this.
  std::map<int, std::unique_ptr<Timeline>> timelines;
  uint64_t origin = 0; ///< When time began anew.
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_TIMELINES_H
