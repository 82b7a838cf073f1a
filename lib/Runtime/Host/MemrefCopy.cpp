//===- MemrefCopy.cpp - Copies between views of host memory ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function that MLIR's lowering of a memref.copy calls if it does not see
// that both buffers are contiguous. The compiler makes loops of copies between
// views; what is left is a copy whose types lost, to constants that were found
// later, what they said of it.
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <cstring>

namespace {
/// A memref of any rank, as MLIR passes it: base, aligned pointer, offset,
/// sizes, strides.
struct UnrankedMemref {
  int64_t rank;
  const int64_t *descriptor;
};

/// What of it is needed here.
class View {
public:
  explicit View(const UnrankedMemref &memref, int64_t elementBytes)
      : rank(memref.rank), sizes(memref.descriptor + 3),
        strides(memref.descriptor + 3 + rank) {
    char *aligned;
    std::memcpy(&aligned, memref.descriptor + 1, sizeof(aligned));
    data = aligned + memref.descriptor[2] * elementBytes;
  }

  int64_t rank;
  const int64_t *sizes, *strides;
  char *data;
};
} // namespace

/// Copies dimension `dim` and those inside of it.
static void copyDimension(const View &from, const char *source, const View &to,
                          char *target, int64_t dim, int64_t contiguous,
                          int64_t bytes) {
  if (dim == contiguous) {
    for (int64_t inner = dim; inner < from.rank; ++inner)
      bytes *= from.sizes[inner];
    std::memcpy(target, source, bytes);
    return;
  }
  for (int64_t i = 0; i < from.sizes[dim]; ++i)
    copyDimension(from, source + i * from.strides[dim] * bytes, to,
                  target + i * to.strides[dim] * bytes, dim + 1, contiguous,
                  bytes);
}

extern "C" HETERO_EXPORT void memrefCopy(int64_t elementBytes,
                                         const UnrankedMemref *source,
                                         const UnrankedMemref *target) {
  View from(*source, elementBytes), to(*target, elementBytes);
  // The dimensions from here on are one piece of memory in both.
  int64_t contiguous = from.rank, elements = 1;
  while (contiguous > 0 && from.strides[contiguous - 1] == elements &&
         to.strides[contiguous - 1] == elements)
    elements *= from.sizes[--contiguous];
  for (int64_t dim = 0; dim < from.rank; ++dim)
    if (from.sizes[dim] == 0)
      return;
  copyDimension(from, from.data, to, to.data, 0, contiguous, elementBytes);
}
