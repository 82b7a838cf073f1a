//===- PerThread.h - The calling thread's own stream ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STREAMS_PERTHREAD_H
#define HETERO_LIB_EMULATOR_DRIVER_STREAMS_PERTHREAD_H

#include "Emulator/Driver/State/Context.h"

namespace hetero::emulator {

/// Whether a call that says nothing of a stream means the thread's own.
bool nullMeansOwnStream();

/// The calling thread's own stream; it waits for the default stream and is
/// waited for.
std::shared_ptr<Stream> ownStream(Context &context);

/// Handles that stand for no stream that was created.
enum : uintptr_t { kNoStream = 0, kLegacyStream = 1, kPerThreadStream = 2 };

inline bool isOwnStream(cuda::Stream handle) {
  auto number = reinterpret_cast<uintptr_t>(handle);
  return number == kPerThreadStream ||
         (number == kNoStream && nullMeansOwnStream());
}

/// True for the stream that all blocking ones wait for.
inline bool isDefaultStream(cuda::Stream handle) {
  return reinterpret_cast<uintptr_t>(handle) <= kLegacyStream &&
         !isOwnStream(handle);
}

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STREAMS_PERTHREAD_H
