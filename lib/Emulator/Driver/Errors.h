//===- Errors.h - How functions of the driver begin and refuse --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_ERRORS_H
#define HETERO_LIB_EMULATOR_DRIVER_ERRORS_H

#include "hetero/Runtime/CudaDriver.h"

namespace hetero::emulator {

/// CUDA_ERROR_NOT_PERMITTED.
constexpr cuda::Result kNotPermitted = 800;
/// CUDA_ERROR_INVALID_CLUSTER_SIZE.
constexpr cuda::Result kInvalidClusterSize = 912;

/// CUDA_ERROR_NOT_SUPPORTED; says on stderr for what.
cuda::Result refuse(const char *what);

} // namespace hetero::emulator

/// Start of the definition of a function that the driver exports.
#define HETERO_CUDA_API                                                        \
  extern "C" __attribute__((visibility("default"))) hetero::cuda::Result

#endif // HETERO_LIB_EMULATOR_DRIVER_ERRORS_H
