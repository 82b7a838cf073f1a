//===- DeviceLibrary.cpp - Libraries that compute on devices --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/DeviceLibrary.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Host/StreamNumbers.h"

using namespace hetero::runtime;

HeteroStatus hetero::runtime::findFunction(const Library &library,
                                           const char *symbol,
                                           void **function) {
  *function = library.find(symbol);
  if (*function)
    return HETERO_OK;
  return fail(HETERO_ERROR_PROGRAM,
              library.path + " has no function " + symbol +
                  "; install another version of " + library.name +
                  ", or set HETERO_LIBRARIES=" + library.name + "=off");
}

HeteroStatus hetero::runtime::failLibraryCall(const LibraryCall &call,
                                              const LibraryFailure &failure) {
  std::string text = std::string(failure.function) + " failed on " +
                     deviceName(call.device->getId());
  if (call.unit)
    text += ", stream " + describeStream(call.unit);
  text += ": " + failure.result;
  if (!failure.detail.empty())
    text += ": " + failure.detail;
  const char *remedy =
      failure.status == HETERO_ERROR_OUT_OF_MEMORY
          ? "free memory on the device, or "
          : "check that the library fits the driver and the device, or ";
  return fail(failure.status, text + "; " + remedy +
                                  "set HETERO_LIBRARIES=" + call.library.name +
                                  "=off to run generated code");
}
