//===- Context.h - The driver's context of a device -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_CONTEXT_H
#define HETERO_LIB_RUNTIME_DEVICE_CONTEXT_H

#include "Runtime/Device/Driver.h"

#include <string>

namespace hetero::runtime {

/// What the driver knows a device by, and how its failures are told.
class Context {
public:
  static constexpr int32_t kNoUnit = -1;

  Context(Driver &driver, int32_t id, int32_t ordinal)
      : driver(driver), id(id), ordinal(ordinal) {}

  /// Makes the device's context and makes it current.
  HeteroStatus open();
  HeteroStatus readCapability();
  /// Gives it back.
  void release();
  /// Gives it back with all that is in it.
  void reset();
  /// Makes it current.
  HeteroStatus enter();
  /// The same where a failure is no failure of the program.
  bool tryEnter() const {
    return driver.functions.ctxSetCurrent(context) == cuda::kSuccess;
  }

  int32_t getId() const { return id; }
  /// Of the compute capability.
  int getMajor() const { return major; }
  int getMinor() const { return minor; }
  const Driver &getDriver() const { return driver; }
  const cuda::Functions &getFunctions() const { return driver.functions; }
  cuda::Context get() const { return context; }
  /// After some failures a context answers every call with the same error.
  bool isLost() const { return hasFailed; }
  /// A CUdevice_attribute that is there or not.
  bool hasProperty(int attribute) const;

  /// Returns HETERO_OK, or the error with its text: call, device, stream (the
  /// unit's, where the call has one), result, what `describe` says, remedy.
  template <typename Describe>
  HeteroStatus check(cuda::Result result, const char *call, Describe describe,
                     int32_t unit = kNoUnit) {
    if (result == cuda::kSuccess)
      return HETERO_OK;
    return failCall(result, call, describe(), unit);
  }
  HeteroStatus check(cuda::Result result, const char *call,
                     int32_t unit = kNoUnit) {
    return check(result, call, [] { return std::string(); }, unit);
  }

private:
  HeteroStatus failCall(cuda::Result result, const char *call,
                        const std::string &detail, int32_t unit);

  Driver &driver;
  int32_t id, ordinal;
  int major = 0, minor = 0;
  bool hasFailed = false;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
};

/// Describes a call by its bytes.
inline auto inBytes(int64_t bytes) {
  return [bytes] { return std::to_string(bytes) + " bytes"; };
}

inline cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_CONTEXT_H
