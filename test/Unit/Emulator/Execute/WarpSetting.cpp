//===- WarpSetting.cpp - Runs the same tests with whole warps -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

/// Small launches, too, run the threads of a warp as one where they can.
[[maybe_unused]] static const int isSet =
    setenv("HETERO_EMULATOR", "warps=together", /*overwrite=*/1);
