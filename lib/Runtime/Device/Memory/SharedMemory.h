//===- SharedMemory.h - Memory that devices share with the host -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_MEMORY_SHAREDMEMORY_H
#define HETERO_LIB_RUNTIME_DEVICE_MEMORY_SHAREDMEMORY_H

#include "hetero/Runtime/HeteroRuntime.h"

namespace hetero::runtime {

/// The gpu of a HETERO_SHARED device number, or HETERO_HOST for any other.
inline int32_t sharerOf(int32_t device) {
  return device < HETERO_HOST ? HETERO_SHARED(device) : HETERO_HOST;
}

/// Memory that the host and all gpus have under one address, allocated through
/// `gpu`. Counts as the host's.
HeteroStatus allocateShared(int32_t gpu, int64_t bytes, void **pointer);
/// False if none begins there. Whoever frees has waited for what uses it.
bool freeShared(void *pointer);
/// True if all of the bytes are of one block in use.
bool isShared(const void *pointer, int64_t bytes);
/// All of it went with the devices' contexts.
void forgetSharedMemory();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_MEMORY_SHAREDMEMORY_H
