//===- ArenaLayout.h - Offsets of buffers in one arena ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers whose sizes and lifetimes are known get offsets within one piece of
// memory, so that no two that live at the same time overlap. The least size is
// NP-hard to find (dynamic storage allocation; Garey and Johnson, problem SR2)
// and never below the bytes that live at once.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_ARENALAYOUT_H
#define HETERO_SUPPORT_SOLVERS_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>

namespace mlir::hetero {

/// A buffer that lives from step `begin` on until before step `end`. Where a
/// device works on several streams, a buffer that another of them writes first
/// may have to wait longer for the memory.
struct BufferLifetime {
  int64_t begin, end, bytes;
  /// The stream that writes it first.
  unsigned stream = 0;
  /// By stream; `end` for streams that are not there.
  llvm::SmallVector<int64_t, 0> ends = {};

  int64_t getEnd(unsigned other) const {
    return other < ends.size() ? ends[other] : end;
  }
  /// The end for every stream.
  int64_t getLastEnd() const {
    return ends.empty() ? end : std::max(end, *llvm::max_element(ends));
  }
};

/// True if two buffers may not share memory.
bool liveAtOnce(const BufferLifetime &a, const BufferLifetime &b);

struct ArenaLayout {
  /// In bytes, of each buffer; multiples of the alignment.
  llvm::SmallVector<int64_t, 0> offsets;
  /// Size of the arena in bytes; INT64_MAX where it cannot be represented.
  int64_t bytes = 0;
};

/// Most bytes that live at one step, and the first such step. Each size counts
/// rounded up to a multiple of `alignment`; sums saturate at INT64_MAX. What
/// else streams have to wait for does not count.
struct LivePeak {
  int64_t bytes = 0, step = 0;
};
LivePeak findLivePeak(llvm::ArrayRef<BufferLifetime> buffers,
                      int64_t alignment);

/// Offsets for the buffers. Several orders of placing them at their best fit
/// are tried, and improved by placing those first that stick out, until the
/// arena is no larger than what lives at once or the effort is spent. Many
/// buffers are placed once, in the order of their lives.
ArenaLayout layOutArena(llvm::ArrayRef<BufferLifetime> buffers,
                        int64_t alignment);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_ARENALAYOUT_H
