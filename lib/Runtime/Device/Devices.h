//===- Devices.h - The devices of the program, by number --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_DEVICES_H
#define HETERO_LIB_RUNTIME_DEVICE_DEVICES_H

#include "hetero/Runtime/HeteroRuntime.h"

#include <functional>
#include <vector>

namespace hetero::runtime {

class Device;

/// By rank of the process, the gpu that is its gpu:0, before the device map.
/// Closes all devices if that is new.
void setFirstDevices(std::vector<int32_t> devices);

/// The process's device `id` through the device map, opened.
HeteroStatus getDevice(int32_t id, Device **device);

/// What is kept until its program goes takes no more than it needs.
HeteroStatus allocateOnDevice(int32_t device, int64_t bytes, bool isKept,
                              void **pointer);
HeteroStatus freeOnDevice(int32_t device, void *pointer);
HeteroStatus waitForDevice(int32_t device);
HeteroStatus waitForAllDevices();
/// Waits for what the unit has got.
HeteroStatus waitForUnit(int32_t device, int32_t unit);
/// Nobody will read what devices still have to copy to this host memory.
void dropCopiesTo(const void *host, int64_t bytes);
/// Unloads modules and frees constants that lie there.
void forgetOnDevices(const void *host, int64_t bytes);
/// Runs `launch`, which enqueues the kernel, and counts its time.
HeteroStatus measureLaunch(int32_t device, const char *kernel,
                           const std::function<HeteroStatus()> &launch);
/// Runs `copy`, which enqueues the copy of a value, and counts its time.
HeteroStatus measureCopy(int32_t to, int32_t from, const char *value,
                         int64_t bytes,
                         const std::function<HeteroStatus()> &copy);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_DEVICES_H
