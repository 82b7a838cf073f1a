//===- CUBLAS.h - The part of cuBLAS in use ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Declarations of our own for the functions of cuBLAS 12 and 13 that the
// runtime calls, so that it builds without the CUDA toolkit. Names and values
// are those of the documentation; enumerations are ints. A test compares them
// with the toolkit's headers where these are found.

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_CUBLAS_H
#define HETERO_LIB_RUNTIME_LIBRARIES_CUBLAS_H

#include "Runtime/Libraries/Libraries.h"
#include "hetero/Runtime/CudaDriver.h"

#include <cstddef>

namespace hetero::runtime::cublas {

using Handle = struct cublasContext *;

/// cublasStatus_t.
enum : int { kSuccess = 0, kAllocFailed = 3, kExecutionFailed = 13 };
/// cublasOperation_t.
enum : int { kNoTranspose = 0, kTranspose = 1 };
/// cudaDataType.
enum : int { kF32 = 0, kF64 = 1, kF16 = 2, kBF16 = 14 };
/// cublasComputeType_t.
enum : int { kComputeF32 = 68, kComputeF64 = 70, kComputeTF32 = 77 };
/// cublasMath_t; the default takes no tf32.
enum : int { kDefaultMath = 0, kNoReducedSums = 16 };
/// cublasGemmAlgo_t.
enum : int { kDefaultAlgorithm = -1 };

/// Member name, exported name, result, parameters.
#define HETERO_CUBLAS_FUNCTIONS(X)                                             \
  X(create, cublasCreate_v2, int, (Handle *))                                  \
  X(destroy, cublasDestroy_v2, int, (Handle))                                  \
  X(setStream, cublasSetStream_v2, int, (Handle, cuda::Stream))                \
  X(setWorkspace, cublasSetWorkspace_v2, int, (Handle, void *, size_t))        \
  X(setMathMode, cublasSetMathMode, int, (Handle, int))                        \
  X(getStatusName, cublasGetStatusName, const char *, (int))                   \
  X(getStatusString, cublasGetStatusString, const char *, (int))               \
  X(gemm, cublasGemmEx, int,                                                   \
    (Handle, int, int, int, int, int, const void *, const void *, int, int,    \
     const void *, int, int, const void *, void *, int, int, int, int))        \
  X(gemmBatched, cublasGemmStridedBatchedEx, int,                              \
    (Handle, int, int, int, int, int, const void *, const void *, int, int,    \
     long long, const void *, int, int, long long, const void *, void *, int,  \
     int, long long, int, int, int))

/// The functions of one loaded library.
struct Functions {
#define HETERO_CUBLAS_MEMBER(member, name, result, parameters)                 \
  result(*member) parameters = nullptr;
  HETERO_CUBLAS_FUNCTIONS(HETERO_CUBLAS_MEMBER)
#undef HETERO_CUBLAS_MEMBER
};

} // namespace hetero::runtime::cublas

namespace hetero::runtime {

/// gemm, on a device.
HeteroStatus callGemmOfCUBLAS(const LibraryCall &call);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_LIBRARIES_CUBLAS_H
