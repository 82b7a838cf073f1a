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

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVERTYPES_H
