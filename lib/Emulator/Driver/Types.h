//===- Types.h - Structures of the driver API -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of our own, laid out as the API's documentation says, so that
// the emulator builds without the CUDA toolkit. Each names the API's type.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_TYPES_H
#define HETERO_LIB_EMULATOR_DRIVER_TYPES_H

#include "hetero/Runtime/CudaDriver.h"

namespace hetero::emulator {

/// CUmemLocation.
struct Location {
  enum Type : int {
    Nowhere = 0,
    OnDevice = 1,
    OnHost = 2,
    OnNode = 3,
    OnThisNode = 4
  };

  Type type;
  int id;
};

/// CUmemAccessDesc.
struct AccessGrant {
  enum Flags : int { None = 0, Read = 1, ReadWrite = 3 };

  Location location;
  Flags flags;
};

/// CUmemPoolProps.
struct PoolProperties {
  int allocationType, handleTypes;
  Location location;
  void *security;
  size_t mostBytes;
  unsigned short usage;
  unsigned char reserved[54];
};

/// CUlaunchAttribute; of the value only what is read.
struct LaunchAttribute {
  enum Id : int {
    Ignore = 0,
    AccessPolicyWindow = 1,
    Cooperative = 2,
    SynchronizationPolicy = 3,
    ClusterDimension = 4,
    ClusterSchedulingPolicy = 5,
    ProgrammaticStreamSerialization = 6,
    ProgrammaticEvent = 7,
    Priority = 8,
    MemSyncDomainMap = 9,
    MemSyncDomain = 10,
    PreferredClusterDimension = 11,
    LaunchCompletionEvent = 12,
    DeviceUpdatableNode = 13,
    SharedMemoryCarveout = 14,
    LinkCentricScheduling = 16,
    Last = LinkCentricScheduling
  };

  /// CUaccessPolicyWindow.
  struct Window {
    void *base;
    size_t bytes;
    float hitRatio;
    int hit, miss;
  };

  Id id;
  char padding[4];
  union {
    char bytes[64];
    int number;
    uint32_t cluster[3];
    cuda::Event event;
    Window window;
  };
};

/// CUlaunchConfig.
struct LaunchConfig {
  uint32_t grid[3], block[3];
  unsigned sharedBytes;
  cuda::Stream stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// CUDA_MEM_ALLOC_NODE_PARAMS.
struct AllocationParams {
  PoolProperties pool;
  const AccessGrant *grants;
  size_t numGrants, bytes;
  cuda::DevicePointer address; ///< Which the driver says.
};

/// CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER, whose contexts the former has not.
struct Copy3D {
  struct Side {
    size_t x, y, z, level;
    cuda::MemoryType type;
    const void *host;
    cuda::DevicePointer device;
    void *array;
    cuda::Context context;
    size_t pitch, height;
  };

  Side from, to;
  size_t width, height, depth;
};

/// CUDA_MEMSET_NODE_PARAMS; version 2 has a context after it.
struct FillBox {
  cuda::DevicePointer address;
  size_t pitch;
  unsigned value, elementBytes;
  size_t width, height;
};

/// CUDA_HOST_NODE_PARAMS.
struct HostCall {
  void (*function)(void *);
  void *argument;
};

/// CUDA_KERNEL_NODE_PARAMS; version 1 ends with `extra`.
struct KernelNodeParams {
  cuda::Function function;
  uint32_t grid[3], block[3];
  unsigned sharedBytes;
  void **params, **extra;
  cuda::Function kernel; ///< If there is no function.
  cuda::Context context;
};

/// CUstreamBatchMemOpParams.
union WordOperation {
  enum Kind : int {
    Wait32 = 1,
    Write32 = 2,
    Wait64 = 4,
    Write64 = 5,
    Barrier = 6
  };
  struct {
    Kind kind;
    cuda::DevicePointer address;
    uint64_t value;
    unsigned flags;
  } word;
  uint64_t size[6];
};

/// CUDA_BATCH_MEM_OP_NODE_PARAMS.
struct WordOperations {
  cuda::Context context;
  unsigned count;
  const WordOperation *operations;
  unsigned flags;
};

/// CUgraphNodeParams, as far as nodes are of kinds that there are.
struct GraphNodeParams {
  int kind, reserved[3];
  union {
    long long padding[29];
    KernelNodeParams kernel;
    struct {
      int flags, reserved;
      cuda::Context context;
      Copy3D box;
    } copy;
    struct {
      FillBox box;
      cuda::Context context;
    } fill;
    HostCall host;
    cuda::Graph child;
    cuda::Event event;
    AllocationParams allocation;
    cuda::DevicePointer freed;
    WordOperations words;
  };
  long long reservedToo;
};

/// CUgraphEdgeData: zeros for an edge from the end of a node to a begin.
struct EdgeData {
  unsigned char fromPort, toPort, type, reserved[5];
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_TYPES_H
