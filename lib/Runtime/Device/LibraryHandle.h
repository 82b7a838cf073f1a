//===- LibraryHandle.h - What a library keeps for a device ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_LIBRARYHANDLE_H
#define HETERO_LIB_RUNTIME_DEVICE_LIBRARYHANDLE_H

namespace hetero::runtime {

class Device;

/// What a library keeps for a unit of a device. Destroyed with the device's
/// lock held and its context current.
class LibraryHandle {
public:
  virtual ~LibraryHandle() = default;
  /// Frees what is kept for pointers of a program in [begin, end).
  virtual void forget(Device &, const void *, const void *) {}
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_LIBRARYHANDLE_H
