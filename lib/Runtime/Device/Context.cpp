//===- Context.cpp - The driver's context of a device ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Context.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Host/StreamNumbers.h"

using namespace hetero::runtime;
using namespace hetero;

namespace {
struct Diagnosis {
  HeteroStatus status;
  const char *remedy;
};
} // namespace

static Diagnosis diagnose(cuda::Result result) {
  switch (result) {
  case cuda::kOutOfMemory:
    return {HETERO_ERROR_OUT_OF_MEMORY,
            "free memory on the device, use a smaller batch, or place fewer "
            "operations there"};
  case cuda::kInvalidImage:
  case cuda::kNoBinaryForGpu:
  case cuda::kInvalidPtx:
  case cuda::kUnsupportedPtxVersion:
  case cuda::kNotFound:
    return {HETERO_ERROR_MODULE,
            "compile for this device's architecture with --chip"};
  case cuda::kIllegalAddress:
  case cuda::kIllegalInstruction:
  case cuda::kMisalignedAddress:
  case cuda::kInvalidAddressSpace:
  case cuda::kAssert:
  case cuda::kInvalidPc:
  case cuda::kHardwareStackError:
  case cuda::kLaunchFailed:
  case cuda::kLaunchTimeout:
    return {HETERO_ERROR_LAUNCH,
            "call heteroReset() before the next program, and check the "
            "program's sizes"};
  case cuda::kLaunchOutOfResources:
    return {HETERO_ERROR_LAUNCH,
            "compile for this device's architecture with --chip"};
  case cuda::kDeviceLost:
  case cuda::kEccUncorrectable:
    return {HETERO_ERROR_DEVICE_LOST,
            "call heteroReset() before the next program"};
  default:
    return {HETERO_ERROR_DRIVER, "check the driver's installation"};
  }
}

HeteroStatus Context::failCall(cuda::Result result, const char *call,
                               const std::string &detail, int32_t unit) {
  Diagnosis diagnosis = diagnose(result);
  // After these the context answers every call with the same error. A kernel
  // that asked for too much has not run and harmed nothing.
  hasFailed |= (diagnosis.status == HETERO_ERROR_LAUNCH &&
                result != cuda::kLaunchOutOfResources) ||
               diagnosis.status == HETERO_ERROR_DEVICE_LOST;
  std::string text = std::string(call) + " failed on " + deviceName(id);
  if (id != ordinal)
    text += " (the machine's gpu:" + std::to_string(ordinal) + ")";
  if (unit != kNoUnit)
    text += ", stream " + describeStream(unit);
  text += ": " + driver.describe(result);
  if (!detail.empty())
    text += ": " + detail;
  if (hasFailed || diagnosis.status == HETERO_ERROR_LAUNCH)
    if (std::string fault = driver.describeFault(ordinal); !fault.empty())
      text += ": " + fault;
  return fail(diagnosis.status, text + "; " + diagnosis.remedy);
}

HeteroStatus Context::open() {
  const cuda::Functions &cu = driver.functions;
  HeteroStatus status = check(cu.deviceGet(&device, ordinal), "cuDeviceGet");
  if (status == HETERO_OK)
    status = check(cu.primaryCtxRetain(&context, device),
                   "cuDevicePrimaryCtxRetain");
  return status == HETERO_OK ? enter() : status;
}

HeteroStatus Context::readCapability() {
  const cuda::Functions &cu = driver.functions;
  HeteroStatus status = check(
      cu.deviceGetAttribute(&major, cuda::kComputeCapabilityMajor, device),
      "cuDeviceGetAttribute");
  if (status == HETERO_OK)
    status = check(
        cu.deviceGetAttribute(&minor, cuda::kComputeCapabilityMinor, device),
        "cuDeviceGetAttribute");
  return status;
}

void Context::release() {
  driver.functions.primaryCtxRelease(device);
  context = nullptr;
}

void Context::reset() {
  if (context) {
    // Takes memory, modules and streams along, after a fault too.
    driver.functions.primaryCtxReset(device);
    driver.functions.primaryCtxRelease(device);
  }
  context = nullptr;
  hasFailed = false;
}

HeteroStatus Context::enter() {
  return check(driver.functions.ctxSetCurrent(context), "cuCtxSetCurrent");
}

bool Context::hasProperty(int attribute) const {
  int value = 0;
  const cuda::Functions &cu = driver.functions;
  return cu.deviceGetAttribute(&value, attribute, device) == cuda::kSuccess &&
         value == 1;
}
