//===- Report.h - Counters of what the runtime did --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_REPORT_REPORT_H
#define HETERO_LIB_RUNTIME_REPORT_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace hetero::runtime {

/// All thread-safe; the report is their sum.
void countCopy(const char *value, int32_t from, int32_t to, int64_t bytes);
void countResident(const char *value, int32_t device, int64_t bytes);
/// A call that the host answers for want of a device.
void countFallback(const char *entryPoint, int32_t missing);
void countLaunch(int32_t device, const char *kernel);
void countHostRegion(const char *name);

/// What a kernel or a part of a host region took that works for some operations
/// of the source: their names, a line each; empty where nothing says so.
struct MeasuredPart {
  std::string nodes;
  int64_t nanoseconds;
};

double sumSeconds(const std::vector<MeasuredPart> &parts);
/// How long one execution of a kernel or a host region took.
void countTime(int32_t device, const char *name,
               const std::vector<MeasuredPart> &parts);
/// How long one copy of the value took.
void countMeasuredCopy(const char *value, int32_t from, int32_t to,
                       int64_t bytes, int64_t nanoseconds);
/// Of all kernels, host regions and copies.
void forgetTimes();
void countAllocation(int32_t device, int64_t bytes);
void countFree(int32_t device, int64_t bytes);
void countWait(int32_t device);
/// A sequence of so many operations became a graph; a graph was launched.
void countGraph(int64_t operations);
void countGraphLaunch();
/// What came of requests that were under way together.
struct RequestsEntry {
  int64_t count = 0, inFlight = 0;
  /// Of all; until the first was over; and how many a second were over, without
  /// those that filled and emptied the pipeline. By the virtual clock if there
  /// is one.
  double seconds = 0, firstSeconds = 0, perSecond = 0;
  /// How often one waited until another one had given back its memory.
  int64_t memoryWaits = 0;
  /// Whether each began after the one before, because the program keeps state.
  bool isOrdered = false;
};

/// Those of the last run are reported.
void countRequests(const RequestsEntry &entry);

/// Memory that a call that succeeded did not free itself.
void countLeftover(int32_t device, int64_t bytes);

/// A kernel or a host region took that long.
void countBusy(int32_t device, double seconds);
/// So did a copy that was counted, and the host's wait for a device.
void countCopyTime(const std::string &value, int32_t from, int32_t to,
                   double seconds);
void countWaitTime(int32_t device, double seconds);

/// As JSON, with a field more.
std::string printReport(const std::string &more);
void resetCounts();

/// For heteroFreeString; null where there is no memory.
char *copyString(const std::string &text);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_REPORT_REPORT_H
