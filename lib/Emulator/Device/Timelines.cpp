//===- Timelines.cpp - A virtual clock for each host ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Timelines.h"

#include <algorithm>
#include <vector>

using namespace hetero::emulator;

static thread_local int threadHost = 0;

void Timelines::enterHost(int host) { threadHost = host; }

Timeline &Timelines::current() {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Timeline> &timeline = timelines[threadHost];
  if (!timeline)
    timeline = std::make_unique<Timeline>(config, origin);
  return *timeline;
}

void Timelines::restart() {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[host, timeline] : timelines)
    origin = std::max(origin, timeline->settle());
  for (const auto &[host, timeline] : timelines)
    timeline->restart(origin);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static std::string numberField(const char *name, uint64_t value) {
  return std::string(", \"") + name + "\": " + std::to_string(value);
}

namespace {
struct HostTimes {
  int host;
  Timeline::Times times;
};
} // namespace

/// When the last host and the last operation are done; of several hosts also
/// when each is.
static std::string printHosts(const std::vector<HostTimes> &hosts) {
  uint64_t makespan = 0, clock = 0;
  std::string list;
  for (const auto &[host, times] : hosts) {
    makespan = std::max(makespan, times.makespan);
    clock = std::max(clock, times.host);
    list += (list.empty() ? "\n  " : ",\n  ") + std::string("{\"number\": ") +
            std::to_string(host) + numberField("makespan", times.makespan) +
            numberField("host", times.host) + "}";
  }
  std::string text =
      "{\"makespan\": " + std::to_string(makespan) + numberField("host", clock);
  return hosts.size() > 1 ? text + ", \"hosts\": [" + list + "],\n "
                          : text + ", ";
}

/// How long each engine has worked, for whichever host.
static std::string printDevices(const std::vector<HostTimes> &hosts,
                                int devices) {
  std::string text = "\"devices\": [";
  for (int device = 0; device < devices; ++device) {
    auto busy = [&](int engine) {
      uint64_t sum = 0;
      for (const HostTimes &host : hosts)
        sum += host.times.busy[device * kNumEngines + engine];
      return sum;
    };
    text += std::string(device ? ",\n  " : "\n  ") +
            "{\"device\": \"gpu:" + std::to_string(device) + "\"" +
            numberField("compute", busy(0)) + numberField("copy_in", busy(1)) +
            numberField("copy_out", busy(2)) + "}";
  }
  return text + "],\n ";
}

/// Of one host after the other.
static std::string printOperations(const std::vector<HostTimes> &hosts) {
  std::string list;
  for (const auto &[host, times] : hosts)
    for (const OperationRef &operation : times.operations)
      list += (list.empty() ? "\n  " : ",\n  ") +
              describe(*operation, times.origin,
                       hosts.size() > 1 ? numberField("host", host) : "");
  return "\"operations\": [" + list + "]}\n";
}

std::string Timelines::report() {
  std::vector<HostTimes> hosts;
  current(); // There is at least one.
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (const auto &[host, timeline] : timelines)
      hosts.push_back({host, timeline->times()});
  }
  return printHosts(hosts) + printDevices(hosts, config.devices) +
         printOperations(hosts);
}
