//===- DriverTypes.h - Structures of the driver API -------------*- C++ -*-===//
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

#ifndef HETERO_LIB_EMULATOR_DRIVERTYPES_H
#define HETERO_LIB_EMULATOR_DRIVERTYPES_H

#include "hetero/Runtime/CudaDriver.h"

namespace hetero::emulator {

/// CUmemLocation.
struct Location {
  enum Type : int { OnDevice = 1, OnHost = 2, OnNode = 3, OnThisNode = 4 };

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
    LaunchCompletionEvent = 12,
    DeviceUpdatableNode = 13,
    SharedMemoryCarveout = 14
  };

  Id id;
  char padding[4];
  union {
    char bytes[64];
    int number;
    uint32_t cluster[3];
    cuda::Event event;
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

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVERTYPES_H
