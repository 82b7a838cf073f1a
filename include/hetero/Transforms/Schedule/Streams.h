//===- Streams.h - Which stream work is on ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_STREAMS_H
#define HETERO_TRANSFORMS_SCHEDULE_STREAMS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// The stream of a kernel or of a library's call on a device, a device with or
/// without a unit; null for what is neither.
DeviceAttr getKernelStream(Operation *op);

/// True if the host has waited for the stream when it has waited for `device`.
bool isAwaited(DeviceAttr stream, DeviceAttr device);

/// True for what the host computes itself, and for the marks around it. Who
/// needs what it makes reads the buffers that it names.
bool isHostWork(Operation *op);

/// True for what is neither a kernel, a copy nor an allocation and may do
/// anything with buffers of devices.
bool mayTouchDevices(Operation *op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_STREAMS_H
