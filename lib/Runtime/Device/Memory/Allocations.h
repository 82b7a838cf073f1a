//===- Allocations.h - Memory by the number of a device ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_MEMORY_ALLOCATIONS_H
#define HETERO_LIB_RUNTIME_DEVICE_MEMORY_ALLOCATIONS_H

#include "hetero/Runtime/HeteroRuntime.h"

namespace hetero::runtime {

/// Whose an allocation is: what devices share with the host is the host's.
int32_t ownerOf(int32_t device, const void *pointer);
/// Allocates on a device or the host, or in HETERO_SHARED memory, outside of
/// any frame.
HeteroStatus allocate(int32_t device, int64_t bytes, int64_t alignment,
                      void **pointer);
HeteroStatus release(int32_t device, void *pointer, int64_t bytes);

/// Bytes of an allocation that left its frame; it is then no longer known.
bool takeDetached(int32_t device, void *pointer, int64_t &bytes);
void rememberDetached(int32_t device, void *pointer, int64_t bytes);
/// Their memory went with the devices' contexts.
void forgetDetachedOnDevices();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_MEMORY_ALLOCATIONS_H
