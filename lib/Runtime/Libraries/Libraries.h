//===- Libraries.h - Libraries that compiled code calls ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_LIBRARIES_H
#define HETERO_LIB_RUNTIME_LIBRARIES_LIBRARIES_H

#include "hetero/Runtime/CudaDriver.h"
#include "hetero/Runtime/HeteroLibraries.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hetero::runtime {

class Device;

/// A shared library that is loaded when it is asked for first.
struct Library {
  std::string name;
  /// The file that was loaded, empty if none was, and why not.
  std::string path, why;
  void *handle = nullptr;

  /// The address of a function; null if the library does not have it.
  void *find(const char *symbol) const;
};

/// What heteroCallLibrary is called with.
struct LibraryCall {
  const Library &library;
  const HeteroValue *values;
  int32_t count;
  bool accumulate;
  const int64_t *parameters;
  int32_t numParameters;
  /// A pointer of the program for what is kept between calls, null at first;
  /// null where nothing may be kept.
  void **state;
  /// Of a library that computes on devices: where, and the stream that gets the
  /// work. The device's lock is held and its context is current.
  Device *device = nullptr;
  int32_t unit = 0;
  cuda::Stream stream = nullptr;
};

/// Computes on values; counts and types are checked by the function. One of a
/// device enqueues, and waits for nothing.
using LibraryFunction = HeteroStatus (*)(const LibraryCall &call);

/// True if the value has no elements.
bool isEmpty(const HeteroValue &value);
/// All that what is prepared for a call depends on: parameters, types, sizes
/// and strides.
std::vector<int64_t> getCallKey(const LibraryCall &call);

/// The libraries asked for so far and how often they were called, as JSON.
std::string printLibraries();
void resetLibraryCounts();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_LIBRARIES_H
