//===- MgpuDriver.cpp - The driver for MLIR's gpu-to-llvm -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Calls/Mgpu/MgpuDriver.h"

#include <cstdio>

using namespace hetero::runtime;
using namespace hetero::runtime::mgpu;
using namespace hetero;

int32_t &mgpu::defaultDevice() {
  static thread_local int32_t device = 0;
  return device;
}

HeteroStatus mgpu::print(HeteroStatus status) {
  if (status != HETERO_OK)
    std::fprintf(stderr, "hetero: %s\n", lastError().c_str());
  return status;
}

void Streams::add(cuda::Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  numbers[stream] = ++made;
}

void Streams::remove(cuda::Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  numbers.erase(stream);
}

std::string Streams::describe(cuda::Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = numbers.find(stream);
  if (stream && it == numbers.end())
    return ", a stream that mgpuStreamCreate did not make";
  return ", stream " + std::to_string(stream ? it->second : 0);
}

Streams &mgpu::streams() {
  static Streams *instance = new Streams;
  return *instance;
}

/// `place` is what the text has after the device.
static bool checkAt(const Driver &driver, cuda::Result result, const char *call,
                    const std::string &place, const std::string &detail) {
  std::string text = std::string(call) + " failed on " +
                     deviceName(defaultDevice()) + place + ": " +
                     driver.describe(result);
  if (!detail.empty())
    text += ": " + detail;
  if (driver.deviceFault)
    if (const char *fault = driver.deviceFault(defaultDevice()); *fault)
      text += std::string(": ") + fault;
  print(fail(HETERO_ERROR_DRIVER,
             text + "; call heteroReset() before the next program if a kernel "
                    "has failed"));
  return false;
}

bool mgpu::check(const Driver &driver, cuda::Result result, const char *call,
                 const std::string &detail) {
  return result == cuda::kSuccess || checkAt(driver, result, call, "", detail);
}

bool mgpu::checkOn(cuda::Stream stream, const Driver &driver,
                   cuda::Result result, const char *call,
                   const std::string &detail) {
  return result == cuda::kSuccess ||
         checkAt(driver, result, call, streams().describe(stream), detail);
}

bool mgpu::isThere(const Driver &driver, const void *function,
                   const char *name) {
  if (!function)
    print(fail(HETERO_ERROR_DRIVER,
               driver.name + " has no " + name + "; update the driver"));
  return function;
}

/// The context of a device, retained once per process.
static cuda::Result retain(const Driver &driver, int32_t ordinal,
                           cuda::Context *context) {
  static std::mutex mutex;
  static auto *contexts = new std::map<int32_t, cuda::Context>;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = contexts->find(ordinal);
  if (it != contexts->end()) {
    *context = it->second;
    return cuda::kSuccess;
  }
  cuda::Device device;
  cuda::Result result = driver.functions.deviceGet(&device, ordinal);
  if (result == cuda::kSuccess)
    result = driver.functions.primaryCtxRetain(context, device);
  if (result == cuda::kSuccess)
    (*contexts)[ordinal] = *context;
  return result;
}

const Driver *mgpu::enter() {
  Driver *driver;
  if (print(getDriver(&driver)) != HETERO_OK)
    return nullptr;
  cuda::Context context;
  if (!check(*driver, retain(*driver, defaultDevice(), &context),
             "cuDevicePrimaryCtxRetain") ||
      !check(*driver, driver->functions.ctxSetCurrent(context),
             "cuCtxSetCurrent"))
    return nullptr;
  return driver;
}

std::string mgpu::bytesText(uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

HETERO_MGPU void mgpuSetDefaultDevice(int32_t device) {
  mgpu::defaultDevice() = device;
}
