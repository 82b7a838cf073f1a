//===- Driver.h - Finds and loads the CUDA driver ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_DRIVER_H
#define HETERO_LIB_RUNTIME_DEVICE_DRIVER_H

#include "hetero/Runtime/CudaDriver.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <string>

namespace hetero::runtime {

/// A loaded and initialized driver.
struct Driver {
  cuda::Functions functions;
  /// What messages call it: its path, or "the emulator".
  std::string name;
  int deviceCount = 0;
  /// The first of the functions for graphs that it does not have, or null.
  const char *missingForGraphs = nullptr;
  /// What HETERO_GRAPHS says, where the driver can.
  bool usesGraphs = false;
  /// The emulator's account of why calls on a device fail, or null.
  const char *(*deviceFault)(int device) = nullptr;
  /// The emulator's virtual clock, in picoseconds, or null.
  uint64_t (*hostTime)() = nullptr;
  /// The host whose clock the thread goes by, or null.
  void (*enterHost)(int host) = nullptr;
  /// Lets that clock go on, or null.
  void (*hostWorks)(uint64_t picoseconds) = nullptr;
  /// Whether calls of the thread move it on, or null.
  void (*callsTakeTime)(int take) = nullptr;
  /// The emulator's heteroEmulatorWaitForOne, or null.
  int (*waitForOne)(void *const *streams, const int *counts,
                    int numGroups) = nullptr;
  /// Has the emulator compile what so many blocks of so many threads run, or
  /// null; whether it had to.
  int (*prepareLaunch)(void *, uint64_t, uint64_t) = nullptr;

  bool hasVirtualClock() const {
    return waitForOne && waitForOne(nullptr, nullptr, 0) >= 0;
  }
  /// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access ...)".
  std::string describe(cuda::Result result) const;
  /// The emulator's account of why a call on the device fails, empty where
  /// there is none: its own fault, else that of one whose work the call needs.
  std::string describeFault(int device) const;
};

/// Loads the driver that HETERO_CUDA_DRIVER asks for, once.
HeteroStatus getDriver(Driver **driver);

/// The driver if it is loaded already, else null.
Driver *getLoadedDriver();

/// True when the process exits: a driver must not be called any more, and gives
/// everything back by itself.
bool isDriverGone();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_DRIVER_H
