//===- Constants.cpp - Constants that stay on devices ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry point lists the constants that it may need; entry points share them.
// Each says by its epoch whether it is on its device: one of a program that has
// just been loaded says no, whatever was at its address before, and a reset of
// the devices begins a new epoch.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Constants.h"

#include "Runtime/Device/Copies.h"
#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Rank.h"
#include "Runtime/Report/Report.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

using namespace hetero::runtime;

namespace {
struct Epoch {
  /// Held while constants are uploaded.
  std::mutex mutex;
  /// Never 0, which is that of a program that was just loaded.
  std::atomic<int64_t> now{1};
};
} // namespace

static Epoch &epoch() {
  static Epoch *instance = new Epoch;
  return *instance;
}

void hetero::runtime::outdateConstants() { ++epoch().now; }

/// Enqueues the upload of a constant and fills in its address.
static HeteroStatus enqueueUpload(Device &device, HeteroConstant &constant) {
  // One of a program that was here before and did not say when it went.
  device.forget(&constant, sizeof constant);
  int32_t id = device.getId();
  Staging block;
  block.bytes = constant.bytes;
  HeteroStatus status =
      allocateOnDevice(id, block.bytes, /*isKept=*/true, &block.memory);
  if (status != HETERO_OK)
    return status;
  status =
      copyStaged(device, /*unit=*/0, /*isIn=*/true, block.memory, constant.host,
                 Rows::contiguous(block.bytes), constant.name);
  if (status != HETERO_OK) {
    device.free(block.memory);
    return status;
  }
  constant.address = block.memory;
  countResident(constant.name, id, block.bytes);
  countAllocation(id, block.bytes);
  device.keepConstant(constant, block);
  return HETERO_OK;
}

/// Uploads one constant to a device that is there.
static HeteroStatus upload(Device &device, HeteroConstant &constant,
                           const char *entry) {
  HeteroStatus status = enqueueUpload(device, constant);
  if (status == HETERO_OK)
    return status;
  return fail(status, std::string("cannot put constant ") + constant.name +
                          " of " + std::to_string(constant.bytes) +
                          " bytes on " + deviceName(device.getId()) + " for @" +
                          entry + ": " + lastError());
}

static HeteroStatus uploadAll(HeteroConstants &needed, int64_t now,
                              std::vector<HeteroConstant *> &done) {
  std::vector<Device *> busy;
  for (int64_t i = 0; i < needed.count; ++i) {
    HeteroConstant *constant = needed.constants[i];
    if (constant->epoch == now)
      continue;
    Device *device;
    HeteroStatus status = getDevice(inProcess(constant->device), &device);
    if (status == HETERO_OK)
      status = upload(*device, *constant, needed.entry);
    if (status != HETERO_OK)
      return status;
    constant->epoch = now;
    done.push_back(constant);
    busy.push_back(device);
  }
  // What reads them may be on any stream, and a copy that failed must not look
  // like a failure of the program.
  WaitScope scope;
  HeteroStatus ended = endSequence();
  for (Device *device : busy)
    if (HeteroStatus status = ended ? ended : device->finishUploads())
      return fail(status, std::string("cannot put the constants of @") +
                              needed.entry +
                              " on their devices: " + lastError());
  return HETERO_OK;
}

HeteroStatus heteroUpload(HeteroConstants *needed) {
  int64_t now = epoch().now;
  if (__atomic_load_n(&needed->epoch, __ATOMIC_ACQUIRE) == now)
    return HETERO_OK;
  std::lock_guard<std::mutex> lock(epoch().mutex);
  std::vector<HeteroConstant *> done;
  HeteroStatus status = uploadAll(*needed, now, done);
  if (status == HETERO_OK) {
    __atomic_store_n(&needed->epoch, now, __ATOMIC_RELEASE);
    return HETERO_OK;
  }
  // All or nothing: another program may need the memory.
  std::string text = lastError();
  for (HeteroConstant *constant : done) {
    constant->epoch = 0;
    heteroForget(constant, sizeof *constant);
  }
  setLastError(text);
  return status;
}

HeteroStatus heteroInitialize(HeteroEntryPoint entry) {
  return entry(nullptr, HETERO_INITIALIZE, nullptr, 0);
}
