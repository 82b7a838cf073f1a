//===- BLAS.cpp - Products of matrices by a BLAS --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface is that of the reference CBLAS: cblas_sgemm, cblas_sgemv and
// their likes for double precision, with 32-bit sizes; or dnnl_sgemm, which is
// the same in oneDNN 2 and 3.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/BLAS.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Libraries/Matrices.h"

#include <functional>
#include <utility>

using namespace hetero::runtime;

namespace {
constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;

/// What a library computes products with; empty where it has no function.
template <typename T> struct Functions {
  /// Transposes, m, n, k, a, its leading dimension, b, c with beta before it.
  std::function<void(int, int, int, int, int, const T *, int, const T *, int, T,
                     T *, int)>
      gemm;
  /// Transpose, rows, columns, a, its leading dimension, x, its stride, beta,
  /// y, its stride.
  std::function<void(int, int, int, const T *, int, const T *, int, T, T *,
                     int)>
      gemv;
};

/// The code of a layout.
int transposeOf(const MatrixLayout &layout) {
  return layout.isTransposed ? kTranspose : kNoTranspose;
}
} // namespace

/// c = a * b + beta * c, element by element: for strides that no BLAS takes.
template <typename T>
static void multiplyPlainly(const Matrix<const T> &a, const Matrix<const T> &b,
                            const Matrix<T> &c, bool accumulate) {
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.columns; ++j) {
      T &element = c.data[i * c.rowStride + j * c.columnStride];
      T sum = accumulate ? element : T(0);
      for (int64_t k = 0; k < a.columns; ++k)
        sum += a.data[i * a.rowStride + k * a.columnStride] *
               b.data[k * b.rowStride + j * b.columnStride];
      element = sum;
    }
}

/// A product with one column: y = a * x + beta * y.
template <typename T>
static bool multiplyVector(const Functions<T> &functions,
                           const Matrix<const T> &a, const Matrix<const T> &x,
                           const Matrix<T> &y, T beta) {
  MatrixLayout layout;
  int64_t xStride = x.rows > 1 ? x.rowStride : 1;
  int64_t yStride = y.rows > 1 ? y.rowStride : 1;
  auto isStride = [](int64_t stride) {
    return stride > 0 && stride <= INT_MAX;
  };
  if (!functions.gemv || !findLayout(a, layout) || !isStride(xStride) ||
      !isStride(yStride))
    return false;
  int rows = static_cast<int>(a.rows), columns = static_cast<int>(a.columns);
  if (layout.isTransposed)
    std::swap(rows, columns);
  functions.gemv(transposeOf(layout), rows, columns, a.data, layout.leading,
                 x.data, static_cast<int>(xStride), beta, y.data,
                 static_cast<int>(yStride));
  return true;
}

/// A product of matrices, of which c has contiguous rows.
template <typename T>
static bool multiplyMatrices(const Functions<T> &functions,
                             const Matrix<const T> &a, const Matrix<const T> &b,
                             const Matrix<T> &c, T beta) {
  MatrixLayout layoutA, layoutB;
  int64_t leading = 0;
  if (!hasContiguousRows(c, leading) || !findLayout(a, layoutA) ||
      !findLayout(b, layoutB))
    return false;
  functions.gemm(transposeOf(layoutA), transposeOf(layoutB),
                 static_cast<int>(c.rows), static_cast<int>(c.columns),
                 static_cast<int>(a.columns), a.data, layoutA.leading, b.data,
                 layoutB.leading, beta, c.data, static_cast<int>(leading));
  return true;
}

template <typename T>
static void multiply(const Functions<T> &functions, const Matrix<const T> &a,
                     const Matrix<const T> &b, const Matrix<T> &c,
                     bool accumulate) {
  if (c.rows == 0 || c.columns == 0)
    return;
  T beta = accumulate ? 1 : 0;
  // A BLAS need not write what has no summands.
  if (a.columns == 0 || !functions.gemm)
    return multiplyPlainly(a, b, c, accumulate);
  if (c.columns == 1 && multiplyVector(functions, a, b, c, beta))
    return;
  if (c.rows == 1 && multiplyVector(functions, b.transposed(), a.transposed(),
                                    c.transposed(), beta))
    return;
  if (multiplyMatrices(functions, a, b, c, beta) ||
      multiplyMatrices(functions, b.transposed(), a.transposed(),
                       c.transposed(), beta))
    return;
  multiplyPlainly(a, b, c, accumulate);
}

