//===- Faults.h - Calls that fail on purpose --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_FAULTS_H
#define HETERO_LIB_EMULATOR_DEVICE_FAULTS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hetero::emulator {

/// What is counted, each class by itself, over all devices.
enum class CallClass {
  Alloc,  ///< Memory of a device, pinned memory of the host.
  Launch, ///< A kernel.
  Copy,   ///< A copy or a fill of any kind.
  Device  ///< A call on a device's context or one of its streams.
};
constexpr int kNumCallClasses = 4;

/// "alloc:3": the third allocation fails; "alloc:3+": and each later one.
struct FailPoint {
  CallClass kind;
  uint64_t number;
  bool andLater;
};

/// Reads one point; false when it is malformed.
bool parseFailPoint(std::string_view text, FailPoint &point);

/// Replaces the points; the counts begin anew.
void setFailPoints(std::vector<FailPoint> points);

/// Counts a call. Returns an empty string, or why the call must fail.
std::string countCall(CallClass kind);

/// Calls so far of "alloc", "launch", "copy" or "device-lost"; 0 for others.
uint64_t numCalls(std::string_view kind);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_FAULTS_H
