//===- FakeBLAS.cpp - A BLAS for the tests --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops with CBLAS's interface, which is a published one, and with
// the function for products of oneDNN. It aborts on
// arguments that a BLAS refuses. HETERO_FAKE_BLAS_OFFSET is added to each
// result, so that a test sees who computed it.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define EXPORT extern "C" __attribute__((visibility("default")))

static constexpr int kTranspose = 112;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fake BLAS: illegal value of %s\n", what);
  std::abort();
}

static double getOffset() {
  const char *text = std::getenv("HETERO_FAKE_BLAS_OFFSET");
  return text ? std::atof(text) : 0;
}

template <typename T>
static void gemm(int order, int transA, int transB, int m, int n, int k,
                 T alpha, const T *a, int lda, const T *b, int ldb, T beta,
                 T *c, int ldc) {
  bool flipA = transA == kTranspose, flipB = transB == kTranspose;
  require(order == 101, "the order");
  require(m >= 0 && n >= 0 && k >= 0, "a size");
  require(lda >= std::max(1, flipA ? m : k), "lda");
  require(ldb >= std::max(1, flipB ? k : n), "ldb");
  require(ldc >= std::max(1, n), "ldc");
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = getOffset();
      for (int64_t x = 0; x < k; ++x)
        sum += double(flipA ? a[x * lda + i] : a[i * lda + x]) *
               double(flipB ? b[j * ldb + x] : b[x * ldb + j]);
      T &element = c[i * ldc + j];
      element = T(alpha * sum + (beta == 0 ? 0 : beta * element));
    }
}

template <typename T>
static void gemv(int order, int trans, int m, int n, T alpha, const T *a,
                 int lda, const T *x, int incX, T beta, T *y, int incY) {
  require(order == 101, "the order");
  require(lda >= std::max(1, n), "lda");
  require(incX != 0 && incY != 0, "an increment");
  bool flip = trans == kTranspose;
  for (int64_t i = 0; i < (flip ? n : m); ++i) {
    double sum = getOffset();
    for (int64_t j = 0; j < (flip ? m : n); ++j)
      sum +=
          double(flip ? a[j * lda + i] : a[i * lda + j]) * double(x[j * incX]);
    T &element = y[i * incY];
    element = T(alpha * sum + (beta == 0 ? 0 : beta * element));
  }
}

EXPORT void cblas_sgemm(int order, int ta, int tb, int m, int n, int k,
                        float alpha, const float *a, int lda, const float *b,
                        int ldb, float beta, float *c, int ldc) {
  gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT void cblas_dgemm(int order, int ta, int tb, int m, int n, int k,
                        double alpha, const double *a, int lda, const double *b,
                        int ldb, double beta, double *c, int ldc) {
  gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT void cblas_sgemv(int order, int trans, int m, int n, float alpha,
                        const float *a, int lda, const float *x, int incX,
                        float beta, float *y, int incY) {
  gemv(order, trans, m, n, alpha, a, lda, x, incX, beta, y, incY);
}

EXPORT void cblas_dgemv(int order, int trans, int m, int n, double alpha,
                        const double *a, int lda, const double *x, int incX,
                        double beta, double *y, int incY) {
  gemv(order, trans, m, n, alpha, a, lda, x, incX, beta, y, incY);
}

EXPORT int dnnl_sgemm(char ta, char tb, int64_t m, int64_t n, int64_t k,
                      float alpha, const float *a, int64_t lda, const float *b,
                      int64_t ldb, float beta, float *c, int64_t ldc) {
  gemm<float>(101, ta == 'T' ? kTranspose : 111, tb == 'T' ? kTranspose : 111,
              int(m), int(n), int(k), alpha, a, int(lda), b, int(ldb), beta, c,
              int(ldc));
  return 0;
}
