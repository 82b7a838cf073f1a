//===- Unsupported.cpp - Calls of the API that are missing ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is linked with the API finds every name of it. What it may
// not call says so, and returns an error that it can handle.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"

using namespace hetero::emulator;

// The caller removes the arguments, whatever they are.
#define X(name)                                                                \
  HETERO_CUDA_API name() { return refuse(#name); }
#include "Emulator/Driver/UnsupportedCalls.def"
#undef X
