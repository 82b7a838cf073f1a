//===- DeviceLibrary.h - Libraries that compute on devices ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS and cuDNN have handles, which belong to a context. Each unit of a
// device has its own, since what a handle keeps on the device serves one stream
// at a time. They are made at the first call and go with the context.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_DEVICELIBRARY_H
#define HETERO_LIB_RUNTIME_LIBRARIES_DEVICELIBRARY_H

#include "Runtime/Device/Device.h"
#include "Runtime/Device/LibraryHandle.h"
#include "Runtime/Libraries/Libraries.h"

#include <memory>
#include <string>

namespace hetero::runtime {

/// The function of a library; fails with a text that names it where the library
/// has none.
HeteroStatus findFunction(const Library &library, const char *symbol,
                          void **function);

/// The library's handle for the device and unit of the call, opened for the
/// first one; `Handle` is a LibraryHandle with open(call).
template <typename Handle>
HeteroStatus getHandle(const LibraryCall &call, Handle *&handle) {
  std::shared_ptr<LibraryHandle> &slot =
      call.device->getLibrary(call.library.name, call.unit);
  if (!slot) {
    auto opened = std::make_shared<Handle>();
    if (HeteroStatus status = opened->open(call))
      return status;
    slot = opened;
  }
  handle = static_cast<Handle *>(slot.get());
  return HETERO_OK;
}

/// What a call of a library returned that is no success.
struct LibraryFailure {
  const char *function;
  /// The library's own words.
  std::string result;
  HeteroStatus status;
  /// Shapes and types.
  std::string detail;
};

/// Fails with the text: function, device, unit, result, detail and remedy.
HeteroStatus failLibraryCall(const LibraryCall &call,
                             const LibraryFailure &failure);

/// Memory of the device for one call, which later work on the stream may use
/// again.
class Workspace {
public:
  explicit Workspace(const LibraryCall &call) : device(*call.device) {}
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  ~Workspace() {
    if (memory)
      device.free(memory);
  }
  HeteroStatus allocate(int64_t bytes) {
    return bytes ? device.allocate(bytes, /*isKept=*/false, &memory)
                 : HETERO_OK;
  }
  char *get() const { return static_cast<char *>(memory); }

private:
  Device &device;
  void *memory = nullptr;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_DEVICELIBRARY_H
