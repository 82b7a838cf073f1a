//===- LateCopies.h - Copies that the list schedule leaves ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-schedule: where memory is short, buffers that copies fill live
// from where something needs them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_LATECOPIES_H
#define HETERO_TRANSFORMS_SCHEDULE_LATECOPIES_H

#include "mlir/IR/Block.h"

namespace mlir::hetero {

/// Moves copies from the host to buffers of the block, and the buffers, before
/// the first operation that uses them, or as far as what they read
/// stays the same. Returns how many copies moved.
int64_t sinkCopies(Block &block);

/// Moves copies from the host of one node to that of another one before the
/// next copy from the device that has sent what they read. Returns how many.
int64_t sendEarly(Block &block);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_LATECOPIES_H
