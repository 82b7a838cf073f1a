//===- CudaDriver.h - The part of the CUDA driver API in use ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Declarations of our own for the few functions of the CUDA driver API that the
// runtime calls, so that it builds without the CUDA toolkit. Names and values
// are those of the API's documentation; the functions are found with dlsym.

#ifndef HETERO_RUNTIME_CUDADRIVER_H
#define HETERO_RUNTIME_CUDADRIVER_H

#include <cstddef>
#include <cstdint>

namespace hetero::cuda {

using Result = int;
using Device = int;
using DevicePointer = unsigned long long;
using Context = struct CUctx_st *;
using Stream = struct CUstream_st *;
using Event = struct CUevent_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using Graph = struct CUgraph_st *;
using GraphExec = struct CUgraphExec_st *;
using GraphNode = struct CUgraphNode_st *;

enum : Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kStubLibrary = 34,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kEccUncorrectable = 214,
  kUnsupportedLimit = 215,
  kPeerAccessUnsupported = 217,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kUnsupportedExecAffinity = 224,
  kFileNotFound = 301,
  kInvalidHandle = 400,
  kIllegalState = 401,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kPeerAccessNotEnabled = 705,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kAlreadyRegistered = 712,
  kNotRegistered = 713,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureMerge = 902,
  kStreamCaptureUnmatched = 903,
  kStreamCaptureUnjoined = 904,
  kStreamCaptureIsolation = 905,
  kStreamCaptureImplicit = 906,
  kCapturedEvent = 907,
  kStreamCaptureWrongThread = 908,
  kGraphExecUpdateFailure = 910,
  kDeviceLost = 46, // CUDA_ERROR_DEVICE_UNAVAILABLE
  kUnknown = 999
};

/// CUdevice_attribute.
enum : int {
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kPageableMemoryAccess = 88,
  kConcurrentManagedAccess = 89
};

/// CUjit_option.
enum : int { kJitErrorLogBuffer = 5, kJitErrorLogBufferSizeBytes = 6 };

/// CUfunction_attribute.
enum : int { kMaxDynamicSharedSizeBytes = 8 };

enum : unsigned {
  kStreamNonBlocking = 1,
  kEventDisableTiming = 2,
  kEventRecordExternal = 1,
  kEventWaitExternal = 1,
  kMemHostAllocPortable = 1,
  kMemHostAllocDeviceMap = 2,
  kMemAttachGlobal = 1
};

/// CUstreamCaptureMode.
enum : int { kCaptureThreadLocal = 1 };

/// CUmemorytype.
enum MemoryType : unsigned {
  kMemoryHost = 1,
  kMemoryDevice = 2,
  kMemoryUnified = 4
};

/// CUDA_MEMCPY2D: rows of `width` bytes, each end's a pitch apart.
struct Copy2D {
  size_t fromX, fromY;
  MemoryType fromType;
  const void *fromHost;
  DevicePointer fromDevice;
  void *fromArray;
  size_t fromPitch;
  size_t toX, toY;
  MemoryType toType;
  void *toHost;
  DevicePointer toDevice;
  void *toArray;
  size_t toPitch;
  size_t width, height;
};

