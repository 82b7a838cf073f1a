//===- CopyStreams.h - Which copies get a stream of their own ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_COPYSTREAMS_H
#define HETERO_TRANSFORMS_SCHEDULE_COPYSTREAMS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"

namespace mlir::hetero {

/// One end of a copy: the copy, and whether it is the target's.
using CopyEnd = llvm::PointerIntPair<Operation *, 1, bool>;

/// The ends of copies that gain from a stream of their own: a neighbour on
/// another engine of the device could run at the same time.
llvm::DenseSet<CopyEnd> findOverlappingCopies(Block &block);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_COPYSTREAMS_H
