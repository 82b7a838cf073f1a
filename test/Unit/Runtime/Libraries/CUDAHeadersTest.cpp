//===- CUDAHeadersTest.cpp - Our declarations against NVIDIA's -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime declares the functions of cuBLAS and cuDNN itself. Where the
// headers are found, their types have to be the same for the ABI: enumerations
// are ints, handles and descriptors are pointers. Where the libraries are, they
// have to have the functions.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/CUBLAS.h"
#include "Runtime/Libraries/CUDNN.h"

#include "gtest/gtest.h"
#include <cstddef>
#include <cublas_v2.h>
#include <cudnn.h>
#include <dlfcn.h>
#include <string>
#include <type_traits>

using namespace hetero::runtime;

namespace {
/// Whether a caller passes both in the same way.
template <typename A, typename B> constexpr bool arePassedAlike() {
  if (std::is_pointer_v<A> || std::is_pointer_v<B>)
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  return sizeof(A) == sizeof(B) &&
         std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <typename A, typename B> struct AreAlike : std::false_type {};
template <typename A, typename... As, typename B, typename... Bs>
struct AreAlike<A (*)(As...), B (*)(Bs...)> {
  static constexpr bool areAllAlike() {
    if constexpr (sizeof...(As) == sizeof...(Bs))
      return arePassedAlike<A, B>() && (arePassedAlike<As, Bs>() && ...);
    return false;
  }
  static constexpr bool value = areAllAlike();
};

/// The header's own overloads for old callers hide the types of two functions.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const void *, const void *, cudaDataType, int,
                                  const void *, cudaDataType, int, const void *,
                                  void *, cudaDataType, int,
                                  cublasComputeType_t, cublasGemmAlgo_t);
using GemmStridedBatchedEx = cublasStatus_t (*)(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *,
    cudaDataType, int, long long, const void *, void *, cudaDataType, int,
    long long, int, cublasComputeType_t, cublasGemmAlgo_t);

#define HETERO_CHECK(member, name, result, parameters)                         \
  static_assert(                                                               \
      AreAlike<decltype(Functions::member), decltype(&::name)>::value,         \
      #name " is declared otherwise");
namespace ofCUBLAS {
using cublas::Functions;
static_assert(AreAlike<decltype(Functions::gemm), GemmEx>::value);
static_assert(
    AreAlike<decltype(Functions::gemmBatched), GemmStridedBatchedEx>::value);
static_assert(
    AreAlike<decltype(Functions::create), decltype(&cublasCreate_v2)>::value);
static_assert(
    AreAlike<decltype(Functions::destroy), decltype(&cublasDestroy_v2)>::value);
static_assert(AreAlike<decltype(Functions::setStream),
                       decltype(&cublasSetStream_v2)>::value);
static_assert(AreAlike<decltype(Functions::setWorkspace),
                       decltype(&cublasSetWorkspace_v2)>::value);
static_assert(AreAlike<decltype(Functions::setMathMode),
                       decltype(&::cublasSetMathMode)>::value);
static_assert(AreAlike<decltype(Functions::getStatusName),
                       decltype(&::cublasGetStatusName)>::value);
static_assert(AreAlike<decltype(Functions::getStatusString),
                       decltype(&::cublasGetStatusString)>::value);
} // namespace ofCUBLAS
namespace ofCUDNN {
using cudnn::Functions;
HETERO_CUDNN_FUNCTIONS(HETERO_CHECK)
} // namespace ofCUDNN
#undef HETERO_CHECK

static_assert(cublas::kAllocFailed == CUBLAS_STATUS_ALLOC_FAILED &&
              cublas::kExecutionFailed == CUBLAS_STATUS_EXECUTION_FAILED);
static_assert(cublas::kNoTranspose == CUBLAS_OP_N &&
              cublas::kTranspose == CUBLAS_OP_T);
static_assert(cublas::kF32 == CUDA_R_32F && cublas::kF64 == CUDA_R_64F &&
              cublas::kF16 == CUDA_R_16F && cublas::kBF16 == CUDA_R_16BF);
static_assert(cublas::kComputeF32 == CUBLAS_COMPUTE_32F &&
              cublas::kComputeF64 == CUBLAS_COMPUTE_64F &&
              cublas::kComputeTF32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(cublas::kDefaultMath == CUBLAS_DEFAULT_MATH &&
              cublas::kNoReducedSums ==
                  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
static_assert(cublas::kDefaultAlgorithm == CUBLAS_GEMM_DEFAULT);

static_assert(cudnn::kNotSupported == CUDNN_STATUS_NOT_SUPPORTED &&
              cudnn::kExecutionFailed == CUDNN_STATUS_EXECUTION_FAILED);
static_assert(cudnn::kHostAllocationFailed ==
                  CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED &&
              cudnn::kDeviceAllocationFailed ==
                  CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
static_assert(cudnn::kF32 == CUDNN_DATA_FLOAT &&
              cudnn::kF64 == CUDNN_DATA_DOUBLE &&
              cudnn::kF16 == CUDNN_DATA_HALF &&
              cudnn::kBF16 == CUDNN_DATA_BFLOAT16);
static_assert(cudnn::kChannelsFirst == CUDNN_TENSOR_NCHW &&
              cudnn::kChannelsLast == CUDNN_TENSOR_NHWC);
static_assert(cudnn::kDefaultMath == CUDNN_DEFAULT_MATH &&
              cudnn::kTensorOpMath == CUDNN_TENSOR_OP_MATH &&
              cudnn::kConvertingMath == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION &&
              cudnn::kFMAMath == CUDNN_FMA_MATH);
static_assert(cudnn::kCrossCorrelation == CUDNN_CROSS_CORRELATION &&
              cudnn::kRelu == CUDNN_ACTIVATION_RELU &&
              cudnn::kPropagateNaN == CUDNN_PROPAGATE_NAN);
static_assert(sizeof(cudnn::AlgorithmResult) ==
                  sizeof(cudnnConvolutionFwdAlgoPerf_t) &&
              offsetof(cudnn::AlgorithmResult, memory) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, memory) &&
              offsetof(cudnn::AlgorithmResult, mathType) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, mathType));

void *open(const char *name) {
  return dlopen((std::string(HETERO_CUDA_LIBRARIES "/") + name).c_str(),
                RTLD_LAZY | RTLD_LOCAL);
}
} // namespace

TEST(CUDAHeaders, NameFunctionsThatCUBLASHas) {
  void *library = open("libcublas.so");
  if (!library)
    GTEST_SKIP() << dlerror();
#define HETERO_CHECK(member, name, result, parameters)                         \
  EXPECT_TRUE(dlsym(library, #name)) << #name;
  HETERO_CUBLAS_FUNCTIONS(HETERO_CHECK)
}

TEST(CUDAHeaders, NameFunctionsThatCUDNNHas) {
  void *library = open("libcudnn.so");
  if (!library)
    GTEST_SKIP() << dlerror();
  HETERO_CUDNN_FUNCTIONS(HETERO_CHECK)
#undef HETERO_CHECK
}