/// Every driver function in use: member name, exported name, parameters.
#define HETERO_CUDA_FUNCTIONS(X)                                               \
  X(init, "cuInit", (unsigned))                                                \
  X(getErrorName, "cuGetErrorName", (Result, const char **))                   \
  X(getErrorString, "cuGetErrorString", (Result, const char **))               \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(deviceGet, "cuDeviceGet", (Device *, int))                                 \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, Device))          \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context *, Device))         \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (Device))               \
  X(primaryCtxReset, "cuDevicePrimaryCtxReset_v2", (Device))                   \
  X(ctxSetCurrent, "cuCtxSetCurrent", (Context))                               \
  X(ctxSynchronize, "cuCtxSynchronize", ())                                    \
  X(memAlloc, "cuMemAlloc_v2", (DevicePointer *, size_t))                      \
  X(memFree, "cuMemFree_v2", (DevicePointer))                                  \
  X(memHostAlloc, "cuMemHostAlloc", (void **, size_t, unsigned))               \
  X(memFreeHost, "cuMemFreeHost", (void *))                                    \
  X(memHostRegister, "cuMemHostRegister_v2", (void *, size_t, unsigned))       \
  X(memHostUnregister, "cuMemHostUnregister", (void *))                        \
  X(memcpyAsync, "cuMemcpyAsync",                                              \
    (DevicePointer, DevicePointer, size_t, Stream))                            \
  X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                   \
    (DevicePointer, const void *, size_t, Stream))                             \
  X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                   \
    (void *, DevicePointer, size_t, Stream))                                   \
  X(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                   \
    (DevicePointer, DevicePointer, size_t, Stream))                            \
  X(memcpy2DAsync, "cuMemcpy2DAsync_v2", (const Copy2D *, Stream))             \
  X(memcpyPeerAsync, "cuMemcpyPeerAsync",                                      \
    (DevicePointer, Context, DevicePointer, Context, size_t, Stream))          \
  X(memsetD8Async, "cuMemsetD8Async",                                          \
    (DevicePointer, unsigned char, size_t, Stream))                            \
  X(memsetD16Async, "cuMemsetD16Async",                                        \
    (DevicePointer, unsigned short, size_t, Stream))                           \
  X(memsetD32Async, "cuMemsetD32Async",                                        \
    (DevicePointer, unsigned, size_t, Stream))                                 \
  X(streamCreate, "cuStreamCreate", (Stream *, unsigned))                      \
  X(streamDestroy, "cuStreamDestroy_v2", (Stream))                             \
  X(streamSynchronize, "cuStreamSynchronize", (Stream))                        \
  X(streamWaitEvent, "cuStreamWaitEvent", (Stream, Event, unsigned))           \
  X(eventCreate, "cuEventCreate", (Event *, unsigned))                         \
  X(eventDestroy, "cuEventDestroy_v2", (Event))                                \
  X(eventRecord, "cuEventRecord", (Event, Stream))                             \
  X(eventQuery, "cuEventQuery", (Event))                                       \
  X(eventSynchronize, "cuEventSynchronize", (Event))                           \
  X(eventElapsedTime, "cuEventElapsedTime", (float *, Event, Event))           \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (Module *, const void *, unsigned, int *, void **))                        \
  X(moduleUnload, "cuModuleUnload", (Module))                                  \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    (Function *, Module, const char *))                                        \
  X(funcSetAttribute, "cuFuncSetAttribute", (Function, int, int))              \
  X(launchKernel, "cuLaunchKernel",                                            \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))

/// The same for graphs, which older drivers do not have.
#define HETERO_CUDA_GRAPH_FUNCTIONS(X)                                         \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (Stream, int))              \
  X(streamEndCapture, "cuStreamEndCapture", (Stream, Graph *))                 \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (GraphExec *, Graph, unsigned long long))                                  \
  X(graphDestroy, "cuGraphDestroy", (Graph))                                   \
  X(graphExecDestroy, "cuGraphExecDestroy", (GraphExec))                       \
  X(graphLaunch, "cuGraphLaunch", (GraphExec, Stream))                         \
  X(eventRecordWithFlags, "cuEventRecordWithFlags", (Event, Stream, unsigned)) \
  X(funcGetParamInfo, "cuFuncGetParamInfo",                                    \
    (Function, size_t, size_t *, size_t *))

/// And for single features that not every driver has: a null pointer is checked
/// where the function is called.
#define HETERO_CUDA_OPTIONAL_FUNCTIONS(X)                                      \
  X(deviceGetName, "cuDeviceGetName", (char *, int, Device))                   \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, Device))                 \
  X(memAllocManaged, "cuMemAllocManaged", (DevicePointer *, size_t, unsigned)) \
  X(funcLoad, "cuFuncLoad", (Function))                                        \
  X(launchKernelEx, "cuLaunchKernelEx",                                        \
    (const void *, Function, void **, void **))                                \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",                            \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *,        \
     const unsigned *, const unsigned *, int, int, int, int))

/// The functions of one loaded driver.
struct Functions {
#define HETERO_CUDA_MEMBER(member, name, parameters)                           \
  Result(*member) parameters = nullptr;
  HETERO_CUDA_FUNCTIONS(HETERO_CUDA_MEMBER)
  HETERO_CUDA_GRAPH_FUNCTIONS(HETERO_CUDA_MEMBER)
  HETERO_CUDA_OPTIONAL_FUNCTIONS(HETERO_CUDA_MEMBER)
#undef HETERO_CUDA_MEMBER
};

} // namespace hetero::cuda

#endif // HETERO_RUNTIME_CUDADRIVER_H
