//===- HostMemory.h - Memory of the host for compiled code ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_HOSTMEMORY_H
#define HETERO_LIB_RUNTIME_HOST_HOSTMEMORY_H

#include "hetero/Runtime/HeteroRuntime.h"

namespace hetero::runtime {

/// At least 64 bytes aligned. What is released is kept for the next ones, up to
/// the most that was in use at once.
HeteroStatus allocateOnHost(int64_t bytes, int64_t alignment, void **pointer);
/// `bytes` as it was allocated.
void freeOnHost(void *pointer, int64_t bytes);
/// Gives back what is kept.
void trimHostMemory();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_HOSTMEMORY_H
