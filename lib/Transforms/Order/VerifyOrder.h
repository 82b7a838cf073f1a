//===- VerifyOrder.h - Nobody is too early ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that something orders every two accesses to the same memory, and the
// free of memory after its last access:
//
//   (C1) of two operations on streams, or of the host and a stream, that touch
//        the same bytes, one of them to write, the second begins when the first
//        is done: by the order of a stream, a hetero.order or a hetero.wait;
//   (C2) memory of the host is freed when all streams are done with it, that of
//        a device after all that uses it has been enqueued;
//   (C3) before control flow or a call that gives work to devices, and at the
//        end of a block or function that does, the device's own stream comes
//        after its streams for copies, and the host has waited for all that is
//        sent to it, and for all memory that it shares; for the latter not
//        where control flow ends that gives such memory no other name.
//
// A block and a function take it that all streams of kernels may have touched
// all memory from outside before; an entry point begins with idle devices.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_ORDER_VERIFYORDER_H
#define HETERO_TRANSFORMS_ORDER_VERIFYORDER_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Checks C1 to C3 in the functions of a scheduled program. Names the first
/// operation that comes too early, the one that it should wait for, and the
/// wait or order that is missing.
LogicalResult verifyOrder(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_ORDER_VERIFYORDER_H