/// The matrix of a value at one position of the batch.
template <typename T>
static Matrix<T> getMatrix(const HeteroValue &value, const int64_t *batch) {
  int last = value.rank - 1;
  int64_t offset = 0;
  for (int dim = 0; dim < last - 1; ++dim)
    if (value.sizes[dim] != 1)
      offset += batch[dim] * value.strides[dim];
  return {static_cast<T *>(value.data) + offset, value.sizes[last - 1],
          value.sizes[last], value.strides[last - 1], value.strides[last]};
}

template <typename T>
static void multiplyAll(const Functions<T> &functions,
                        const HeteroValue *values, bool accumulate) {
  const HeteroValue &a = values[0], &b = values[1], &c = values[2];
  int64_t batch[HETERO_MAX_RANK] = {}, matrices = 1;
  for (int dim = 0; dim < c.rank - 2; ++dim)
    matrices *= c.sizes[dim];
  for (int64_t i = 0; i < matrices; ++i) {
    multiply(functions, getMatrix<const T>(a, batch),
             getMatrix<const T>(b, batch), getMatrix<T>(c, batch), accumulate);
    for (int dim = c.rank - 3; dim >= 0 && ++batch[dim] == c.sizes[dim]; --dim)
      batch[dim] = 0;
  }
}

static HeteroStatus checkGemm(const LibraryCall &call) {
  if (call.count == 3) {
    const HeteroValue *values = call.values;
    int32_t type = values[2].type;
    if (values[0].type != type || values[1].type != type ||
        (type != HETERO_TYPE_F32 && type != HETERO_TYPE_F64))
      return fail(HETERO_ERROR_INVALID_ARGUMENT,
                  "gemm of " + call.library.name +
                      " takes values of one floating-point type of 32 or 64 "
                      "bits");
  }
  return checkProduct(call);
}

/// The functions of a CBLAS by their names.
template <typename T>
static Functions<T> findFunctions(const Library &library, const char *gemmName,
                                  const char *gemvName) {
  using Gemm = void (*)(int, int, int, int, int, int, T, const T *, int,
                        const T *, int, T, T *, int);
  using Gemv = void (*)(int, int, int, int, T, const T *, int, const T *, int,
                        T, T *, int);
  Functions<T> functions;
  if (auto gemm = reinterpret_cast<Gemm>(library.find(gemmName)))
    functions.gemm = [=](int ta, int tb, int m, int n, int k, const T *a,
                         int lda, const T *b, int ldb, T beta, T *c, int ldc) {
      gemm(kRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, ldc);
    };
  if (auto gemv = reinterpret_cast<Gemv>(library.find(gemvName)))
    functions.gemv = [=](int transpose, int m, int n, const T *a, int lda,
                         const T *x, int incx, T beta, T *y, int incy) {
      gemv(kRowMajor, transpose, m, n, 1, a, lda, x, incx, beta, y, incy);
    };
  return functions;
}

HeteroStatus hetero::runtime::callGemm(const LibraryCall &call) {
  if (HeteroStatus status = checkGemm(call))
    return status;
  if (call.values[2].type == HETERO_TYPE_F32)
    multiplyAll(
        findFunctions<float>(call.library, "cblas_sgemm", "cblas_sgemv"),
        call.values, call.accumulate);
  else
    multiplyAll(
        findFunctions<double>(call.library, "cblas_dgemm", "cblas_dgemv"),
        call.values, call.accumulate);
  return HETERO_OK;
}

HeteroStatus hetero::runtime::callGemmOfOneDNN(const LibraryCall &call) {
  using Gemm =
      int (*)(char, char, int64_t, int64_t, int64_t, float, const float *,
              int64_t, const float *, int64_t, float, float *, int64_t);
  if (HeteroStatus status = checkGemm(call))
    return status;
  if (call.values[2].type != HETERO_TYPE_F32)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "gemm of onednn takes values of 32 bits; use openblas");
  Functions<float> functions;
  auto gemm = reinterpret_cast<Gemm>(call.library.find("dnnl_sgemm"));
  int failure = 0;
  functions.gemm = [&](int ta, int tb, int m, int n, int k, const float *a,
                       int lda, const float *b, int ldb, float beta, float *c,
                       int ldc) {
    auto letter = [](int code) { return code == kTranspose ? 'T' : 'N'; };
    if (int status = gemm(letter(ta), letter(tb), m, n, k, 1, a, lda, b, ldb,
                          beta, c, ldc))
      failure = status;
  };
  multiplyAll(functions, call.values, call.accumulate);
  if (failure)
    return fail(HETERO_ERROR_PROGRAM,
                "dnnl_sgemm failed with status " + std::to_string(failure));
  return HETERO_OK;
}
