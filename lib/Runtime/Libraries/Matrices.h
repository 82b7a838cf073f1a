//===- Matrices.h - Matrices as products take them --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all libraries for products share: the matrices of a batch, and the
// layouts in which a BLAS finds their elements.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_MATRICES_H
#define HETERO_LIB_RUNTIME_LIBRARIES_MATRICES_H

#include "Runtime/Libraries/Libraries.h"

#include <algorithm>
#include <climits>
#include <string>

namespace hetero::runtime {

/// One matrix of a batch; strides count elements.
template <typename T> struct Matrix {
  T *data;
  int64_t rows, columns, rowStride, columnStride;

  Matrix transposed() const {
    return {data, columns, rows, columnStride, rowStride};
  }
};

/// How a BLAS finds the elements: rows, or columns if transposed, at distances
/// of `leading`.
struct MatrixLayout {
  bool isTransposed;
  int leading;
};

/// A layout whose rows are contiguous; false if they are not.
template <typename T>
bool hasContiguousRows(const Matrix<T> &matrix, int64_t &leading) {
  if (matrix.columns > 1 && matrix.columnStride != 1)
    return false;
  leading =
      matrix.rows > 1 ? matrix.rowStride : std::max<int64_t>(matrix.columns, 1);
  return leading >= std::max<int64_t>(matrix.columns, 1) && leading <= INT_MAX;
}

/// False for a matrix of which neither rows nor columns are contiguous.
template <typename T>
bool findLayout(const Matrix<T> &matrix, MatrixLayout &layout) {
  int64_t leading = 0;
  layout.isTransposed = !hasContiguousRows(matrix, leading);
  if (layout.isTransposed && !hasContiguousRows(matrix.transposed(), leading))
    return false;
  layout.leading = static_cast<int>(leading);
  return true;
}

/// "4x8", the sizes of a value.
std::string describeSizes(const HeteroValue &value);

/// Fails unless there are three values of one rank, whose sizes are those of a
/// product and 32 bits wide. Types are the caller's matter.
HeteroStatus checkProduct(const LibraryCall &call);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_MATRICES_H
