//===- FakeCUBLAS.cpp - A cuBLAS for the tests ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops on the memory of the emulated device as the functions of
// cuBLAS that the runtime calls. It ends the process on arguments that the
// documentation forbids.
//
//   HETERO_FAKE_OFFSET   is added to each result, so that a test sees who
//                        computed it
//   HETERO_FAKE_STATUS   is what products return, when it is set
//   HETERO_FAKE_LOG      calls are printed
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceLibrary.h"

#include <algorithm>

using namespace hetero;
using namespace hetero::fake;

#define EXPORT extern "C" __attribute__((visibility("default")))

struct cublasContext {
  cuda::Stream stream = nullptr;
  void *workspace = nullptr;
  int mathMode = 0;
  Jobs jobs;
};

namespace {
/// A matrix as an argument: `rows` elements next to each other, columns apart.
struct Operand {
  const void *address;
  Element type;
  int64_t rows, columns, leading, stride;
  bool isTransposed;

  int64_t at(int64_t row, int64_t column) const {
    return isTransposed ? row * leading + column : column * leading + row;
  }
  Array toArray(int64_t batch) const {
    int64_t columnsThere = isTransposed ? rows : columns;
    int64_t rowsThere = isTransposed ? columns : rows;
    require(leading >= std::max<int64_t>(1, rowsThere),
            "a leading dimension is too small");
    return {address,
            (batch - 1) * stride + (columnsThere - 1) * leading + rowsThere,
            type};
  }
};
} // namespace

static Element typeOf(int type) {
  require(type == 0 || type == 1 || type == 2 || type == 14, "unknown type");
  return type == 0   ? Element::F32
         : type == 1 ? Element::F64
         : type == 2 ? Element::F16
                     : Element::BF16;
}

static void checkTypes(int left, int right, int result, int compute) {
  bool isHalf = left == 2 || left == 14;
  require(left == right && (result == left || (isHalf && result == 0)),
          "types that cublasGemmEx does not combine");
  require(compute == (left == 1 ? 70 : 68) || (compute == 77 && left == 0),
          "a compute type that does not fit the types");
}

static double loadFactor(const void *factor, int compute) {
  return compute == 70 ? *static_cast<const double *>(factor)
                       : *static_cast<const float *>(factor);
}

static int multiply(cublasContext *handle, Operand a, Operand b, Operand c,
                    const void *alpha, const void *beta, int64_t batch,
                    int compute) {
  require(handle->workspace, "no workspace since the stream was set");
  require(handle->mathMode == 16, "the math mode reduces precision");
  double scale = loadFactor(alpha, compute), add = loadFactor(beta, compute);
  double offset = getSetting("HETERO_FAKE_OFFSET");
  int status = static_cast<int>(getSetting("HETERO_FAKE_STATUS"));
  if (status)
    return status;
  handle->jobs.enqueue(
      handle->stream, {a.toArray(batch), b.toArray(batch), c.toArray(batch)},
      [=](const std::vector<char *> &arrays) {
        for (int64_t i = 0; i < batch; ++i)
          for (int64_t column = 0; column < c.columns; ++column)
            for (int64_t row = 0; row < c.rows; ++row) {
              double sum = offset;
              for (int64_t k = 0; k < a.columns; ++k)
                sum += load(arrays[0], i * a.stride + a.at(row, k), a.type) *
                       load(arrays[1], i * b.stride + b.at(k, column), b.type);
              int64_t place = i * c.stride + c.at(row, column);
              double old = add ? add * load(arrays[2], place, c.type) : 0;
              store(arrays[2], place, c.type, scale * sum + old);
            }
      });
  return 0;
}

EXPORT int cublasCreate_v2(cublasContext **handle) {
  *handle = new cublasContext;
  log("cublasCreate");
  return 0;
}

EXPORT int cublasDestroy_v2(cublasContext *handle) {
  delete handle;
  log("cublasDestroy");
  return 0;
}

EXPORT int cublasSetStream_v2(cublasContext *handle, cuda::Stream stream) {
  handle->stream = stream;
  handle->workspace = nullptr;
  return 0;
}

EXPORT int cublasSetWorkspace_v2(cublasContext *handle, void *workspace,
                                 size_t bytes) {
  require(reinterpret_cast<uintptr_t>(workspace) % 256 == 0 && bytes > 0,
          "a workspace that is not aligned");
  handle->workspace = workspace;
  return 0;
}

EXPORT int cublasSetMathMode(cublasContext *handle, int mode) {
  handle->mathMode = mode;
  return 0;
}

EXPORT const char *cublasGetStatusName(int status) {
  return status == 3    ? "CUBLAS_STATUS_ALLOC_FAILED"
         : status == 15 ? "CUBLAS_STATUS_NOT_SUPPORTED"
                        : "CUBLAS_STATUS_INTERNAL_ERROR";
}

EXPORT const char *cublasGetStatusString(int) { return "as the test wants"; }

static std::string describe(int ta, int tb, int m, int n, int k, int type,
                            int result, int compute) {
  auto letter = [](int transpose) { return transpose ? "T" : "N"; };
  return std::string(letter(ta)) + letter(tb) + " m=" + std::to_string(m) +
         " n=" + std::to_string(n) + " k=" + std::to_string(k) +
         " type=" + std::to_string(type) + " result=" + std::to_string(result) +
         " compute=" + std::to_string(compute);
}

EXPORT int cublasGemmEx(cublasContext *handle, int ta, int tb, int m, int n,
                        int k, const void *alpha, const void *a, int typeA,
                        int lda, const void *b, int typeB, int ldb,
                        const void *beta, void *c, int typeC, int ldc,
                        int compute, int) {
  log("cublasGemmEx " + describe(ta, tb, m, n, k, typeA, typeC, compute));
  require(m > 0 && n > 0 && k > 0, "a size");
  checkTypes(typeA, typeB, typeC, compute);
  return multiply(handle, {a, typeOf(typeA), m, k, lda, 0, ta != 0},
                  {b, typeOf(typeB), k, n, ldb, 0, tb != 0},
                  {c, typeOf(typeC), m, n, ldc, 0, false}, alpha, beta, 1,
                  compute);
}

EXPORT int cublasGemmStridedBatchedEx(cublasContext *handle, int ta, int tb,
                                      int m, int n, int k, const void *alpha,
                                      const void *a, int typeA, int lda,
                                      long long strideA, const void *b,
                                      int typeB, int ldb, long long strideB,
                                      const void *beta, void *c, int typeC,
                                      int ldc, long long strideC, int batch,
                                      int compute, int) {
  log("cublasGemmStridedBatchedEx " +
      describe(ta, tb, m, n, k, typeA, typeC, compute) +
      " batch=" + std::to_string(batch));
  require(m > 0 && n > 0 && k > 0 && batch > 0, "a size");
  checkTypes(typeA, typeB, typeC, compute);
  return multiply(handle, {a, typeOf(typeA), m, k, lda, strideA, ta != 0},
                  {b, typeOf(typeB), k, n, ldb, strideB, tb != 0},
                  {c, typeOf(typeC), m, n, ldc, strideC, false}, alpha, beta,
                  batch, compute);
}
