//===- CUDNN.h - The part of cuDNN in use -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Declarations of our own for the functions of cuDNN 9 that the runtime calls,
// so that it builds without the CUDA toolkit. Names and values are those of the
// documentation; enumerations are ints, and descriptors are pointers. A test
// compares them with cuDNN's headers where these are found.

#ifndef HETERO_LIB_RUNTIME_LIBRARIES_CUDNN_H
#define HETERO_LIB_RUNTIME_LIBRARIES_CUDNN_H

#include "Runtime/Libraries/DeviceLibrary.h"
#include "hetero/Runtime/CudaDriver.h"

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace hetero::runtime::cudnn {

using Handle = struct cudnnContext *;
/// Of a tensor, a filter, a convolution or an activation.
using Descriptor = void *;

/// cudnnStatus_t; from the last one on an execution failed.
enum : int {
  kSuccess = 0,
  kNotSupported = 3000,
  kHostAllocationFailed = 4003,
  kDeviceAllocationFailed = 4004,
  kExecutionFailed = 5000
};
/// cudnnDataType_t.
enum : int { kF32 = 0, kF64 = 1, kF16 = 2, kBF16 = 9 };
/// cudnnTensorFormat_t.
enum : int { kChannelsFirst = 0, kChannelsLast = 1 };
/// cudnnMathType_t.
enum : int {
  kDefaultMath = 0,
  kTensorOpMath = 1,
  kConvertingMath = 2,
  kFMAMath = 3
};
/// cudnnConvolutionMode_t, cudnnActivationMode_t, cudnnNanPropagation_t.
enum : int { kCrossCorrelation = 1, kRelu = 1, kPropagateNaN = 1 };

/// cudnnConvolutionFwdAlgoPerf_t.
struct AlgorithmResult {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, mathType;
  int reserved[3];
};

/// Member name, exported name, result, parameters.
#define HETERO_CUDNN_FUNCTIONS(X)                                              \
  X(create, cudnnCreate, int, (Handle *))                                      \
  X(destroy, cudnnDestroy, int, (Handle))                                      \
  X(setStream, cudnnSetStream, int, (Handle, cuda::Stream))                    \
  X(getErrorString, cudnnGetErrorString, const char *, (int))                  \
  X(createTensor, cudnnCreateTensorDescriptor, int, (Descriptor *))            \
  X(destroyTensor, cudnnDestroyTensorDescriptor, int, (Descriptor))            \
  X(setTensor, cudnnSetTensorNdDescriptor, int,                                \
    (Descriptor, int, int, const int *, const int *))                          \
  X(transform, cudnnTransformTensor, int,                                      \
    (Handle, const void *, Descriptor, const void *, const void *, Descriptor, \
     void *))                                                                  \
  X(addTensor, cudnnAddTensor, int,                                            \
    (Handle, const void *, Descriptor, const void *, const void *, Descriptor, \
     void *))                                                                  \
  X(createActivation, cudnnCreateActivationDescriptor, int, (Descriptor *))    \
  X(destroyActivation, cudnnDestroyActivationDescriptor, int, (Descriptor))    \
  X(setActivation, cudnnSetActivationDescriptor, int,                          \
    (Descriptor, int, int, double))                                            \
  X(activate, cudnnActivationForward, int,                                     \
    (Handle, Descriptor, const void *, Descriptor, const void *, const void *, \
     Descriptor, void *))                                                      \
  X(createFilter, cudnnCreateFilterDescriptor, int, (Descriptor *))            \
  X(destroyFilter, cudnnDestroyFilterDescriptor, int, (Descriptor))            \
  X(setFilter, cudnnSetFilterNdDescriptor, int,                                \
    (Descriptor, int, int, int, const int *))                                  \
  X(createConvolution, cudnnCreateConvolutionDescriptor, int, (Descriptor *))  \
  X(destroyConvolution, cudnnDestroyConvolutionDescriptor, int, (Descriptor))  \
  X(setConvolution, cudnnSetConvolutionNdDescriptor, int,                      \
    (Descriptor, int, const int *, const int *, const int *, int, int))        \
  X(setGroups, cudnnSetConvolutionGroupCount, int, (Descriptor, int))          \
  X(setMathType, cudnnSetConvolutionMathType, int, (Descriptor, int))          \
  X(findAlgorithms, cudnnGetConvolutionForwardAlgorithm_v7, int,               \
    (Handle, Descriptor, Descriptor, Descriptor, Descriptor, int, int *,       \
     AlgorithmResult *))                                                       \
  X(getWorkspaceSize, cudnnGetConvolutionForwardWorkspaceSize, int,            \
    (Handle, Descriptor, Descriptor, Descriptor, Descriptor, int, size_t *))   \
  X(convolve, cudnnConvolutionForward, int,                                    \
    (Handle, const void *, Descriptor, const void *, Descriptor, const void *, \
     Descriptor, int, void *, size_t, const void *, Descriptor, void *))       \
  X(convolveBiasActivate, cudnnConvolutionBiasActivationForward, int,          \
    (Handle, const void *, Descriptor, const void *, Descriptor, const void *, \
     Descriptor, int, void *, size_t, const void *, Descriptor, const void *,  \
     Descriptor, const void *, Descriptor, Descriptor, void *))

/// The functions of one loaded library.
struct Functions {
#define HETERO_CUDNN_MEMBER(member, name, result, parameters)                  \
  result(*member) parameters = nullptr;
  HETERO_CUDNN_FUNCTIONS(HETERO_CUDNN_MEMBER)
#undef HETERO_CUDNN_MEMBER
};

/// cuDNN for one unit of a device.
class UnitHandle : public LibraryHandle {
public:
  ~UnitHandle() override;
  HeteroStatus open(const LibraryCall &call);
  void forget(Device &device, const void *begin, const void *end) override;

  Functions functions;
  Handle handle = nullptr;
  /// What was prepared for calls, by their keys; null where cuDNN has nothing.
  std::map<std::vector<int64_t>, std::shared_ptr<struct Prepared>> prepared;
  /// Filters that never change, in the layouts of primitives: by the pointers
  /// of places that call.
  std::map<std::pair<const void *, std::shared_ptr<Prepared>>, void *> filters;
};

/// Calls functions of cuDNN up to the first one that fails.
class Calls {
public:
  Calls(const LibraryCall &call, const Functions &functions)
      : call(call), functions(functions) {}

  /// `name` is that of the function.
  template <typename... Parameters, typename... Arguments>
  Calls &run(const char *name, int (*function)(Parameters...),
             Arguments... arguments) {
    if (status != HETERO_OK)
      return *this;
    if (int result = function(arguments...))
      failAt(name, result);
    return *this;
  }
  HeteroStatus status = HETERO_OK;
  /// What the last function returned.
  int result = kSuccess;

private:
  void failAt(const char *name, int failure);

  const LibraryCall &call;
  const Functions &functions;
};

/// A descriptor that is destroyed with its owner.
class Owned {
public:
  Owned() = default;
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (descriptor)
      destroy(descriptor);
  }
  /// Where a function that creates one writes it.
  Descriptor *slot(int (*destroyIt)(Descriptor)) {
    destroy = destroyIt;
    return &descriptor;
  }
  Descriptor get() const { return descriptor; }

private:
  Descriptor descriptor = nullptr;
  int (*destroy)(Descriptor) = nullptr;
};

} // namespace hetero::runtime::cudnn

#endif // HETERO_LIB_RUNTIME_LIBRARIES_CUDNN_H
