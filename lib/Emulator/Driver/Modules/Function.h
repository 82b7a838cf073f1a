//===- Function.h - Kernels by their handles --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_MODULES_FUNCTION_H
#define HETERO_LIB_EMULATOR_DRIVER_MODULES_FUNCTION_H

#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Module.h"

namespace hetero::emulator {

/// A kernel and the module that keeps it alive.
struct FunctionReference {
  Function *function = nullptr;
  std::shared_ptr<Module> module;

  Function *operator->() const { return function; }
};
/// A handle may be that of a library's kernel, which is another function in
/// each context: of the current one, if none is named.
cuda::Result getFunction(const void *handle, FunctionReference &result,
                         Context *context = nullptr);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_MODULES_FUNCTION_H
