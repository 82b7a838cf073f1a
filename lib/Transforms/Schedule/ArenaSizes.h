//===- ArenaSizes.h - Arenas whose size is known at run time ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_ARENASIZES_H
#define HETERO_TRANSFORMS_SCHEDULE_ARENASIZES_H

#include "hetero/Support/Solvers/ArenaLayout.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace mlir::hetero {

/// True if the entry of the function can compute how large the buffer is: from
/// sizes of arguments, numbers that it gets, and what is pure.
bool isSizedAtEntry(memref::AllocOp alloc);

/// A buffer in an arena that was laid out for some sizes, when it lives, and
/// where that put it: from `begin` to before `end`.
struct ArenaPlace {
  memref::AllocOp alloc;
  BufferLifetime life;
  int64_t begin, end;
};

/// Where the buffers are, as values, their sizes that are not known, and the
/// size of the arena.
struct ArenaOffsets {
  SmallVector<Value> offsets;
  SmallVector<SmallVector<Value>> sizes;
  Value bytes;
};

/// Computes these from the sizes at the insertion point of the builder, in the
/// entry block. Of two buffers that live at once the one that was before the
/// other is before it for any sizes.
ArenaOffsets computeArena(OpBuilder &builder, Location loc,
                          ArrayRef<ArenaPlace> places, int64_t alignment);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_ARENASIZES_H
