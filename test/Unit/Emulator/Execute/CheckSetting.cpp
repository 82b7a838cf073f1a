//===- CheckSetting.cpp - Turns on what kernels are checked for -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

[[maybe_unused]] static const int isSet =
    setenv("HETERO_EMULATOR",
           "check=shared+uninitialized,instructions=100000,warps=together",
           /*overwrite=*/1);
