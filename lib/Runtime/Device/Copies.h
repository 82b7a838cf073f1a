//===- Copies.h - Copies from, to and between devices -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_COPIES_H
#define HETERO_LIB_RUNTIME_DEVICE_COPIES_H

#include "Runtime/Device/Submit/Operation.h"
#include "hetero/Runtime/HeteroRuntime.h"

namespace hetero::runtime {

HeteroStatus copyBetween(int32_t toDevice, void *to, int32_t fromDevice,
                         const void *from, int64_t bytes, const char *name);
HeteroStatus copyRowsBetween(int32_t toDevice, void *to, int32_t fromDevice,
                             const void *from, Rows rows, const char *name);
/// Copies between the host and the device; what is from the host has been read.
HeteroStatus copyStaged(Device &device, int32_t unit, bool isIn, void *to,
                        const void *from, Rows rows, const char *name);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_COPIES_H
