//===- Advice.h - Where programs want managed memory ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MEMORY_ADVICE_H
#define HETERO_LIB_EMULATOR_DRIVER_MEMORY_ADVICE_H

#include "Emulator/Driver/Types.h"

namespace hetero::emulator {

/// CUmem_advise.
enum Advice : int {
  kSetReadMostly = 1,
  kUnsetReadMostly = 2,
  kSetPreferred = 3,
  kUnsetPreferred = 4,
  kSetAccessedBy = 5,
  kUnsetAccessedBy = 6,
  kPrefetch = 7 ///< cuMemPrefetchAsync.
};

/// Notes what a program has said of managed memory, to be read back.
void noteAdvice(cuda::DevicePointer address, uint64_t bytes, Advice advice,
                Location location);
/// The memory is new.
void forgetAdvice(cuda::DevicePointer address, uint64_t bytes);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MEMORY_ADVICE_H
